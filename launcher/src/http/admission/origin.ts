// What kind of caller an Origin header names. Exact string rules: nothing is parsed, decoded or guessed.

export type OriginKind =
  /** A page of this launcher. */
  | "self"
  /** An NW.js game: only an installed program has such an origin. */
  | "nwjs"
  /** A page of another server on this machine: its owner could post natively anyway. */
  | "local"
  /** `null` or a file: any page can mint it, so a grant ends with the launcher. */
  | "opaque"
  /** A web page: a person decides. */
  | "web"
  | "unusable";

const nwjs = /^chrome-extension:\/\/[a-z0-9_-]{1,64}$/;
const local = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?$/;
const web = /^(https?|app|tauri|capacitor):\/\/[a-z0-9_.[\]:-]{1,253}$/;

/** The three names this launcher answers to on `port`. */
export const hostsOf = (port: number): readonly string[] => [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];

/** True when `host` (of a Host header, in any case) is one of them. */
export function isOwnHost(host: string, port: number): boolean {
  const colon = host.lastIndexOf(":");
  if (host.slice(colon + 1) !== String(port)) return false;
  const name = host.slice(0, colon).toLowerCase();
  return name === "127.0.0.1" || name === "localhost" || name === "[::1]";
}

export function kindOfOrigin(origin: string, port: number): OriginKind {
  if (local.test(origin) && isOwnHost(origin.slice("http://".length), port)) return "self";
  if (nwjs.test(origin)) return "nwjs";
  if (local.test(origin)) return "local";
  if (origin === "null" || origin === "file://") return "opaque";
  return web.test(origin) ? "web" : "unusable";
}

/** True where the sender is the program itself, not a browser that shows many pages. `origin` was admitted. */
export const isOfProgram = (origin: string | null): boolean => origin === null || nwjs.test(origin);

const shared =
  /^https:\/\/(html-classic\.itch\.zone|[a-z0-9-]+\.itch\.zone|[a-z0-9-]+\.crazygames\.com|uploads\.ungrounded\.net|[a-z0-9-]+\.gamejolt\.net)$/;

/** True for hosts that serve many authors' games from one origin: allowing one allows all. */
export const isSharedOrigin = (origin: string): boolean => shared.test(origin);
