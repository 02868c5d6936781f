// Brings Bluesky's own server program from npm, pinned by the hashes of pds/package-lock.json, into .engines/. Its database
// is a newer release of the same package than the server asks for: since then the package holds its programs itself.
import { pds } from "./locate.ts";
import { providePinned } from "./pinned-npm.ts";

export function providePds(): void {
  providePinned({ folder: "pds", name: "Bluesky's server", size: "300 MB", isThere: () => pds() !== undefined });
}
