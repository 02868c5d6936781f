// A Discord channel and a receiver of webhooks in this process. They keep every post that arrives, and answer as they are told.
import { setImmediate as turn } from "node:timers/promises";
import { ServerNotReached } from "../../src/outbound/failure.ts";
import type { Outbound } from "../../src/outbound/outbound.ts";

export const channelUrl = "https://discord.com/api/webhooks/123456789012345678/abcdefghijklmnopqrstuvwxyz";
export const receiverUrl = "https://example.com/posts";

/** `lost`: the post is made, and the answer is lost. */
export const networkMoods = ["works", "lost", "unreachable", "busy", "broken", "refuses"] as const;
export type NetworkMood = (typeof networkMoods)[number];

export type Arrival = {
  readonly network: "discord" | "webhook";
  readonly text: string;
  /** The network makes no second post for the same key. Discord has no keys. */
  readonly key: string | null;
  readonly isMade: boolean;
};

async function arrivalOf(init: RequestInit): Promise<Omit<Arrival, "isMade">> {
  if (init.body instanceof FormData) {
    const { content } = JSON.parse(String(init.body.get("payload_json")));
    return { network: "discord", text: content, key: null };
  }
  const { data } = JSON.parse(await (init.body as Blob).text());
  return { network: "webhook", text: data.text, key: new Headers(init.headers).get("webhook-id") };
}

const json = (body: object, status = 200, headers = {}) => new Response(JSON.stringify(body), { status, headers });

function answerOf(mood: NetworkMood): Response {
  if (mood === "busy") return json({}, 429, { "retry-after": "30" });
  if (mood === "broken") return json({}, 502);
  if (mood === "refuses") return json({}, 400);
  return json({ id: "223456789012345678", channel_id: "323456789012345678" });
}

/** `survives` is asked before a request leaves and when its answer is there. Once it says no, nothing happens any more. */
export function createNetworkHere(
  mood: () => NetworkMood,
  survives: () => boolean,
  onArrival: (arrival: Arrival) => void,
): Outbound {
  const never = () => new Promise<never>(() => undefined);
  const fetch = async (_: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    if (!survives()) return never();
    if (init.method !== "POST")
      return json({ name: "clips", type: 1, guild_id: "423456789012345678", channel_id: "323456789012345678" });
    const arrival = await arrivalOf(init);
    await turn();
    if (!survives()) return never();
    const is = mood();
    if (is === "unreachable") throw new ServerNotReached("no connection");
    onArrival({ ...arrival, isMade: is === "works" || is === "lost" });
    await turn();
    if (!survives()) return never();
    if (is === "lost") throw Object.assign(new Error("gone"), { code: "ECONNRESET" });
    return answerOf(is);
  };
  return { clientFor: () => ({ fetch }), close: async () => undefined };
}
