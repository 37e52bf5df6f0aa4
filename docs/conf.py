"""How Sphinx builds this folder into pages: `./run docs`, into docs/ of the data folder."""

import tomllib
from pathlib import Path

project = "Firetop Mountain"
copyright = "Firetop Mountain contributors"
version = release = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["project"]["version"]

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
root_doc = "index"
# Links within a page lead to its headings by the names that GitHub gives them.
myst_heading_anchors = 4
# Code blocks without a language hold orders and records.
highlight_language = "none"

html_theme = "alabaster"
html_title = f"Firetop Mountain {release}"
html_theme_options = {
    "description": "Simultaneous wizard duels, on the web and by email",
    "page_width": "64rem",
    "body_max_width": "none",
    "sidebar_includehidden": False,
}
html_sidebars = {"**": ["about.html", "searchfield.html", "navigation.html"]}
html_copy_source = False
html_show_sourcelink = False
