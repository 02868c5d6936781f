// The Debian package of OBS Studio, without recommended packages.
import { obs } from "./locate.ts";

/** Returns the package to install, or none if OBS is installed. */
export function packagesOfObs(): readonly string[] {
  return obs() === undefined ? ["obs-studio"] : [];
}
