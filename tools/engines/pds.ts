// Installs Bluesky's server from npm into .engines/, pinned by pds/package-lock.json. Uses a newer release of its database package
// than the server requires, because that release contains its binaries.
import { pds } from "./locate.ts";
import { providePinned } from "./pinned-npm.ts";

export function providePds(): void {
  providePinned({ folder: "pds", name: "Bluesky's server", size: "300 MB", isThere: () => pds() !== undefined });
}
