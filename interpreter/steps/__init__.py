"""What each instruction of a program does."""
