// Brings Spotlight from npm, pinned by the hashes of spotlight/package-lock.json, into .engines/.
import { spotlight } from "./locate.ts";
import { providePinned } from "./pinned-npm.ts";

export function provideSpotlight(): void {
  providePinned({
    folder: "spotlight",
    name: "Spotlight",
    size: "115 MB",
    isThere: () => spotlight() !== undefined,
  });
}
