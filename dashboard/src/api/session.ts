// The sign-in session in the browser: exchanges the ticket of a sign-in link for a token that only tabs of this origin
// share.
import { type Client, createClient, KitError, openSession, sessionHeader } from "@kit/contract";
import { withTranslatedErrors } from "../language/translate-errors.ts";

const tokenKey = "kit-session";
/** How long a tab without a token waits for another tab to send one. */
const tokenWaitMs = 150;

export type SessionState =
  | { readonly state: "opening" }
  | { readonly state: "open" }
  | { readonly state: "closed"; readonly why: "none" | "ticket_refused" | "ended" | "unreachable" };

export type Session = {
  readonly client: Client;
  current(): SessionState;
  subscribe(listener: () => void): () => void;
  /** Marks the session as ended, because the launcher no longer knows it. */
  end(): void;
};

/** The page that a sign-in link leads to, as a fragment; empty if the link names none. */
function pageFromLink(fragment: string): string {
  const page = new URLSearchParams(fragment.replace(/^#/u, "")).get("page") ?? "";
  return /^[a-z-]{1,20}$/u.test(page) ? `#/${page}` : "";
}

/** The members of `window` that a session uses. */
export type SessionWindow = {
  location: Pick<Location, "hash" | "pathname">;
  history: Pick<History, "replaceState">;
  sessionStorage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  addEventListener(type: "hashchange", listener: () => void): void;
};

/** A channel between tabs of the same origin (scheme, host and port). */
export type TabChannel = Pick<BroadcastChannel, "postMessage" | "onmessage">;
type TabMessage = { readonly type: "ask" } | { readonly type: "token"; readonly token: string };

/** The ticket of a sign-in link, e.g. `#t=…`. */
export function ticketFromLink(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/u, "")).get("t") ?? undefined;
}

/** The session's state with its listeners. */
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

/** Keeps the token in memory and in this tab's session storage. */
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

export function createSession(window: SessionWindow, tabs: TabChannel): Session {
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
    // Before anything can fail: the ticket must not stay in the address or the history.
    window.history.replaceState(null, "", window.location.pathname + pageFromLink(window.location.hash));
    setState({ state: "opening" });
    try {
      token.save((await client.call(openSession, { body: { ticket } })).token);
      setState({ state: "open" });
      // All tabs share the cookie, which has changed, so the tokens of the other tabs no longer match it.
      sendToken();
    } catch (error) {
      // An old link does not sign out a tab that is already signed in.
      if (token.get() !== undefined) return setState({ state: "open" });
      setState({ state: "closed", why: error instanceof KitError ? "ticket_refused" : "unreachable" });
    }
  };
  // In a tab that already shows the dashboard, opening a sign-in link changes only the fragment and reloads nothing.
  const start = () => {
    const ticket = ticketFromLink(window.location.hash);
    if (ticket !== undefined) return void redeemTicket(ticket);
    if (current().state !== "opening") return;
    send({ type: "ask" });
    setTimeout(() => current().state === "opening" && setState({ state: "closed", why: "none" }), tokenWaitMs);
  };
  tabs.onmessage = ({ data }: { data: TabMessage }) => {
    if (data.type === "ask") return sendToken();
    const isNews = data.token !== token.get();
    token.save(data.token);
    // The state is "open" as before, but listeners may hold data of the old session, so they are notified.
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
