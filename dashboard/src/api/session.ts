// The page's half of a session: trades the ticket in the address for a token that only this origin's tabs keep.
import { type Client, createClient, KitError, openSession, sessionHeader } from "@kit/contract";
import { withTranslatedErrors } from "../language/translate-errors.ts";

const tokenKey = "kit-session";
/** How long a tab without a token waits for one that has it. */
const askMs = 150;

export type SessionState =
  | { readonly state: "opening" }
  | { readonly state: "open" }
  | { readonly state: "closed"; readonly why: "none" | "ticket_refused" | "ended" | "unreachable" };

export type Session = {
  readonly client: Client;
  current(): SessionState;
  subscribe(listener: () => void): () => void;
  /** The launcher no longer knows this session. */
  end(): void;
};

/** The page that a link with a ticket leads to, as an address's fragment; empty where it names none. */
function pageIn(fragment: string): string {
  const page = new URLSearchParams(fragment.replace(/^#/u, "")).get("page") ?? "";
  return /^[a-z-]{1,20}$/u.test(page) ? `#/${page}` : "";
}

/** The few things of a browser window a session needs. */
export type SessionWindow = {
  location: Pick<Location, "hash" | "pathname">;
  history: Pick<History, "replaceState">;
  sessionStorage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  addEventListener(type: "hashchange", listener: () => void): void;
};

/** Between the tabs of this origin: scheme, host and port, so that no other server's page hears it. */
export type TabChannel = Pick<BroadcastChannel, "postMessage" | "onmessage">;
type TabMessage = { readonly says: "ask" } | { readonly says: "token"; readonly token: string };

/** The ticket in an address's fragment, e.g. `#t=…`. */
export function ticketIn(fragment: string): string | undefined {
  return new URLSearchParams(fragment.replace(/^#/u, "")).get("t") ?? undefined;
}

/** The state everyone looks at, and who looks. */
function createState(first: SessionState) {
  let now = first;
  const listeners = new Set<() => void>();
  return {
    current: () => now,
    become(next: SessionState) {
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

/** The token, in memory and over a reload of this tab. */
function createToken(storage: SessionWindow["sessionStorage"]) {
  let token = storage.getItem(tokenKey) ?? undefined;
  return {
    get: () => token,
    keep(next: string) {
      token = next;
      storage.setItem(tokenKey, next);
    },
    drop() {
      token = undefined;
      storage.removeItem(tokenKey);
    },
  };
}

export function createSession(window: SessionWindow, tabs: TabChannel): Session {
  const token = createToken(window.sessionStorage);
  const { current, become, subscribe } = createState({ state: token.get() === undefined ? "opening" : "open" });
  const headers = (): Record<string, string> => {
    const value = token.get();
    return value === undefined ? {} : { [sessionHeader]: value };
  };
  const client = withTranslatedErrors(createClient("", headers));
  const say = (message: TabMessage) => tabs.postMessage(message);
  const sayToken = () => {
    const value = token.get();
    if (value !== undefined) say({ says: "token", token: value });
  };
  const takeTicket = async (ticket: string) => {
    // At once, before anything can fail: the ticket must not stay in the address or the history.
    window.history.replaceState(null, "", window.location.pathname + pageIn(window.location.hash));
    become({ state: "opening" });
    try {
      token.keep((await client.call(openSession, { body: { ticket } })).token);
      become({ state: "open" });
      // The browser has one cookie for all its tabs: with the new one their old token fits no longer.
      sayToken();
    } catch (error) {
      // An old link does no harm to a tab that is signed in.
      if (token.get() !== undefined) return become({ state: "open" });
      become({ state: "closed", why: error instanceof KitError ? "ticket_refused" : "unreachable" });
    }
  };
  // A link opened in a tab that already shows the page changes only the fragment.
  const begin = () => {
    const ticket = ticketIn(window.location.hash);
    if (ticket !== undefined) return void takeTicket(ticket);
    if (current().state !== "opening") return;
    say({ says: "ask" });
    setTimeout(() => current().state === "opening" && become({ state: "closed", why: "none" }), askMs);
  };
  tabs.onmessage = ({ data }: { data: TabMessage }) => {
    if (data.says === "ask") return sayToken();
    const isNews = data.token !== token.get();
    token.keep(data.token);
    // Said again to whoever holds something of the session that was.
    if (isNews || current().state !== "open") become({ state: "open" });
  };
  window.addEventListener("hashchange", begin);
  begin();
  const end = () => {
    token.drop();
    become({ state: "closed", why: "ended" });
  };
  return { client, current, subscribe, end };
}
