"""`cambist lsp`: the protocol of editors over standard input and output, by pygls.

In: requests and notes of an editor. Out: answers; diagnostics a moment after the last keystroke. All work is done in
one thread, but examples, which may take long. Whatever a request is about (a file that is not open, a place that is
not there), it is answered; a fault of Cambist becomes an error answer and a line on standard error, and the server
goes on.
"""

from __future__ import annotations

import asyncio
import difflib
import gc
import logging
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.workspace import PositionCodec

from cambist import __version__
from cambist.dsl import api
from cambist.dsl.diagnostics import RulesError
from cambist.dsl.disk import real
from cambist.dsl.index import Use
from cambist.dsl.source import SourceFile
from cambist.dsl.suggest import suggest
from cambist.editor import examples, findings, hovers, outline, renaming
from cambist.editor.documents import Documents, Known
from cambist.editor.items import items
from cambist.editor.positions import Places, path_of

PAUSE = 0.15  # seconds without a keystroke before a file is checked
TRIGGERS = [".", '"', " "]


class Server(LanguageServer):
    """pygls' server; what goes wrong is told on standard error, not in the author's face."""

    def report_server_error(self, error: Exception, source: Any) -> None:
        if not isinstance(error, Refused):
            sys.stderr.write(f"cambist lsp: {type(error).__name__}: {error}\n")


class Refused(JsonRpcException):
    """A request that cannot be granted, with the reason."""

    def __init__(self, why: object) -> None:
        super().__init__(str(why), lsp.LSPErrorCodes.RequestFailed.value)


