"""Pages about many games: what one ruleset is like (`cambist report`), what another changes (`cambist compare`).

Games are played in playing.py, made into numbers in data.py and comparing.py (which `--json` prints), into words in
sentences.py, and into a page in sections.py, plots.py and page.py. A page is made of the numbers alone.
"""
