"use strict";
// The language server protocol over the pipes of a process: messages in and out, requests and their answers. It knows
// nothing of editors. Written by hand, so that the extension needs no packages and no build.

const { spawn } = require("child_process");

class Client {
  // on: what the server tells, by its name; ask: what it asks, by its name
  constructor(command, folder, on, ask, ended, log) {
    this.on = on;
    this.ask = ask;
    this.ended = ended;
    this.log = log;
    this.number = 0;
    this.waiting = new Map();
    this.input = Buffer.alloc(0);
    this.over = false;
    this.process = spawn(command[0], [...command.slice(1), "lsp"], { cwd: folder });
    this.process.on("error", (error) => this.finish(error.message));
    this.process.on("exit", (code) => this.finish(`it ended with code ${code}`));
    this.process.stdin.on("error", () => {});
    this.process.stdout.on("data", (data) => this.receive(data));
    this.process.stderr.on("data", (data) => this.log(String(data)));
  }

  finish(why) {
    if (this.over) return;
    this.over = true;
    for (const one of this.waiting.values()) one.reject(new Error(why));
    this.waiting.clear();
    this.ended(why);
  }

  send(message) {
    if (this.over) return;
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }), "utf8");
    this.process.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.process.stdin.write(body);
  }

  notify(method, params) {
    this.send({ method, params });
  }

  request(method, params, token) {
    if (this.over) return Promise.reject(new Error("the language server is not running"));
    const id = ++this.number;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    if (token) token.onCancellationRequested(() => this.notify("$/cancelRequest", { id }));
    this.send({ id, method, params });
    return answer;
  }

  receive(data) {
    this.input = Buffer.concat([this.input, data]);
    for (;;) {
      const end = this.input.indexOf("\r\n\r\n");
      if (end < 0) return;
      const size = /content-length: *(\d+)/i.exec(this.input.toString("ascii", 0, end));
      const start = end + 4;
      const length = size ? Number(size[1]) : 0;
      if (this.input.length < start + length) return;
      const body = this.input.toString("utf8", start, start + length);
      this.input = this.input.subarray(start + length);
      try {
        this.take(JSON.parse(body));
      } catch (error) {
        this.log(`a message could not be taken: ${error}\n`);
      }
    }
  }

  take(message) {
    if (message.method !== undefined && message.id !== undefined) {
      const asked = this.ask[message.method];
      Promise.resolve(asked ? asked(message.params) : null).then(
        (result) => this.send({ id: message.id, result: result === undefined ? null : result }),
        (error) => this.send({ id: message.id, error: { code: -32603, message: String(error) } })
      );
    } else if (message.method !== undefined) {
      const told = this.on[message.method];
      if (told) told(message.params);
    } else {
      const one = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (!one) return;
      if (message.error) one.reject(new Error(message.error.message));
      else one.resolve(message.result);
    }
  }

  async stop() {
    if (this.over) return;
    const slow = new Promise((resolve) => setTimeout(resolve, 2000));
    await Promise.race([this.request("shutdown").catch(() => null), slow]);
    this.notify("exit");
    this.over = true;
    setTimeout(() => this.process.kill(), 2000).unref();
  }
}

module.exports = { Client };