class Editor:
    def __init__(self) -> None:
        self.server = Server("cambist", __version__)
        self.documents = Documents()
        self.places = Places(PositionCodec())
        self.results = examples.Results()
        self.warnings = True
        self.snippets = False
        self.versions: dict[Path, int | None] = {}
        self.waiting: dict[Path, asyncio.Task[None]] = {}
        self._register()

    # ---- what is answered

    def _register(self) -> None:
        self._on(lsp.INITIALIZE, self.initialize)
        self._on(lsp.TEXT_DOCUMENT_DID_OPEN, self.did_open)
        self._on(lsp.TEXT_DOCUMENT_DID_CHANGE, self.did_change)
        self._on(lsp.TEXT_DOCUMENT_DID_SAVE, self.did_save)
        self._on(lsp.TEXT_DOCUMENT_DID_CLOSE, self.did_close)
        self._on(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, self.did_change_files)
        self._on(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, self.did_change_settings)
        self._on(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS, self.did_change_folders)
        self._on(lsp.TEXT_DOCUMENT_HOVER, self.hover)
        self._on(lsp.TEXT_DOCUMENT_DEFINITION, self.definition)
        self._on(lsp.TEXT_DOCUMENT_REFERENCES, self.references)
        self._on(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, self.highlight)
        self._on(lsp.TEXT_DOCUMENT_COMPLETION, self.completion, lsp.CompletionOptions(trigger_characters=TRIGGERS))
        self._on(lsp.TEXT_DOCUMENT_RENAME, self.rename, lsp.RenameOptions(prepare_provider=True))
        self._on(lsp.TEXT_DOCUMENT_PREPARE_RENAME, self.prepare_rename)
        self._on(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, self.document_symbol)
        self._on(lsp.WORKSPACE_SYMBOL, self.workspace_symbol)
        self._on(lsp.TEXT_DOCUMENT_FOLDING_RANGE, self.folding_range)
        kinds = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]
        self._on(lsp.TEXT_DOCUMENT_CODE_ACTION, self.code_action, lsp.CodeActionOptions(code_action_kinds=kinds))
        self._on(lsp.TEXT_DOCUMENT_CODE_LENS, self.code_lens, lsp.CodeLensOptions(resolve_provider=False))
        self._on(lsp.TEXT_DOCUMENT_FORMATTING, self.formatting)
        legend = lsp.SemanticTokensLegend(token_types=outline.TOKENS, token_modifiers=["declaration"])
        self._on(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, self.semantic_tokens, legend)

        async def run_example(*arguments: Any) -> dict[str, Any]:
            return await self.run_example(*arguments)

        self.server.command(examples.RUN)(run_example)

    def _on(self, name: str, method: Callable[[Any], Any], options: Any = None) -> None:
        def handler(params: Any) -> Any:  # pygls writes on what it is given, which a method does not allow
            try:
                return method(params)
            except JsonRpcException:
                raise
            except Exception:
                sys.stderr.write(f"cambist lsp: {name} failed\n{traceback.format_exc()}")
                raise

        self.server.feature(name, options)(handler)

    def _known(self, uri: str) -> Known:
        return self.documents.known(path_of(uri))

    def _at(self, params: Any) -> tuple[Known, int]:
        known = self._known(params.text_document.uri)
        return known, self.places.offset(known.file, params.position)

    def _use(self, params: Any) -> tuple[Known, Use | None]:
        known, offset = self._at(params)
        return known, known.index.at(known.file.name, offset)

    # ---- the beginning, and what is set

    def initialize(self, params: lsp.InitializeParams) -> None:
        self.places = Places(self.server.workspace.position_codec)
        completion = params.capabilities.text_document and params.capabilities.text_document.completion
        item = completion.completion_item if completion else None
        self.snippets = bool(item and item.snippet_support)
        uris = [folder.uri for folder in params.workspace_folders or ()]
        uris = uris or ([params.root_uri] if params.root_uri else [])
        self.documents.folders = [path_of(uri) for uri in uris if uri.startswith("file:")]
        self._settings(params.initialization_options)
        gc.collect()
        gc.freeze()  # what is loaded by now stays; looking through it again and again takes a third of a check
        gc.set_threshold(50_000, 20, 20)

    def _settings(self, given: Any) -> None:
        given = given.get("cambist", given) if isinstance(given, dict) else getattr(given, "cambist", given)
        for name in ("strict", "warnings"):
            value = given.get(name) if isinstance(given, dict) else getattr(given, name, None)
            if isinstance(value, bool):
                if name == "strict":
                    self.documents.strict = value
                else:
                    self.warnings = value

    def did_change_settings(self, params: lsp.DidChangeConfigurationParams) -> None:
        self._settings(params.settings)
        self._check_all()

    def did_change_folders(self, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        gone = {path_of(folder.uri) for folder in params.event.removed}
        kept = [folder for folder in self.documents.folders if folder not in gone]
        self.documents.folders = [*kept, *(path_of(folder.uri) for folder in params.event.added)]

    # ---- texts

    def did_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        path = real(path_of(document.uri))
        self.places.uris[path] = document.uri
        self._take(path, document.uri, document.version)
        self._check_soon(path, 0)

    def did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        path = real(path_of(params.text_document.uri))
        self._take(path, params.text_document.uri, params.text_document.version)
        self._check_soon(path, PAUSE)

    def did_save(self, params: lsp.DidSaveTextDocumentParams) -> None:
        self._check_all()

    def did_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        path = real(path_of(params.text_document.uri))
        waiting = self.waiting.pop(path, None)
        if waiting is not None:
            waiting.cancel()
        self.documents.close(path)
        self.versions.pop(path, None)
        self.places.uris.pop(path, None)
        self.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(params.text_document.uri, []))
        self._check_all()

    def did_change_files(self, params: lsp.DidChangeWatchedFilesParams) -> None:
        self._check_all()

    def _take(self, path: Path, uri: str, version: int | None) -> None:
        self.documents.open(path, self.server.workspace.get_text_document(uri).source)
        self.versions[path] = version

    # ---- what is wrong

    def _check_all(self) -> None:
        for path in list(self.versions):
            self._check_soon(path, 0)

    def _check_soon(self, path: Path, pause: float) -> None:
        """After a pause without another keystroke: this file, and what else is open and made of it."""
        before = self.waiting.pop(path, None)
        if before is not None:
            before.cancel()
        self.waiting[path] = asyncio.ensure_future(self._check_after(path, pause))

    async def _check_after(self, path: Path, pause: float) -> None:
        await asyncio.sleep(pause)
        self.waiting.pop(path, None)
        self.publish(path)
        for other in list(self.versions):
            if other != path and other not in self.waiting and path in self.documents.known(other).stamps:
                self.publish(other)
                await asyncio.sleep(0)

    def publish(self, path: Path) -> None:
        if path not in self.versions or path.suffix != ".rules":
            return
        try:
            known = self.documents.known(path)
            found = findings.findings(known, self.places, self.warnings) + self.results.findings(known, self.places)
        except Exception as error:  # a fault of Cambist must not silence the editor for good
            sys.stderr.write(f"cambist lsp: {path}: {error!r}\n")
            return
        self.server.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(self.places.uri(path), found, self.versions[path])
        )

    # ---- questions about a place

    def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        known, offset = self._at(params)
        use = known.index.at(known.file.name, offset)
        if use is not None:
            content, where = hovers.hover(known, use), self.places.range(use.span)
        else:
            word = hovers.word_at(known.file, offset)
            if word is None or word.text not in hovers.BUILT_IN:
                return None
            content, where = hovers.BUILT_IN[word.text], self.places.range(word)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, content), where)

    def definition(self, params: lsp.DefinitionParams) -> list[lsp.Location]:
        known, offset = self._at(params)
        uses = known.index.all_at(known.file.name, offset)
        elsewhere = [use for use in uses if use.definition.span != use.span] or uses
        found = []
        for use in elsewhere:
            path = known.place_of(use.definition.span)
            if path is not None:
                found.append(self.places.location(path, use.definition.span))
        return found

    def references(self, params: lsp.ReferenceParams) -> list[lsp.Location]:
        known, use = self._use(params)
        if use is None:
            return []
        return [
            self.places.location(path, one.span)
            for path, one in self.documents.uses(known, use.definition)
            if params.context.include_declaration or one.span != use.definition.span
        ]

    def highlight(self, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        known, use = self._use(params)
        if use is None:
            return []
        return [
            lsp.DocumentHighlight(self.places.range(one.span), lsp.DocumentHighlightKind.Text)
            for one in known.index.of(use.definition)
            if one.span.file is known.file
        ]

    def completion(self, params: lsp.CompletionParams) -> lsp.CompletionList:
        path = real(path_of(params.text_document.uri))
        text = self.documents.text_of(path).replace("\r\n", "\n")
        file = SourceFile(str(path), text)
        offset = self.places.offset(file, params.position)
        trigger = params.context.trigger_character if params.context else None
        if trigger in (" ", '"') and not _after_word(text, offset):
            return lsp.CompletionList(is_incomplete=False, items=[])
        found = suggest(path, self.documents.kept, offset)
        return lsp.CompletionList(False, items(found, file, offset, self.places, self.snippets))

    # ---- renaming

    def prepare_rename(self, params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
        known, use = self._use(params)
        try:
            use = renaming.may_rename(self.documents, known, use)
        except renaming.CannotRename as why:
            raise Refused(why) from None
        return lsp.PrepareRenamePlaceholder(self.places.range(use.span), use.span.text)

    def rename(self, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        known, use = self._use(params)
        try:
            use = renaming.may_rename(self.documents, known, use)
            found = renaming.edits(self.documents, known, use, params.new_name)
        except renaming.CannotRename as why:
            raise Refused(why) from None
        return lsp.WorkspaceEdit(changes={
            self.places.uri(path): [lsp.TextEdit(self.places.range(span), new) for span, new in places]
            for path, places in found.items()
        })  # fmt: skip

    # ---- whole files

    def document_symbol(self, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        return outline.outline(self._known(params.text_document.uri), self.places)

    def workspace_symbol(self, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        found: list[lsp.WorkspaceSymbol] = []
        for path in self.documents.mine():
            found += outline.symbols_named(self.documents.parsed(path), params.query, self.places)
        return found

    def folding_range(self, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        return outline.folds(self._known(params.text_document.uri).file)

    def semantic_tokens(self, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        return lsp.SemanticTokens(outline.colours(self._known(params.text_document.uri), self.places))

    def code_action(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        found = findings.actions(self._known(params.text_document.uri), params.range, self.places)
        only = params.context.only
        return [a for a in found if only is None or any(str(a.kind).startswith(str(kind)) for kind in only)]

    def formatting(self, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        formatted = getattr(api, "formatted", None)
        path = real(path_of(params.text_document.uri))
        if formatted is None:
            return None
        text = self.documents.text_of(path)
        try:
            new: str = formatted(text, str(path))
        except (RulesError, getattr(api, "Unsafe", RulesError)):
            return None  # what is wrong is told already
        return self._changed_lines(SourceFile(str(path), text), new)

    def _changed_lines(self, file: SourceFile, new: str) -> list[lsp.TextEdit]:
        """Only the lines that differ, so that the cursor stays where it is."""
        old_lines, new_lines = file.text.splitlines(keepends=True), new.splitlines(keepends=True)
        found = []
        for tag, a, b, c, d in difflib.SequenceMatcher(None, old_lines, new_lines, autojunk=False).get_opcodes():
            if tag != "equal":
                start = sum(map(len, old_lines[:a]))
                end = start + sum(map(len, old_lines[a:b]))
                where = lsp.Range(self.places.position(file, start), self.places.position(file, end))
                found.append(lsp.TextEdit(where, "".join(new_lines[c:d])))
        return found

    # ---- examples

    def code_lens(self, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        uri = params.text_document.uri
        return self.results.lenses(self._known(uri), uri, self.places)

    async def run_example(self, uri: Any = None, title: Any = None, *_: Any) -> dict[str, Any]:
        """Runs one example, or all; tells what came out, marks it in the text and gives it back."""
        if not isinstance(uri, str):
            return {"message": "say which file: its URI, and the title of an example"}
        title = title if isinstance(title, str) else None
        known = self._known(uri)
        if known.ruleset is None:
            message = "the rules have problems, so examples cannot run: mend these first"
            self._tell(lsp.MessageType.Warning, message)
            return {"message": message, "passed": 0, "failed": []}
        outcomes = await asyncio.to_thread(examples.run, known.ruleset, title)
        self.results.keep(known, outcomes)
        failed = [o for o in outcomes if not o.passed]
        message = examples.told(outcomes, title)
        good = bool(outcomes) and not failed
        self._tell(lsp.MessageType.Info if good else lsp.MessageType.Error, message)
        self.publish(known.path)
        workspace = self.server.client_capabilities.workspace
        if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
            self.server.workspace_code_lens_refresh(None)
        return {
            "message": message,
            "passed": len(outcomes) - len(failed),
            "failed": [{"example": o.title, "reason": o.reason, "line": o.at.span.line} for o in failed],
        }

    def _tell(self, kind: lsp.MessageType, message: str) -> None:
        self.server.window_show_message(lsp.ShowMessageParams(kind, message))


def _after_word(text: str, offset: int) -> bool:
    """Whether a blank or a quote follows a word behind which only certain things come: elsewhere it is just typing."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset].rstrip(' "')
    last = line.split(" ")[-1] if line else ""
    return last in ("use", "cites", "of", "by", "is", "from", "to", "each", "with", "after") or text[offset - 1] == '"'


def serve() -> int:
    """Speaks with an editor until it says exit or is gone. The exit code: 0 if it said shutdown before."""
    out = sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever prints must not get between the messages
    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # it would print every refusal with its traceback
    editor = Editor()
    editor.server.start_io(sys.stdin.buffer, out)
    return 0 if editor.server.protocol._shutdown else 1
