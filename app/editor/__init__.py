"""The language server: what an editor asks about rules, answered from the checker and the index of names.

`server.py` speaks the protocol (pygls); the other files turn what dsl/ knows into its data. Nothing here judges rules.
"""
