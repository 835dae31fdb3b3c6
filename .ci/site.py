"""Make what `docs/` lacks of the site: pages of the root, and a reference of each room.

mkdocs calls the functions that are named `on_*` (`hooks` in mkdocs.yml).
"""

from __future__ import annotations

import ast
import re
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
}
"""Pages of the site by the files of the repository that they are made of."""
INTRODUCTION = """# Reference

Look up what a module has.  From Python, these make an extractor of a saved page:

```python
from pathlib import Path

from amber_wrap.codegen.build import build_file
from amber_wrap.domain.loader import load_domain
from amber_wrap.files import read_saved_page
from amber_wrap.pipeline import compile_wrapper

sample = read_saved_page("sample.html")
wrapper = compile_wrapper([sample], [load_domain("real-estate")]).wrapper
built = build_file(wrapper, [sample.body], "homes.py")
Path("homes.py").write_text(built.source)
```

"""
LINK = re.compile(r"\[([^\]]*)\]\(\s*(?!\w+:|#)([^)#\s]+)(#[^)\s]*)?\s*\)")


def rooms() -> dict[str, str]:
    """The first line of each folder's and module's docstring, by its name."""
    folders = sorted(ROOT.glob("amber_wrap/*/__init__.py"))
    modules = sorted(ROOT.glob("amber_wrap/[a-z]*.py"))
    return {
        path.parent.name if path in folders else path.stem: (
            ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
        ).partition("\n")[0]
        for path in (*folders, *modules)
    }


def on_config(config: Any) -> Any:
    """Add the reference to the navigation."""
    pages = [{name: f"reference/{name}.md"} for name in rooms()]
    config["nav"].append({"Reference": ["reference/index.md", *pages]})
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the pages of the root, and one a room of the package."""
    made = {uri: (ROOT / name).read_text("utf-8") for name, uri in PAGES.items()}
    for name in rooms():
        made[f"reference/{name}.md"] = f"# {name}\n\n::: amber_wrap.{name}\n"
    lines = [f"* [`{name}`]({name}.md): {line}\n" for name, line in rooms().items()]
    made["reference/index.md"] = INTRODUCTION + "".join(lines)
    for uri, text in made.items():
        files.append(File.generated(config, uri, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Point links at pages of the site; name files that aren't in it by their path."""
    uri = page.file.src_uri
    origin = {made: name for name, made in PAGES.items()}.get(uri, f"docs/{uri}")

    def pointed(link: re.Match[str]) -> str:
        text, target, anchor = link[1], link[2], link[3] or ""
        path = normpath(PurePosixPath(origin).parent / target)
        if path in PAGES or path.startswith("docs/"):
            place = PAGES.get(path) or path.removeprefix("docs/")
            return f"[{text}]({relpath(place, str(PurePosixPath(uri).parent))}{anchor})"
        return f"{text} (`{path}`)" if (ROOT / path).exists() else link[0]

    return LINK.sub(pointed, markdown)
