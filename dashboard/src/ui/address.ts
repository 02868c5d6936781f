// Addresses of the dashboard's pages, as URL fragments such as `#/clips/ID` or `#/connect/godot`.
import { type Binding, bindings } from "@kit/contract";
import { useSyncExternalStore } from "react";
import { fragmentQuery } from "../api/address-filters.ts";

/** Pages whose path has no parameters. */
const simplePages = [
  "demo",
  "live",
  "recorder",
  "forwarding",
  "posts",
  "accounts",
  "post-rules",
  "games",
  "rules",
  "storage",
  "settings",
] as const;
type SimplePage = (typeof simplePages)[number];

export type PageLocation =
  | { readonly page: "home" }
  /** `clip` is the id of the clip open in the player. */
  | { readonly page: "clips"; readonly clip?: string }
  /** `issue` is the id of the open issue. */
  | { readonly page: "issues"; readonly issue?: string }
  /** `session` is the id of the open session. */
  | { readonly page: "sessions"; readonly session?: string }
  /** `invitation` is the encoded invitation of a studio. */
  | { readonly page: "join"; readonly invitation: string }
  | { readonly page: SimplePage }
  /** `binding` is the chosen engine, if any. */
  | { readonly page: "connect"; readonly binding?: Binding };

const idPattern = /^[\w-]{1,64}$/u;

/** Parses a fragment. Anything unknown leads to the Home page. */
export function parseAddress(fragment: string): PageLocation {
  const [page, chosen] = fragment.replace(/^#\//u, "").split("?", 1)[0]?.split("/") ?? [];
  const only = simplePages.find((known) => known === page);
  if (only !== undefined) return { page: only };
  if (page === "clips") return chosen !== undefined && idPattern.test(chosen) ? { page, clip: chosen } : { page };
  if (page === "issues") return chosen !== undefined && idPattern.test(chosen) ? { page, issue: chosen } : { page };
  if (page === "sessions") return chosen !== undefined && idPattern.test(chosen) ? { page, session: chosen } : { page };
  if (page === "join") return { page, invitation: chosen ?? "" };
  if (page !== "connect") return { page: "home" };
  const binding = bindings.find((known) => known === chosen);
  return binding === undefined ? { page } : { page, binding };
}

export const connectAddress = (binding?: Binding): string =>
  binding === undefined ? "#/connect" : `#/connect/${binding}`;

export const homeAddress = "#/home";
export const demoAddress = "#/demo";
export const liveAddress = "#/live";
export const recorderAddress = "#/recorder";
export const forwardingAddress = "#/forwarding";
/** Returns the address of an encoded invitation. */
export const joinAddress = (invitation: string): string => `#/join/${invitation}`;
export const accountsAddress = "#/accounts";
/** Returns the address of the accounts with a way back to the clip for which one is missing. */
export const accountsForClipAddress = (clip: string): string => `#/accounts?${new URLSearchParams({ clip })}`;
export const gamesAddress = "#/games";
export const storageAddress = "#/storage";
export const settingsAddress = "#/settings";

/** Returns the address of the recording rules, of all games or of one. */
export const rulesAddress = (game?: string): string =>
  game === undefined ? "#/rules" : `#/rules?${new URLSearchParams({ game })}`;

/** Returns the address of the posts. `query` contains the filter of the list. */
export const postsAddress = (query = ""): string => (query === "" ? "#/posts" : `#/posts?${query}`);

/** Returns the address that shows the post of an event. */
export const eventPostAddress = (event: string): string => postsAddress(`${new URLSearchParams({ event })}`);

/** Returns the address that shows a post. */
export const postAddress = (post: string): string => postsAddress(`${new URLSearchParams({ post })}`);

/** Returns the address of the post rules. With an event id, the page opens the form for a new rule. */
export const postRulesAddress = (eventId?: string): string =>
  eventId === undefined ? "#/post-rules" : `#/post-rules?${new URLSearchParams({ for: eventId })}`;

/**
 * Returns the address of one clip in the player, or of the gallery. `query` contains the gallery's filter, which is
 * kept while a clip is open.
 */
export function clipsAddress(clip?: string, query = ""): string {
  const path = clip === undefined ? "#/clips" : `#/clips/${clip}`;
  return query === "" ? path : `${path}?${query}`;
}

/**
 * Returns the address of one issue, or of the list. `query` contains the list's filter, which is kept while an issue is
 * open.
 */
export function issuesAddress(issue?: string, query = ""): string {
  const path = issue === undefined ? "#/issues" : `#/issues/${issue}`;
  return query === "" ? path : `${path}?${query}`;
}

/**
 * Returns the address of one session, or of the list. `query` contains the list's filter and the open item of the
 * session.
 */
export function sessionsAddress(session?: string, query = ""): string {
  const path = session === undefined ? "#/sessions" : `#/sessions/${session}`;
  return query === "" ? path : `${path}?${query}`;
}

/** Returns the address of the Live page with the details of one row. */
export const rowAddress = (key: string): string => `#/live?${new URLSearchParams({ show: key })}`;

const valueIn = (fragment: string, name: string): string | undefined => fragmentQuery(fragment).get(name) ?? undefined;

/** Returns the key of the row whose details an address opens. */
export const rowFromAddress = (fragment: string): string | undefined => valueIn(fragment, "show");

/** Returns the clip from which an address leads to the accounts. */
export function clipOfAccountsLink(fragment: string): string | undefined {
  const clip = valueIn(fragment, "clip");
  return clip !== undefined && idPattern.test(clip) ? clip : undefined;
}

/** Returns the event id for which an address opens the form for a new rule. */
export const eventIdFromRuleLink = (fragment: string): string | undefined => valueIn(fragment, "for") || undefined;

function onAddressChange(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

export const useFragment = (): string => useSyncExternalStore(onAddressChange, () => location.hash);

/**
 * Replaces the address without a new history entry. Otherwise the Back button would undo one typed letter at a time.
 */
export function replaceAddress(fragment: string): void {
  history.replaceState(null, "", fragment);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}
