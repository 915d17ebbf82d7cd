"""Lines of Python that stand already -> other lines that do the same, faster.

In: the functions of a module, as source.py and fused.py have them. Out: the same functions. Nothing here knows of
rules, only of the few forms of lines that are written for them; any other is left as it is.
"""
