"""Checked nodes -> English. In: a `CheckedRuleset`. Out: noun phrases, clauses and sentences, with marks (marks.py)
where a term, a phase or a note is named. Knows the forms of the language and the words of the ruleset, no game;
makes no pages: the book that is put together from it, and how it looks, is the affair of app/rulebook.
"""
