// How the demo's game calls Kit: with the real binding for JavaScript games, one line for each event. And which stored event each call became.
import { demoGame, demoSocialId, sdkPath } from "@kit/contract";
import type { EventRow, LiveRow } from "../../api/event-row.ts";
import { trustedScript } from "../../api/trusted-script.ts";
import { t } from "../../language/language.ts";
import { streakLength } from "./flight.ts";

type KitSDK = Readonly<Record<"Recording" | "Social", { triggerEvent(eventId: string): void }>> & {
  readonly Monitor: { reportError(message: string, stackTrace?: string): void };
};
type GameWindow = { KitSDK?: KitSDK; PluginManager?: { parameters(): Record<string, string> } };

/** Loads the file that game developers download. It finds its settings where an RPG Maker game keeps them. */
export async function loadKitSDK(): Promise<KitSDK> {
  const game = window as GameWindow;
  if (game.KitSDK === undefined) {
    game.PluginManager = { parameters: () => ({ "Launcher URL": location.origin }) };
    const script = document.createElement("script");
    script.src = trustedScript(`${sdkPath}KitSDK.js`);
    await new Promise((resolve) => {
      script.onload = script.onerror = resolve;
      document.head.append(script);
    });
  }
  if (game.KitSDK === undefined)
    throw new Error(
      `${t("The packages have not been built yet. Run this in Kit's folder, then reload the page:")} npm run bundle`,
    );
  return game.KitSDK;
}

export type Call = {
  /** What happened in the game. */
  readonly says: string;
  /** The line of the game's code. */
  readonly code: string;
  /** What the stored event must have: this id or message, and a time that is not earlier. */
  readonly key: string;
  readonly at: string;
};
type CallToMake = Omit<Call, "at"> & { make(sdk: KitSDK): void };

function triggerOf(service: "Recording" | "Social", eventId: string, says: string): CallToMake {
  const code = `KitSDK.${service}.triggerEvent("${eventId}");`;
  return { says, code, key: eventId, make: (sdk) => sdk[service].triggerEvent(eventId) };
}

export const startCall = () =>
  triggerOf(
    "Recording",
    `${demoGame}_started`,
    t("The game starts, and Kit begins to record. The rule of this event makes no clip."),
  );
export const streakCall = () =>
  triggerOf(
    "Recording",
    `${demoGame}_five_stars`,
    t("{{stars}} stars in a row. The game asks for a clip.", { stars: streakLength }),
  );
export const jewelCall = () =>
  triggerOf(
    "Recording",
    `${demoGame}_jewel_found`,
    t("The kite finds the jewel. Soon after another moment, one clip shows both."),
  );
export const stormCall = () =>
  triggerOf(
    "Recording",
    `${demoGame}_storm_passed`,
    t("The kite escapes the storm. The game asks for a clip, with a high priority."),
  );
export const scoreCall = () =>
  triggerOf("Social", demoSocialId, t("A new high score. The game asks for a post, which waits for your approval."));
export const errorCall = ({ message, stack }: Error, isFirst: boolean): CallToMake => ({
  says: isFirst
    ? t("A gift without a lid causes an error, and the game reports it.")
    : t("Another gift, the same error: Kit counts it instead of listing it again."),
  code: "KitSDK.Monitor.reportError(error.message, error.stack);",
  key: message,
  make: (sdk) => sdk.Monitor.reportError(message, stack),
});

/** Makes a call as a game does: it gets no answer. */
export function makeCall(sdk: KitSDK, { make, ...call }: CallToMake): Call {
  const at = new Date().toISOString();
  make(sdk);
  return { ...call, at };
}

/** Returns the event of each call: the first one of the same key that no earlier call has. */
export function eventsOfCalls(calls: readonly Call[], rows: readonly LiveRow[]): (EventRow | undefined)[] {
  const left = rows.flatMap((row) => (row.type === "event" ? [row] : [])).toReversed();
  return calls.map(({ key, at }) => {
    const index = left.findIndex(
      ({ event: { eventId, payload } }) => (eventId ?? payload.message) === key && payload.timestamp >= at,
    );
    return index === -1 ? undefined : left.splice(index, 1)[0];
  });
}
