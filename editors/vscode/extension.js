"use strict";
// Cambist in Visual Studio Code: starts `cambist lsp`, tells it what is open, and offers what it answers.

const fs = require("fs");
const path = require("path");
const vscode = require("vscode");
const { Client } = require("./client");

const LANGUAGE = "cambist";
const SELECTOR = [{ language: LANGUAGE }];
const MOST_RESTARTS = 3;

let client = null;
let diagnostics, output, lenses;
let restarts = [];

// ---- from the protocol to the editor

const position = (p) => new vscode.Position(p.line, p.character);
const range = (r) => new vscode.Range(position(r.start), position(r.end));
const location = (l) => new vscode.Location(vscode.Uri.parse(l.uri), range(l.range));
const edits = (list) => (list || []).map((e) => new vscode.TextEdit(range(e.range), e.newText));

function workspaceEdit(given) {
  const edit = new vscode.WorkspaceEdit();
  for (const [uri, list] of Object.entries((given && given.changes) || {})) edit.set(vscode.Uri.parse(uri), edits(list));
  return edit;
}

function diagnostic(d) {
  const found = new vscode.Diagnostic(range(d.range), d.message, (d.severity || 1) - 1);
  found.source = d.source;
  found.code = d.code;
  found.relatedInformation = (d.relatedInformation || []).map(
    (r) => new vscode.DiagnosticRelatedInformation(location(r.location), r.message)
  );
  return found;
}

function completion(item) {
  const found = new vscode.CompletionItem(item.label, (item.kind || 1) - 1);
  found.detail = item.detail;
  found.sortText = item.sortText;
  found.filterText = item.filterText;
  found.insertText =
    item.insertTextFormat === 2 ? new vscode.SnippetString(item.textEdit.newText) : item.textEdit.newText;
  found.range = range(item.textEdit.range);
  return found;
}

function symbol(s) {
  const found = new vscode.DocumentSymbol(s.name, s.detail || "", s.kind - 1, range(s.range), range(s.selectionRange));
  found.children = (s.children || []).map(symbol);
  return found;
}

function codeAction(a) {
  const kind = a.kind === "quickfix" ? vscode.CodeActionKind.QuickFix : vscode.CodeActionKind.SourceFixAll;
  const found = new vscode.CodeAction(a.title, kind);
  found.edit = workspaceEdit(a.edit);
  found.isPreferred = a.isPreferred;
  found.diagnostics = (a.diagnostics || []).map(diagnostic);
  return found;
}

// ---- from the editor to the protocol

const at = (p) => ({ line: p.line, character: p.character });
const between = (r) => ({ start: at(r.start), end: at(r.end) });
const named = (document) => ({ textDocument: { uri: document.uri.toString() } });
const place = (document, p) => ({ ...named(document), position: at(p) });
const isOurs = (document) => document.languageId === LANGUAGE;

async function ask(method, params, token, otherwise = null) {
  if (!client) return otherwise;
  try {
    const answer = await client.request(method, params, token);
    return answer === null || answer === undefined ? otherwise : answer;
  } catch (error) {
    if (!token || !token.isCancellationRequested) output.append(`${method}: ${error.message}\n`);
    return otherwise;
  }
}

// ---- what is offered

