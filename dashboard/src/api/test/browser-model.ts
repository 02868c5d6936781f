// A model of a browser for tests of the sign-in session: its tabs share a storage and locks.
import type { SessionWindow } from "../session.ts";

type Change = Parameters<Parameters<SessionWindow["addEventListener"]>[1]>[0];
type Listeners = { hashchange: (() => void)[]; storage: ((change: Change) => void)[] };

export type TabModel = {
  readonly window: SessionWindow;
  /** The addresses that replaced that of the tab. */
  readonly addresses: string[];
  /** Opens a link in the tab that only changes the fragment. */
  goTo(hash: string): void;
};

/** `signedIn`: the token and pass that are stored. `deliver` passes a change of the storage on to another tab. */
export function openBrowser(
  signedIn?: { token: string; pass: string },
  deliver: (event: () => void) => void = (event) => event(),
) {
  const stored = new Map<string, string>();
  const tabs: Listeners[] = [];
  let lastHolder: Promise<unknown> = Promise.resolve();
  const store = (credentials: { token: string; pass: string }) =>
    void stored.set("kit-session", JSON.stringify(credentials));
  if (signedIn !== undefined) store(signedIn);

  const newTab = (hash: string): TabModel => {
    const own: Listeners = { hashchange: [], storage: [] };
    tabs.push(own);
    const change = (key: string, newValue: string | null) => {
      if ((stored.get(key) ?? null) === newValue) return;
      if (newValue === null) stored.delete(key);
      else stored.set(key, newValue);
      const others = tabs.filter((each) => each !== own).flatMap(({ storage }) => storage);
      for (const listener of others) deliver(() => listener({ key, newValue }));
    };
    const addresses: string[] = [];
    const window: SessionWindow = {
      location: { hash, pathname: "/" },
      history: {
        replaceState(_state, _title, address) {
          addresses.push(String(address));
          window.location.hash = new URL(String(address), "http://127.0.0.1").hash;
        },
      },
      localStorage: {
        getItem: (key) => stored.get(key) ?? null,
        setItem: change,
        removeItem: (key) => change(key, null),
      },
      navigator: {
        locks: {
          request: (_name, run) => {
            const held = lastHolder.then(run);
            lastHolder = held;
            return held;
          },
        },
      },
      addEventListener: (type: keyof Listeners, listener: (change: Change) => void) => {
        own[type].push(listener as never);
      },
    };
    const goTo = (next: string) => {
      window.location.hash = next;
      for (const listener of own.hashchange) listener();
    };
    return { window, addresses, goTo };
  };
  return { newTab, store };
}
