// Where the page is, as its address's fragment says: #/live, #/clips, #/clips/ID, #/issues, #/issues/ID, #/sessions,
// #/sessions/ID, #/posts, #/accounts, #/post-rules, #/games, #/rules, #/recorder, #/forwarding, #/storage, #/settings, #/connect or
// #/connect/godot.
import { type Binding, bindings } from "@kit/contract";
import { useSyncExternalStore } from "react";

/** Pages of which there is one each. */
const plain = [
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
type Plain = (typeof plain)[number];

export type Place =
  | { readonly page: "live" }
  /** `clip` is the id of the one that is open in the player. */
  | { readonly page: "clips"; readonly clip?: string }
  /** `issue` is the id of the one that is open. */
  | { readonly page: "issues"; readonly issue?: string }
  /** `session` is the id of the one that is open. */
  | { readonly page: "sessions"; readonly session?: string }
  | { readonly page: Plain }
  /** `binding` is the engine a person chose; none yet when left out. */
  | { readonly page: "connect"; readonly binding?: Binding };

const idPattern = /^[\w-]{1,64}$/u;

/** Reads a fragment. What it does not know is the Live page. */
export function placeIn(fragment: string): Place {
  const [page, chosen] = fragment.replace(/^#\//u, "").split("?", 1)[0]?.split("/") ?? [];
  const only = plain.find((known) => known === page);
  if (only !== undefined) return { page: only };
  if (page === "clips") return chosen !== undefined && idPattern.test(chosen) ? { page, clip: chosen } : { page };
  if (page === "issues") return chosen !== undefined && idPattern.test(chosen) ? { page, issue: chosen } : { page };
  if (page === "sessions") return chosen !== undefined && idPattern.test(chosen) ? { page, session: chosen } : { page };
  if (page !== "connect") return { page: "live" };
  const binding = bindings.find((known) => known === chosen);
  return binding === undefined ? { page } : { page, binding };
}

export const connectAddress = (binding?: Binding): string =>
  binding === undefined ? "#/connect" : `#/connect/${binding}`;

export const recorderAddress = "#/recorder";
export const forwardingAddress = "#/forwarding";
export const accountsAddress = "#/accounts";
export const gamesAddress = "#/games";
export const storageAddress = "#/storage";
export const settingsAddress = "#/settings";

/** What becomes of each event id; of one game, where one is named. */
export const rulesAddress = (game?: string): string =>
  game === undefined ? "#/rules" : `#/rules?${new URLSearchParams({ game })}`;

/** The posts. `query` is the list's filter. */
export const postsAddress = (query = ""): string => (query === "" ? "#/posts" : `#/posts?${query}`);

/** The posts, at the one an event became. */
export const postOfEventAddress = (event: string): string => postsAddress(`${new URLSearchParams({ event })}`);

/** What becomes of which event; with an event id, a rule for it being written. */
export const postRulesAddress = (eventId?: string): string =>
  eventId === undefined ? "#/post-rules" : `#/post-rules?${new URLSearchParams({ for: eventId })}`;

/** The player with one clip, or the gallery. `query` is the gallery's filter, which stays while a clip is open. */
export function clipsAddress(clip?: string, query = ""): string {
  const path = clip === undefined ? "#/clips" : `#/clips/${clip}`;
  return query === "" ? path : `${path}?${query}`;
}

/** One issue, or the list. `query` is the list's filter, which stays while an issue is open. */
export function issuesAddress(issue?: string, query = ""): string {
  const path = issue === undefined ? "#/issues" : `#/issues/${issue}`;
  return query === "" ? path : `${path}?${query}`;
}

/** One session, or the list. `query` is the list's filter and what is open of the session. */
export function sessionsAddress(session?: string, query = ""): string {
  const path = session === undefined ? "#/sessions" : `#/sessions/${session}`;
  return query === "" ? path : `${path}?${query}`;
}

/** The Live page with one row's details open. */
export const rowAddress = (key: string): string => `#/live?${new URLSearchParams({ show: key })}`;

/** One value out of an address's query. */
const valueIn = (fragment: string, name: string): string | undefined =>
  new URLSearchParams(fragment.split("?", 2)[1] ?? "").get(name) ?? undefined;

/** The row an address asks to be shown. */
export const rowIn = (fragment: string): string | undefined => valueIn(fragment, "show");

/** The event id an address asks for a rule for. */
export const ruleForIn = (fragment: string): string | undefined => valueIn(fragment, "for") || undefined;

function onAddressChange(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

export const useFragment = (): string => useSyncExternalStore(onAddressChange, () => location.hash);

/** Goes to an address without a step in the history: each letter typed would be a step back otherwise. */
export function replaceAddress(fragment: string): void {
  history.replaceState(null, "", fragment);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}
