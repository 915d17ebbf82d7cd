"""The folder of the extension -> dist/cambist-VERSION.vsix, with Python alone. Equal files give an equal archive.

A .vsix is a zip with the extension below `extension/`, a manifest of its gallery form, and the types of its files.
"""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

HERE = Path(__file__).parent
FILES = (
    "package.json",
    "README.md",
    "extension.js",
    "client.js",
    "language-configuration.json",
    "syntaxes/rules.tmLanguage.json",
)
TYPES = {
    ".json": "application/json",
    ".js": "application/javascript",
    ".md": "text/markdown",
    ".vsixmanifest": "text/xml",
}
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can tell


def manifest(package: dict[str, object]) -> str:
    engines = package["engines"]
    assert isinstance(engines, dict)
    identity = (
        f'<Identity Language="en-US" Id={quoteattr(str(package["name"]))} Version={quoteattr(str(package["version"]))}'
        f" Publisher={quoteattr(str(package['publisher']))}/>"
    )
    engine = quoteattr(str(engines["vscode"]))
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    {identity}
    <DisplayName>{escape(str(package["displayName"]))}</DisplayName>
    <Description xml:space="preserve">{escape(str(package["description"]))}</Description>
    <Tags>cambist,rules,__ext_rules</Tags>
    <Categories>Programming Languages</Categories>
    <GalleryFlags>Public</GalleryFlags>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={engine}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionDependencies" Value=""/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionPack" Value=""/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
      <Property Id="Microsoft.VisualStudio.Services.GitHubFlavoredMarkdown" Value="true"/>
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code"/>
  </Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
  </Assets>
</PackageManifest>
"""


def content_types() -> str:
    lines = "".join(
        f"  <Default Extension={quoteattr(suffix)} ContentType={quoteattr(kind)}/>\n" for suffix, kind in TYPES.items()
    )
    space = "http://schemas.openxmlformats.org/package/2006/content-types"
    return f'<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="{space}">\n{lines}</Types>\n'


def build(folder: Path) -> Path:
    """Writes the archive into a folder and gives its path."""
    package = json.loads((HERE / "package.json").read_text("utf-8"))
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{package['name']}-{package['version']}.vsix"
    texts = {"extension.vsixmanifest": manifest(package), "[Content_Types].xml": content_types()}
    texts |= {f"extension/{name}": (HERE / name).read_text("utf-8") for name in FILES}
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            entry = zipfile.ZipInfo(name, LONG_AGO)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, text.encode("utf-8"))
    return target


if __name__ == "__main__":
    given = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent.parent / "dist"
    print(build(given))
