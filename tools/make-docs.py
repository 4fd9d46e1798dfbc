#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pages of docs/ as a folder of HTML with a search, for any web server or none:

    tools/make-docs.py [FOLDER]      FOLDER: build/docs unless given; open FOLDER/index.html

README.md becomes index.html. pandoc translates (Debian: pandoc); template, style and search are in tools/site. Where the gallery is beside
FOLDER (make gallery), it is part of it. Fails where a link leads nowhere.
"""
import json
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser

if sys.argv[1:] and sys.argv[1].startswith("-"):
    sys.exit(__doc__)
source = os.path.abspath(os.path.join(os.path.dirname(__file__), ".."))
target = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.join(source, "build", "docs")
gallery = os.path.join(os.path.dirname(target), "gallery")
GROUPS = [
    ("Begin", ["tutorial", "howto", "glossary", "installing"]),
    ("Models", ["model-format", "clearance", "contacts", "lubrication", "wear", "spatial", "machines"]),
    ("Results", ["results", "figures", "report", "live", "studies", "messages"]),
    ("Programs", ["python", "fmu", "compiled"]),
    ("Behind it", ["physics", "validation/index", "reliability", "architecture"]),
]
if not shutil.which("pandoc"):
    sys.exit("pandoc is missing; on Debian: apt-get install pandoc")


class Sections(HTMLParser):
    """Headings with their anchors and the text below them; links and anchors of a page."""

    def __init__(self):
        super().__init__()
        self.sections, self.links, self.anchors, self.open = [], [], set(), None

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        for name in ("id", "name"):
            if a.get(name):
                self.anchors.add(a[name])
        for name in ("href", "src"):
            if a.get(name):
                self.links.append(a[name])
        if tag in ("h1", "h2", "h3"):
            self.sections.append({"anchor": a.get("id", ""), "heading": "", "text": ""})
            self.open = tag

    def handle_endtag(self, tag):
        if tag == self.open:
            self.open = None

    def handle_data(self, data):
        if self.sections:
            self.sections[-1]["heading" if self.open else "text"] += data


def title(path):
    with open(path, encoding="utf-8") as file:
        return next(line for line in file if line.startswith("# ")).lstrip("# ").strip()


pages = {"index": os.path.join(source, "README.md"), "contributing": os.path.join(source, "CONTRIBUTING.md"),
         "changelog": os.path.join(source, "CHANGELOG.md"), "security": os.path.join(source, "SECURITY.md")}
for folder, _, files in os.walk(os.path.join(source, "docs")):
    for name in files:
        if name.endswith(".md"):
            path = os.path.join(folder, name)
            pages[os.path.relpath(path, os.path.join(source, "docs"))[:-3]] = path
grouped = [name for _, names in GROUPS for name in names]
PROJECT = ["changelog", "contributing", "security"]
lost = [name for name in pages if "/" not in name and name not in grouped + PROJECT + ["index"]]
if lost:
    sys.exit(f"pages that are in no group of the navigation: {', '.join(lost)}")


def navigation(root):
    parts = []
    for group, names in GROUPS:
        parts.append(f"<p>{group}</p>")
        parts += [f'<a href="{root}{name}.html">{title(pages[name])}</a>' for name in names if name in pages]
    if os.path.isdir(gallery):
        parts.append(f'<p>See</p><a href="{root}gallery/index.html">Gallery</a><a href="{root}gallery/live.html">Live gallery</a>')
    parts.append("<p>Project</p>")
    parts += [f'<a href="{root}{name}.html">{title(pages[name])}</a>' for name in PROJECT]
    return "\n".join(parts)


def link(match, page):
    """A link of the source tree as one of the site; what is not in it stays the name of a file."""
    address, hash_ = match.group(2), match.group(3) or ""
    if re.match(r"[a-z]+:", address) or not address:
        return match.group(0)
    path = os.path.normpath(os.path.join(os.path.dirname(pages[page]), address))
    for name, file in pages.items():
        if os.path.samefile(path, file) if os.path.exists(path) else False:
            return f'{match.group(1)}="{os.path.relpath(name + ".html", os.path.dirname(page) or ".")}{hash_}"'
    for folder in ("docs/images", "docs/validation"):
        below = os.path.relpath(path, os.path.join(source, "docs"))
        if path.startswith(os.path.join(source, folder)) and os.path.exists(path):
            return f'{match.group(1)}="{os.path.relpath(below, os.path.dirname(page) or ".")}"'
    if not os.path.exists(path):
        sys.exit(f"{page}: the link to {address} leads nowhere")
    return "" if match.group(1) == "href" else match.group(0)  # a file of the source tree: its name stays, as text


shutil.rmtree(target, ignore_errors=True)
os.makedirs(target)
shutil.copytree(os.path.join(source, "docs", "images"), os.path.join(target, "images"))
shutil.copytree(os.path.join(source, "docs", "validation"), os.path.join(target, "validation"),
                ignore=shutil.ignore_patterns("*.md"))
for name in ("site.css", "search.js"):
    shutil.copy(os.path.join(source, "tools", "site", name), target)
if os.path.isdir(gallery):
    shutil.copytree(gallery, os.path.join(target, "gallery"))
with open(os.path.join(source, "tools", "site", "template.html"), encoding="utf-8") as file:
    template = file.read()

index, parsed = [], {}
for page, path in sorted(pages.items()):
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"```math\n(.*?)```", r"$$\1$$", file.read(), flags=re.S)
    body = subprocess.run(["pandoc", "-f", "gfm+tex_math_dollars", "-t", "html5", "--mathml", "--wrap=none"], input=text, text=True,
                          capture_output=True, check=True).stdout
    body = re.sub(r'\b(href|src)="([^"#]*)(#[^"]*)?"', lambda m: link(m, page), body)
    root = "../" * page.count("/")
    html = template
    for name, value in (("pagetitle", title(path)), ("root", root), ("navigation", navigation(root)), ("body", body)):
        html = html.replace(f"${name}$", value)
    out = os.path.join(target, page + ".html")
    os.makedirs(os.path.dirname(out), exist_ok=True)
    with open(out, "w", encoding="utf-8") as file:
        file.write(html)
    parser = Sections()
    parser.feed(body)
    parsed[page] = parser
    for section in parser.sections:
        words = " ".join(section["text"].split())
        heading = section["heading"].strip()
        index.append({"page": f'{page}.html#{section["anchor"]}', "heading": heading if heading == title(path) else
                      f"{title(path)}: {heading}", "text": words[:1500]})
with open(os.path.join(target, "search-index.js"), "w", encoding="utf-8") as file:
    file.write("const searchIndex = " + json.dumps(index, ensure_ascii=False, separators=(",", ":")) + ";\n")

# Every link leads somewhere, also to the heading it names.
bad = []
for page, parser in parsed.items():
    for address in parser.links:
        if re.match(r"[a-z]+:", address):
            continue
        name, _, anchor = address.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(page), name)) if name else page + ".html"
        if not os.path.exists(os.path.join(target, file)):
            bad.append(f"{page}: {address}")
        elif anchor and file.endswith(".html") and file[:-5] in parsed and anchor not in parsed[file[:-5]].anchors:
            bad.append(f"{page}: {address}: there is no such heading")
for one in bad:
    print(one, file=sys.stderr)
print(f"{len(parsed)} pages, {len(index)} sections: {os.path.relpath(target)}/index.html")
sys.exit(bool(bad))
