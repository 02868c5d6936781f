// Runs KitSDK.js in a minimal world: a plugin manager, a window and an XMLHttpRequest that records. A test may add code that
// runs before the plugin, such as `fetchThatRecords`.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";

const file = join(import.meta.dirname, "../KitSDK.js");
export const source = readFileSync(file, "utf8");

/** Stands in for XMLHttpRequest: records the request, and settles when the test says so. */
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

  /** The head of an answer arrives. Its body may follow, or never end. */
  beAnswered(): void {
    this.reach(2);
    if (!this.wasAborted) this.reach(4);
  }

  /** As in browsers, the request is done and reports it before this returns. */
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

/** A fetch that records its calls in `fetched`, and settles when the test calls `answer` or `fail`. */
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

/** Aborts a request. Engines before Chromium 66 have none. */
export const abortController = `
  var AbortController = function () { this.signal = { aborted: 0 }; };
  AbortController.prototype.abort = function () { this.signal.aborted += 1; };`;

type Timer = { readonly run: () => void; readonly ms: number; isCleared: boolean };

export type Plugin = {
  /** Requests sent, in order. */
  readonly sent: FakeRequest[];
  /** Runs code as the game would, and returns its value. */
  run(code: string): unknown;
  /** Timers that the plugin started, if the world has any. */
  readonly timers: Timer[];
  /** Closes the window, from the plugin's point of view. */
  quit(): void;
  /** Calls the plugin's listeners of that event of the window, with the event that the code makes. */
  raise(kind: string, event: string): void;
  /** The kinds of event that the plugin listens to. */
  readonly listensTo: readonly string[];
};

export type World = {
  parameters?: Record<string, unknown> | undefined;
  /** The name under which the game lists the plugin and stores its parameters. */
  key?: string;
  scriptUrl?: string | undefined;
  hasTimers?: boolean;
  /** Code that runs before the plugin. */
  before?: string;
};

/** Loads the plugin. Throws if the plugin throws while it loads, because MZ would refuse to start then. */
export function loadPlugin(world: World = {}): Plugin {
  FakeRequest.broken = undefined;
  FakeRequest.sent = [];
  const listeners: { kind: string; listener: (event?: unknown) => void }[] = [];
  const scriptUrl = "scriptUrl" in world ? world.scriptUrl : "file:///game/js/plugins/KitSDK.js";
  const kept = new Map([[(world.key ?? "KitSDK").toLowerCase(), world.parameters ?? {}]]);
  const context = createContext({
    document: { currentScript: scriptUrl === undefined ? null : { src: scriptUrl } },
    PluginManager: { parameters: (name: string) => kept.get(name.toLowerCase()) ?? {} },
    XMLHttpRequest: FakeRequest,
    addEventListener: (kind: string, listener: () => void) => listeners.push({ kind, listener }),
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
  const call = (kind: string, event?: unknown) => {
    for (const each of listeners) if (each.kind === kind) each.listener(event);
  };
  return {
    sent: FakeRequest.sent,
    run,
    timers,
    quit: () => call("beforeunload"),
    raise: (kind, event) => call(kind, run(`(${event})`)),
    listensTo: listeners.map(({ kind }) => kind),
  };
}
