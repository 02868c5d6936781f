// The sign-in session in the browser: exchanges the ticket of a sign-in link for a token, which is shared only with
// tabs of the same origin; and the hooks that give components access to the session and its client.
import { type Client, createClient, KitError, openSignInSession, sessionHeader } from "@kit/contract";
import { createContext, use, useSyncExternalStore } from "react";
import { withTranslatedErrors } from "../language/language.ts";

const tokenKey = "kit-session";
/** How long a tab without a token waits for another tab to send one. */
const tokenWaitMs = 150;

export type SessionState =
  | { readonly state: "opening" }
  | { readonly state: "open" }
  | { readonly state: "closed"; readonly why: "none" | "ticket_refused" | "ended" | "unreachable" };

export type SignInSession = {
  readonly client: Client;
  current(): SessionState;
  subscribe(listener: () => void): () => void;
  /** Marks the session as ended. Called when the launcher no longer accepts it. */
  end(): void;
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
  sessionStorage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  addEventListener(type: "hashchange", listener: () => void): void;
};

/** A channel between tabs of the same origin (same scheme, host and port). */
export type TabChannel = Pick<BroadcastChannel, "postMessage" | "onmessage">;
type TabMessage =
  | { readonly type: "ask" }
  | { readonly type: "token"; readonly token: string }
  /** The sender was not signed in, and waited to show an invitation. */
  | { readonly type: "invitation"; readonly fragment: string };

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

/** Holds the token in memory and in the session storage of this tab. */
function createToken(storage: SessionWindow["sessionStorage"]) {
  let token = storage.getItem(tokenKey) ?? undefined;
  return {
    get: () => token,
    save(next: string) {
      token = next;
      storage.setItem(tokenKey, next);
    },
    clear() {
      token = undefined;
      storage.removeItem(tokenKey);
    },
  };
}

export function createSignInSession(window: SessionWindow, tabs: TabChannel): SignInSession {
  const token = createToken(window.sessionStorage);
  const { current, setState, subscribe } = createState({ state: token.get() === undefined ? "opening" : "open" });
  const headers = (): Record<string, string> => {
    const value = token.get();
    return value === undefined ? {} : { [sessionHeader]: value };
  };
  const client = withTranslatedErrors(createClient("", headers));
  const send = (message: TabMessage) => tabs.postMessage(message);
  const sendToken = () => {
    const value = token.get();
    if (value !== undefined) send({ type: "token", token: value });
  };
  const redeemTicket = async (ticket: string) => {
    // Done before anything can fail: the ticket must not stay in the address or the browser's history.
    window.history.replaceState(null, "", window.location.pathname + pageFromLink(window.location.hash));
    setState({ state: "opening" });
    try {
      token.save((await client.call(openSignInSession, { body: { ticket } })).token);
      setState({ state: "open" });
      // The cookie is shared by all tabs and has changed, so the token of every other tab is no longer valid.
      sendToken();
    } catch (error) {
      // A tab that is already signed in stays so, even if it opens an old sign-in link.
      if (token.get() !== undefined) return setState({ state: "open" });
      setState({ state: "closed", why: error instanceof KitError ? "ticket_refused" : "unreachable" });
    }
  };
  // If a sign-in link is opened in a tab that shows the dashboard, only the fragment changes and nothing is reloaded.
  const start = () => {
    const ticket = ticketFromLink(window.location.hash);
    if (ticket !== undefined) return void redeemTicket(ticket);
    if (current().state !== "opening") return;
    send({ type: "ask" });
    setTimeout(() => current().state === "opening" && setState({ state: "closed", why: "none" }), tokenWaitMs);
  };
  tabs.onmessage = ({ data }: { data: TabMessage }) => {
    if (data.type === "ask") return sendToken();
    if (data.type === "invitation") {
      // The person opened Kit to see the invitation, so this tab shows it, unless it already shows a page that somebody chose.
      if (window.location.hash === "" && invitationPattern.test(data.fragment)) window.location.hash = data.fragment;
      return;
    }
    const waitsFor = current().state === "closed" ? window.location.hash : "";
    if (invitationPattern.test(waitsFor)) send({ type: "invitation", fragment: waitsFor });
    const isNews = data.token !== token.get();
    token.save(data.token);
    // Listeners are called even if the state is still "open", because they may hold data of the old session.
    if (isNews || current().state !== "open") setState({ state: "open" });
  };
  window.addEventListener("hashchange", start);
  start();
  const end = () => {
    token.clear();
    setState({ state: "closed", why: "ended" });
  };
  return { client, current, subscribe, end };
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
