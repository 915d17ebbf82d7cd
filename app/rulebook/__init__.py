"""A ruleset as a book to read: what is told stands in dsl/prose, here it is put in order and on pages.

In: a `Game`, perhaps a number of players and options. Out: Markdown, or one HTML file that needs nothing else.
"""
