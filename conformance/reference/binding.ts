// The reference binding: the behaviour of every binding, without an engine. It is an example, and the runner's own tests use it.
import { type ClientRequest, request } from "node:http";

export type Config = {
  /** Address of the launcher. With an invalid address, every operation silently does nothing. */
  readonly launcherUrl: string;
  readonly enableRecording: boolean;
  readonly enableMonitor: boolean;
  readonly enableSocial: boolean;
  /** The version of the game, for error reports; none if it is empty. */
  readonly build: string;
  /** Whether errors that nobody caught are reported. */
  readonly reportUncaughtErrors: boolean;
};
export type Service = "recording" | "monitor" | "social";
export type Text = string | null | undefined;
type Members = Readonly<Record<string, Text>>;

const defaults: Config = {
  launcherUrl: "http://127.0.0.1:9876",
  enableRecording: true,
  enableMonitor: true,
  enableSocial: true,
  build: "",
  reportUncaughtErrors: false,
};
const paths = {
  recording: "/api/recording/trigger",
  monitor: "/api/monitor/report",
  social: "/api/social/trigger",
} as const;

/** Timeout of a request. */
const timeoutMs = 5_000;
/** Maximum pending requests. Further requests are dropped. */
const pendingMax = 64;
/** A longer build is cut. */
const buildCharsMax = 100;
/** Maximum delay of a quitting game, and only while requests are pending. */
const quitFlushMs = 250;
/** Maximum uncaught errors that are reported in any second. Further ones are counted. */
const uncaughtPerSecondMax = 10;

/** The three operations never throw, block or log, whatever the launcher does. */
export class Kit {
  config: Config | undefined;
  readonly pending = new Set<ClientRequest>();
  /** Uncaught errors that were not reported since the last report of one. */
  uncaughtUnreported = 0;
  /** When the last of them were reported. */
  uncaughtAtMs: readonly number[] = [];

  get isInitialized(): boolean {
    return this.config !== undefined;
  }

  /** Omitted settings get their defaults. A second call replaces the first. */
  initialize(config: Partial<Config> = {}): void {
    const build = (config.build ?? defaults.build).trim().slice(0, buildCharsMax);
    this.config = { ...defaults, ...config, build };
    if (this.config.reportUncaughtErrors) this.watch();
  }

  /** A monitor changes nothing: the error ends the game, or reaches the game's own handlers, as without it. */
  watch(): void {
    process.off("uncaughtExceptionMonitor", this.onUncaught);
    process.on("uncaughtExceptionMonitor", this.onUncaught);
  }

  readonly onUncaught = (error: unknown): void => {
    if (this.config?.reportUncaughtErrors && this.isOn("monitor")) this.reportUncaught(error);
  };

  reportUncaught(error: unknown): void {
    this.uncaughtUnreported += 1;
    const oldestMs = this.uncaughtAtMs.at(-uncaughtPerSecondMax) ?? Number.NEGATIVE_INFINITY;
    if (performance.now() - oldestMs < 1_000) return;
    const before = this.uncaughtUnreported - 1;
    const stack = error instanceof Error ? (error.stack ?? "") : "";
    const pending = this.pending.size;
    const lastLine = before === 0 ? "" : `\nUncaught errors not reported before this one: ${before}`;
    this.reportError(String(error), stack + lastLine);
    // An error for which no request has a place is counted, too.
    if (this.pending.size === pending) return;
    this.uncaughtUnreported = 0;
    // The second begins once it is reported, however busy the computer was meanwhile.
    this.uncaughtAtMs = [...this.uncaughtAtMs, performance.now()].slice(-uncaughtPerSecondMax);
  }

  triggerRecording(eventId: Text): void {
    this.call("recording", eventId, { eventId });
  }

  reportError(message: Text, stackTrace?: Text): void {
    const build = this.config?.build ?? defaults.build;
    this.call("monitor", message, { message, stackTrace: stackTrace ?? "", ...(build !== "" && { build }) });
  }

  triggerSocial(eventId: Text): void {
    this.call("social", eventId, { eventId });
  }

  /** Must be awaited when the game ends. */
  async quit(): Promise<void> {
    const deadlineMs = performance.now() + quitFlushMs;
    while (this.pending.size > 0 && performance.now() < deadlineMs) await new Promise((done) => setTimeout(done, 5));
  }

  call(service: Service, text: Text, members: Members): void {
    try {
      if (this.config === undefined) this.initialize();
      if (!text || !this.isOn(service) || this.pending.size >= pendingMax) return;
      const base = this.baseOf(this.config?.launcherUrl ?? "");
      // JSON.stringify escapes lone surrogates, which UTF-8 cannot encode.
      const body = JSON.stringify({ ...members, timestamp: new Date().toISOString() });
      if (base !== undefined) this.post(base + paths[service], body);
    } catch {
      // No error may reach the game, whatever the address or the text.
    }
  }

  isOn(service: Service): boolean {
    const { enableRecording, enableMonitor, enableSocial } = this.config ?? defaults;
    return { recording: enableRecording, monitor: enableMonitor, social: enableSocial }[service];
  }

  /** The address without trailing slashes, or undefined if it is invalid. */
  baseOf(launcherUrl: string): string | undefined {
    const [, authority, path] = /^http:\/\/([^\s/?#@\\]+)(\/[^\s?#\\]*)?$/i.exec(launcherUrl.trim()) ?? [];
    if (authority === undefined || !URL.canParse(`http://${authority}`)) return undefined;
    const { host, port } = new URL(`http://${authority}`);
    return port === "0" ? undefined : `http://${host}${(path ?? "").replace(/\/+$/, "")}`;
  }

  post(url: string, body: string): void {
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    const sent = request(url, { method: "POST", headers, agent: false });
    const timer = setTimeout(() => sent.destroy(), timeoutMs);
    this.pending.add(sent);
    // Discards the response unread, so that an endless one costs nothing.
    sent.on("response", (answer) => answer.destroy());
    sent.on("error", () => undefined); // A missing launcher is not an error for a game.
    sent.once("close", () => {
      clearTimeout(timer);
      this.pending.delete(sent);
    });
    sent.end(body);
  }
}