function providers(legend) {
  const l = vscode.languages;
  const lens = { onDidChangeCodeLenses: lenses.event, provideCodeLenses: codeLenses };
  return [
    l.registerHoverProvider(SELECTOR, {
      async provideHover(document, p, token) {
        const found = await ask("textDocument/hover", place(document, p), token);
        return found && new vscode.Hover(new vscode.MarkdownString(found.contents.value), range(found.range));
      },
    }),
    l.registerDefinitionProvider(SELECTOR, {
      provideDefinition: async (document, p, token) =>
        (await ask("textDocument/definition", place(document, p), token, [])).map(location),
    }),
    l.registerReferenceProvider(SELECTOR, {
      provideReferences: async (document, p, context, token) =>
        (await ask("textDocument/references", { ...place(document, p), context }, token, [])).map(location),
    }),
    l.registerDocumentHighlightProvider(SELECTOR, {
      provideDocumentHighlights: async (document, p, token) =>
        (await ask("textDocument/documentHighlight", place(document, p), token, [])).map(
          (h) => new vscode.DocumentHighlight(range(h.range))
        ),
    }),
    l.registerCompletionItemProvider(
      SELECTOR,
      {
        async provideCompletionItems(document, p, token, context) {
          const how = { triggerKind: context.triggerKind + 1, triggerCharacter: context.triggerCharacter };
          const found = await ask("textDocument/completion", { ...place(document, p), context: how }, token);
          return found && new vscode.CompletionList(found.items.map(completion), found.isIncomplete);
        },
      },
      ".",
      '"',
      " "
    ),
    l.registerRenameProvider(SELECTOR, {
      // A refusal is thrown, so that the editor shows its reason.
      async prepareRename(document, p, token) {
        const found = await client.request("textDocument/prepareRename", place(document, p), token);
        return found && { range: range(found.range), placeholder: found.placeholder };
      },
      async provideRenameEdits(document, p, newName, token) {
        return workspaceEdit(await client.request("textDocument/rename", { ...place(document, p), newName }, token));
      },
    }),
    l.registerDocumentSymbolProvider(SELECTOR, {
      provideDocumentSymbols: async (document, token) =>
        (await ask("textDocument/documentSymbol", named(document), token, [])).map(symbol),
    }),
    l.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: async (query, token) =>
        (await ask("workspace/symbol", { query }, token, [])).map(
          (s) => new vscode.SymbolInformation(s.name, s.kind - 1, s.containerName || "", location(s.location))
        ),
    }),
    l.registerFoldingRangeProvider(SELECTOR, {
      provideFoldingRanges: async (document, context, token) =>
        (await ask("textDocument/foldingRange", named(document), token, [])).map(
          (f) => new vscode.FoldingRange(f.startLine, f.endLine, f.kind === "comment" ? 1 : undefined)
        ),
    }),
    l.registerDocumentFormattingEditProvider(SELECTOR, {
      provideDocumentFormattingEdits: async (document, options, token) =>
        edits(await ask("textDocument/formatting", { ...named(document), options }, token, [])),
    }),
    l.registerCodeActionsProvider(
      SELECTOR,
      {
        provideCodeActions: async (document, r, context, token) =>
          (
            await ask(
              "textDocument/codeAction",
              { ...named(document), range: between(r), context: { diagnostics: [] } },
              token,
              []
            )
          ).map(codeAction),
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, vscode.CodeActionKind.SourceFixAll] }
    ),
    l.registerCodeLensProvider(SELECTOR, lens),
    l.registerDocumentSemanticTokensProvider(
      SELECTOR,
      {
        async provideDocumentSemanticTokens(document, token) {
          const found = await ask("textDocument/semanticTokens/full", named(document), token);
          return found && new vscode.SemanticTokens(new Uint32Array(found.data));
        },
      },
      new vscode.SemanticTokensLegend(legend.tokenTypes, legend.tokenModifiers)
    ),
  ];
}

async function codeLenses(document, token) {
  return (await ask("textDocument/codeLens", named(document), token, [])).map(
    (one) => new vscode.CodeLens(range(one.range), one.command)
  );
}

// ---- what the server is told

function opened(document) {
  if (!client || !isOurs(document)) return;
  const { version } = document;
  const textDocument = { uri: document.uri.toString(), languageId: "rules", version, text: document.getText() };
  client.notify("textDocument/didOpen", { textDocument });
}

function changed(event) {
  if (!client || !isOurs(event.document) || event.contentChanges.length === 0) return;
  const textDocument = { uri: event.document.uri.toString(), version: event.document.version };
  const contentChanges = event.contentChanges.map((c) => ({ range: between(c.range), text: c.text }));
  client.notify("textDocument/didChange", { textDocument, contentChanges });
}

const settings = () => {
  const given = vscode.workspace.getConfiguration("cambist");
  return { cambist: { strict: given.get("strict"), warnings: given.get("warnings") } };
};

// ---- a life

function command() {
  const given = vscode.workspace.getConfiguration("cambist").get("command");
  if (given && given.length) return given;
  const windows = process.platform === "win32";
  for (const folder of vscode.workspace.isTrusted ? vscode.workspace.workspaceFolders || [] : []) {
    const own = path.join(folder.uri.fsPath, ".venv", windows ? "Scripts/cambist.exe" : "bin/cambist");
    if (fs.existsSync(own)) return [own];
  }
  return ["cambist"];
}

