"""`python -m cambist` is the command `cambist`."""

from cambist.cli import main

main()
