// The measured engines, with their limits and alternatives to Kit.
import type { Engine } from "../../tools/engines/locate.ts";
import { startMonoGame, startUnity } from "./dotnet.ts";
import { startGodot } from "./godot.ts";
import { startNwjs } from "./nwjs.ts";
import type { Start } from "./player.ts";

export type MeasuredEngine = {
  readonly title: string;
  readonly needs: readonly Engine[];
  readonly medianUsMax: number;
  /** As many calls as the engine can send in time. */
  readonly callsPerFrame: number;
  /** The code that developers would write without a binding. */
  readonly bare: string;
  /** A comparable library, if there is one. */
  readonly peer?: string;
  /** Without the peer, no additional downloads are needed. */
  readonly start: (withPeer: boolean) => Start;
  /** What `bytes` counts in this engine. */
  readonly bytes: string;
};

const applicationInsights = "ApplicationInsights TrackTrace";
const httpClient = "HttpClient.PostAsync";
const managed = "allocated by the game's thread";

export const engines = {
  godot: {
    title: "A Godot",
    needs: ["Godot"],
    medianUsMax: 100,
    callsPerFrame: 10,
    bare: "HTTPRequest node",
    start: () => startGodot,
    bytes: "more in use after the call than before",
  },
  rpgmaker: {
    title: "B RPG Maker",
    needs: ["NW.js 0.87", "Xvfb"],
    medianUsMax: 50,
    callsPerFrame: 5,
    bare: "fetch",
    start: () => startNwjs,
    bytes: "more in use in V8's heap after the call than before",
  },
  monogame: {
    title: "D MonoGame",
    needs: [".NET"],
    medianUsMax: 20,
    callsPerFrame: 10,
    bare: httpClient,
    peer: applicationInsights,
    start: startMonoGame,
    bytes: managed,
  },
  unity: {
    title: "E Unity on .NET",
    needs: [".NET"],
    medianUsMax: 20,
    callsPerFrame: 10,
    bare: httpClient,
    peer: applicationInsights,
    start: (withPeer) => startUnity("netstandard2.1", withPeer),
    bytes: managed,
  },
  "unity-mono": {
    title: "E Unity on Mono",
    needs: [".NET", "Mono"],
    medianUsMax: 20,
    callsPerFrame: 10,
    bare: httpClient,
    peer: applicationInsights,
    start: (withPeer) => startUnity("net472", withPeer),
    bytes: managed,
  },
} as const satisfies Record<string, MeasuredEngine>;

export type EngineName = keyof typeof engines;
export const engineNames = Object.keys(engines) as EngineName[];
