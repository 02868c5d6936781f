// Reads the names that must not leave this computer: account, host and home folder.
import { homedir, hostname, userInfo } from "node:os";

export type Person = { readonly user: string; readonly host: string; readonly home: string };

/** Returns an empty string for a name that cannot be read. */
export function currentPerson(): Person {
  const orEmpty = (ask: () => string) => {
    try {
      return ask();
    } catch {
      // The system has no entry for the account, so there is no name to hide.
      return "";
    }
  };
  return { user: orEmpty(() => userInfo().username), host: orEmpty(hostname), home: orEmpty(homedir) };
}
