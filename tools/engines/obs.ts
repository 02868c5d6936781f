// Which package of Debian OBS Studio is, with the WebSocket server that package carries. Its libraries alone: nothing recommended.
import { obs } from "./locate.ts";

/** None when it is there. */
export function packagesOfObs(): readonly string[] {
  return obs() === undefined ? ["obs-studio"] : [];
}
