// Classifies the Origin header by exact string patterns, without parsing or decoding.

export type OriginKind =
  /** An NW.js game. Only an installed program can have such an origin. */
  | "nwjs"
  /** A page of a server on this computer, whose owner could also send events without a browser. The demo is on Kit's own. */
  | "local"
  /** `null` or a file. Any page can have this origin, so its permission ends with the launcher. */
  | "opaque"
  /** Any other web page. A person decides whether it may send events. */
  | "web"
  | "unusable";

const nwjs = /^chrome-extension:\/\/[a-z0-9_-]{1,64}$/;
const local = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?$/;
const web = /^(https?|app|tauri|capacitor):\/\/[a-z0-9_.[\]:-]{1,253}$/;

/** Returns the Host header values that this launcher accepts on `port`. */
export const ownHosts = (port: number): readonly string[] => [
  `127.0.0.1:${port}`,
  `localhost:${port}`,
  `[::1]:${port}`,
];

/** Returns true if `host` is one of the launcher's own hosts, ignoring case. */
export function isOwnHost(host: string, port: number): boolean {
  const colon = host.lastIndexOf(":");
  if (host.slice(colon + 1) !== String(port)) return false;
  const name = host.slice(0, colon).toLowerCase();
  return name === "127.0.0.1" || name === "localhost" || name === "[::1]";
}

export function classifyOrigin(origin: string): OriginKind {
  if (nwjs.test(origin)) return "nwjs";
  if (local.test(origin)) return "local";
  if (origin === "null" || origin === "file://") return "opaque";
  return web.test(origin) ? "web" : "unusable";
}

/** Returns true if the sender is the game itself and not a web browser. `origin` must have passed admission. */
export const isProgramOrigin = (origin: string | null): boolean => origin === null || nwjs.test(origin);

const shared =
  /^https:\/\/(html-classic\.itch\.zone|[a-z0-9-]+\.itch\.zone|[a-z0-9-]+\.crazygames\.com|uploads\.ungrounded\.net|[a-z0-9-]+\.gamejolt\.net)$/;

/** Returns true for hosts that serve games of many authors from one origin, so that allowing one game allows all. */
export const isSharedOrigin = (origin: string): boolean => shared.test(origin);