async function start(context) {
  const folders = vscode.workspace.workspaceFolders || [];
  const how = command();
  const told = {
    "textDocument/publishDiagnostics": (p) => diagnostics.set(vscode.Uri.parse(p.uri), p.diagnostics.map(diagnostic)),
    "window/showMessage": (p) =>
      p.type === 1
        ? vscode.window.showErrorMessage(p.message)
        : p.type === 2
          ? vscode.window.showWarningMessage(p.message)
          : vscode.window.showInformationMessage(p.message),
    "window/logMessage": (p) => output.append(`${p.message}\n`),
  };
  const asked = { "workspace/codeLens/refresh": () => void lenses.fire() };
  const mine = new Client(how, folders.length ? folders[0].uri.fsPath : undefined, told, asked, ended, (text) =>
    output.append(text)
  );
  client = mine;

  function ended(why) {
    if (client !== mine) return;
    client = null;
    diagnostics.clear();
    const now = Date.now();
    restarts = [...restarts.filter((then) => now - then < 60000), now];
    if (mine.started && restarts.length <= MOST_RESTARTS) {
      start(context);
    } else {
      vscode.window.showErrorMessage(
        `Cambist: \`${how.join(" ")} lsp\` does not run: ${why}. Install it with \`pip install 'cambist[editor]'\`, ` +
          "or say where it is in the setting cambist.command."
      );
    }
  }

  let answer;
  try {
    answer = await mine.request("initialize", {
      processId: process.pid,
      rootUri: folders.length ? folders[0].uri.toString() : null,
      workspaceFolders: folders.map((f) => ({ uri: f.uri.toString(), name: f.name })),
      initializationOptions: settings(),
      capabilities: {
        general: { positionEncodings: ["utf-16"] },
        textDocument: { completion: { completionItem: { snippetSupport: true } } },
        workspace: { codeLens: { refreshSupport: true }, workspaceFolders: true },
      },
    });
  } catch {
    return; // it has ended, which is told already
  }
  mine.started = true;
  mine.notify("initialized", {});
  if (!context.offered) {
    context.offered = true;
    context.subscriptions.push(...providers(answer.capabilities.semanticTokensProvider.legend));
  }
  vscode.workspace.textDocuments.forEach(opened);
}

async function restart(context) {
  const old = client;
  client = null;
  restarts = [];
  if (old) await old.stop();
  diagnostics.clear();
  await start(context);
}

async function activate(given) {
  const context = { subscriptions: given.subscriptions, offered: false };
  const w = vscode.workspace;
  diagnostics = vscode.languages.createDiagnosticCollection("cambist");
  output = vscode.window.createOutputChannel("Cambist");
  lenses = new vscode.EventEmitter();
  const watcher = w.createFileSystemWatcher("**/*.{rules,yaml}");
  const touched = (type) => (uri) =>
    client && client.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: uri.toString(), type }] });
  context.subscriptions.push(
    diagnostics,
    output,
    lenses,
    watcher,
    watcher.onDidCreate(touched(1)),
    watcher.onDidChange(touched(2)),
    watcher.onDidDelete(touched(3)),
    w.onDidOpenTextDocument(opened),
    w.onDidChangeTextDocument(changed),
    w.onDidSaveTextDocument((d) => client && isOurs(d) && client.notify("textDocument/didSave", named(d))),
    w.onDidCloseTextDocument((d) => client && isOurs(d) && client.notify("textDocument/didClose", named(d))),
    w.onDidChangeWorkspaceFolders((e) => {
      const listed = (folders) => folders.map((f) => ({ uri: f.uri.toString(), name: f.name }));
      const event = { added: listed(e.added), removed: listed(e.removed) };
      if (client) client.notify("workspace/didChangeWorkspaceFolders", { event });
    }),
    w.onDidChangeConfiguration((e) => {
      if (e.affectsConfiguration("cambist.command")) restart(context);
      else if (e.affectsConfiguration("cambist") && client)
        client.notify("workspace/didChangeConfiguration", { settings: settings() });
    }),
    vscode.commands.registerCommand("cambist.restart", () => restart(context)),
    vscode.commands.registerCommand("cambist.runExample", (...given) =>
      ask("workspace/executeCommand", { command: "cambist.runExample", arguments: given })
    )
  );
  await start(context);
}

async function deactivate() {
  const old = client;
  client = null;
  if (old) await old.stop();
}

module.exports = { activate, deactivate };
