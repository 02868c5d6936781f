// Brings OBS Studio from Debian, with the WebSocket server that package carries. Its libraries alone: nothing recommended.
import { obs } from "./locate.ts";
import { provideSystemPackages } from "./system-packages.ts";

export function provideObs(): void {
  if (obs() === undefined) provideSystemPackages(["obs-studio"]);
}
