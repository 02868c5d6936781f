// Runs KitSDK.js in a bare world: a plugin manager, a window and an XMLHttpRequest that records, nothing else. A world may
// have more, by code that runs before the plugin: `fetchThatRecords` is one such.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";

const file = join(import.meta.dirname, "../KitSDK.js");
export const source = readFileSync(file, "utf8");

/** The process edge: keeps what it was asked to do and settles when told. */
export class FakeRequest {
  static broken: "open" | "send" | undefined;
  static sent: FakeRequest[] = [];
  method = "";
  url = "";
  isAsync: unknown;
  headers: [string, string][] = [];
  timeout = 0;
  body = "";
  readyState = 0;
  wasAborted = false;
  onreadystatechange: (() => void) | null = null;
  onloadend: (() => void) | null = null;

  open(method: string, url: string, isAsync: unknown): void {
    if (FakeRequest.broken === "open") throw new SyntaxError("invalid URL");
    Object.assign(this, { method, url, isAsync });
  }

  setRequestHeader(name: string, value: string): void {
    this.headers.push([name, value]);
  }

  send(body: string): void {
    if (FakeRequest.broken === "send") throw new Error("network is off");
    this.body = body;
    FakeRequest.sent.push(this);
  }

  /** The head of an answer arrives; its body may follow, or never end. */
  beAnswered(): void {
    this.reach(2);
    if (!this.wasAborted) this.reach(4);
  }

  /** As browsers do it: the request is done, and says so, before this returns. */
  abort(): void {
    this.wasAborted = true;
    this.reach(4);
  }

  private reach(state: number): void {
    this.readyState = state;
    this.onreadystatechange?.();
    if (state === 4) this.onloadend?.();
  }
}

/** A fetch that keeps what it was asked in `fetched`, and ends as the test says by `answer` and `fail`. */
export const fetchThatRecords = `
  var fetched = [];
  var fetch = function (url, options) {
    var call = { url: url, options: options, cancelled: 0 };
    var body = { cancel: function () { call.cancelled += 1; return Promise.reject(new Error("gone")); } };
    fetched.push(call);
    return new Promise(function (resolve, reject) {
      call.answer = resolve.bind(null, { body: body });
      call.fail = reject;
    });
  };`;

/** What ends a request before its time; engines before Chromium 66 have none. */
export const abortController = `
  var AbortController = function () { this.signal = { aborted: 0 }; };
  AbortController.prototype.abort = function () { this.signal.aborted += 1; };`;

type Timer = { readonly run: () => void; readonly ms: number; isCleared: boolean };

export type Plugin = {
  /** Requests sent, in order. */
  readonly sent: FakeRequest[];
  /** Runs code as the game would, and gives its value. */
  run(code: string): unknown;
  /** Timers the plugin asked for, where the world has any. */
  readonly timers: Timer[];
  /** Closes the window, as far as the plugin can tell. */
  quit(): void;
};

export type World = {
  parameters?: Record<string, unknown> | undefined;
  /** The name the game lists the plugin under; parameters are kept under it. */
  key?: string;
  scriptUrl?: string | undefined;
  hasTimers?: boolean;
  /** Code that runs before the plugin. */
  before?: string;
};

/** Loads the plugin. Throws when the plugin throws while it loads, as then MZ would refuse to start. */
export function loadPlugin(world: World = {}): Plugin {
  FakeRequest.broken = undefined;
  FakeRequest.sent = [];
  const listeners: (() => void)[] = [];
  const scriptUrl = "scriptUrl" in world ? world.scriptUrl : "file:///game/js/plugins/KitSDK.js";
  const kept = new Map([[(world.key ?? "KitSDK").toLowerCase(), world.parameters ?? {}]]);
  const context = createContext({
    document: { currentScript: scriptUrl === undefined ? null : { src: scriptUrl } },
    PluginManager: { parameters: (name: string) => kept.get(name.toLowerCase()) ?? {} },
    XMLHttpRequest: FakeRequest,
    addEventListener: (kind: string, listener: () => void) => kind === "beforeunload" && listeners.push(listener),
  });
  const timers: Timer[] = [];
  if (world.hasTimers) {
    context.setTimeout = (run: () => void, ms: number) => timers.push({ run, ms, isCleared: false });
    context.clearTimeout = (number: number) => Object.assign(timers[number - 1] ?? {}, { isCleared: true });
  }
  const run = (code: string): unknown => runInContext(code, context);
  run("var window = this;");
  run(world.before ?? "");
  runInContext(source, context, { filename: file });
  return { sent: FakeRequest.sent, run, timers, quit: () => void listeners.map((listener) => listener()) };
}
