// Installs Spotlight from npm into .engines/, pinned by spotlight/package-lock.json.
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
