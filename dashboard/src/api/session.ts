// The sign-in session in the browser: exchanges the ticket of a sign-in link for a token and a pass, which all tabs of the
// origin share in `localStorage`; and the hooks that give components access to the session and its client.
import { type Client, createClient, KitError, openSignInSession, sessionHeader } from "@kit/contract";
import { createContext, use, useSyncExternalStore } from "react";
import { withTranslatedErrors } from "../language/language.ts";

const storedKey = "kit-session";
const invitationKey = "kit-invitation";

export type SessionState =
  | { readonly state: "opening" }
  /** `pass` replaces the token in the URLs of images and videos. */
  | { readonly state: "open"; readonly pass: string }
  | { readonly state: "closed"; readonly why: "none" | "ticket_refused" | "ended" | "unreachable" };

export type SignInSession = {
  readonly client: Client;
  current(): SessionState;
  subscribe(listener: () => void): () => void;
};

/** Returns the page that a sign-in link leads to, as a fragment; an empty text if it names none. */
function pageFromLink(fragment: string): string {
  const page = new URLSearchParams(fragment.replace(/^#/u, "")).get("page") ?? "";
  return /^(?:[a-z-]{1,20}|join\/[\w-]+)$/u.test(page) ? `#/${page}` : "";
}

/** The members of `window` that a session uses. */
export type SessionWindow = {
  location: Pick<Location, "hash" | "pathname">;
  history: Pick<History, "replaceState">;
  localStorage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  navigator: { locks: { request(name: string, run: () => Promise<void>): Promise<unknown> } };
  addEventListener(type: "hashchange", listener: () => void): void;
  /** Called for what other tabs of this origin write. */
  addEventListener(type: "storage", listener: (change: Pick<StorageEvent, "key" | "newValue">) => void): void;
};

const invitationPattern = /^#\/join\/[\w-]+$/u;

/** Returns the ticket of a sign-in link, e.g. `TICKET` of `#t=TICKET`. */
export function ticketFromLink(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/u, "")).get("t") ?? undefined;
}

/** Holds the state of the session and calls the listeners when it changes. */
function createState(first: SessionState) {
  let now = first;
  const listeners = new Set<() => void>();
  return {
    current: () => now,
    setState(next: SessionState) {
      now = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

type Credentials = { readonly token: string; readonly pass: string };

/**
 * Returns a client for which a session ends only if the launcher refuses the token that is stored now. Another tab may have
 * signed in since a request was sent; then the request is sent again.
 */
function withCurrentToken(
  client: Client,
  tokenNow: () => string | undefined,
  onRefused: (token?: string) => void,
): Client {
  const ask = async <T>(request: () => Promise<T>): Promise<T> => {
    for (;;) {
      const sent = tokenNow();
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof KitError) || error.code !== "unauthorized") throw error;
        if (tokenNow() !== sent) continue;
        onRefused(sent);
        throw error;
      }
    }
  };
  return {
    call: (declared, given) => ask(() => client.call(declared, given)),
    open: (declared, given, init) => ask(() => client.open(declared, given, init)),
  };
}

export function createSignInSession(window: SessionWindow): SignInSession {
  const { location, localStorage: storage } = window;
  const stored = (): Credentials | undefined => JSON.parse(storage.getItem(storedKey) ?? "null") ?? undefined;
  const tokenNow = () => stored()?.token;
  /** The token that the launcher refused last. It stays in the storage: a tab that removed it could remove a newer one. */
  let refused: string | undefined;
  const stateNow = (why: Extract<SessionState, { state: "closed" }>["why"]): SessionState => {
    const known = stored();
    return known === undefined || known.token === refused
      ? { state: "closed", why }
      : { state: "open", pass: known.pass };
  };
  const hasTicket = ticketFromLink(location.hash) !== undefined;
  const { current, setState, subscribe } = createState(hasTicket ? { state: "opening" } : stateNow("none"));
  const plain = createClient("", (): Record<string, string> => {
    const token = tokenNow();
    return token === undefined ? {} : { [sessionHeader]: token };
  });
  const client = withCurrentToken(plain, tokenNow, (token) => {
    refused = token;
    setState(stateNow("ended"));
  });

  const redeemTicket = async (ticket: string) => {
    try {
      const { token, pass } = await plain.call(openSignInSession, { body: { ticket } });
      // The time makes the value a new one: other tabs get an event only then, and this may be a token that was refused there.
      storage.setItem(storedKey, JSON.stringify({ token, pass, at: Date.now() }));
      refused = undefined;
      setState(stateNow("none"));
    } catch (error) {
      setState(stateNow(error instanceof KitError ? "ticket_refused" : "unreachable"));
    }
  };
  // If a sign-in link is opened in a tab that shows the dashboard, only the fragment changes and nothing is reloaded.
  const redeemLink = () => {
    const ticket = ticketFromLink(location.hash);
    if (ticket === undefined) return;
    // Done before anything can fail: the ticket must not stay in the address or the browser's history.
    window.history.replaceState(null, "", location.pathname + pageFromLink(location.hash));
    // A page that is open may contain unsaved text, so it stays.
    if (current().state === "closed") setState({ state: "opening" });
    // One tab at a time: the next one sends the cookie that this one gets, and joins its session.
    void window.navigator.locks.request("kit-sign-in", () => redeemTicket(ticket));
  };
  window.addEventListener("storage", ({ key, newValue }) => {
    if (newValue === null) return;
    if (key === invitationKey) {
      // The person opened Kit to see the invitation, so this tab shows it, unless it already shows a page that somebody chose.
      if (location.hash === "" && invitationPattern.test(newValue)) location.hash = newValue;
    } else if (key === storedKey) {
      const waitsFor = current().state === "closed" ? location.hash : "";
      refused = undefined;
      setState(stateNow("ended"));
      if (!invitationPattern.test(waitsFor)) return;
      // Only the event tells the tab that has signed in.
      storage.setItem(invitationKey, waitsFor);
      storage.removeItem(invitationKey);
    }
  });
  window.addEventListener("hashchange", redeemLink);
  redeemLink();
  return { client: withTranslatedErrors(client), current, subscribe };
}

export const SessionContext = createContext<SignInSession | undefined>(undefined);

export function useSignInSession(): SignInSession {
  const session = use(SessionContext);
  if (session === undefined) throw new Error("no session around this component");
  return session;
}

export const useClient = (): Client => useSignInSession().client;

export const useSessionState = (session: SignInSession): SessionState =>
  useSyncExternalStore(session.subscribe, session.current);
