// Whose machine this is: the names that must not leave it.
import { homedir, hostname, userInfo } from "node:os";

export type Person = { readonly user: string; readonly host: string; readonly home: string };

/** An empty name is no name to look for. */
export function personHere(): Person {
  const said = (ask: () => string) => {
    try {
      return ask();
    } catch {
      // An account without an entry has no name to give away.
      return "";
    }
  };
  return { user: said(() => userInfo().username), host: said(hostname), home: said(homedir) };
}
