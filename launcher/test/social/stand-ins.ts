// Fake networks on loopback: Discord webhooks and a receiver of signed JSON.
import assert from "node:assert/strict";
import { createDiscordStandIn, type DiscordStandIn } from "../../src/social/networks/discord/test/stand-in.ts";
import { type StandIn, startWire, type Wire, type WireRequest } from "../../src/social/networks/test/wire.ts";
import { createWebhookStandIn, type WebhookStandIn } from "../../src/social/networks/webhook/test/stand-in.ts";

export type Served<S extends StandIn> = {
  readonly standIn: S;
  readonly origin: string;
  readonly wire: Wire;
  /** Every request that creates a post, with its body and when it arrived. */
  readonly requests: readonly (WireRequest & { readonly atMs: number })[];
  [Symbol.asyncDispose](): Promise<void>;
};

/** The stand-in speaks plain http, which needs no certificate. */
const noCertificates = {} as Parameters<typeof startWire>[1];

async function serve<S extends StandIn>(standIn: S): Promise<Served<S>> {
  const requests: (WireRequest & { readonly atMs: number })[] = [];
  const keeping: StandIn = {
    answer(one) {
      if (standIn.isMaking(one)) requests.push({ ...one, atMs: performance.now() });
      return standIn.answer(one);
    },
    isMaking: (one) => standIn.isMaking(one),
    get made() {
      return standIn.made;
    },
  };
  const wire = await startWire(keeping, noCertificates, "plain");
  const origin = `http://127.0.0.1:${new URL(wire.origin).port}`;
  return { standIn, origin, wire, requests, [Symbol.asyncDispose]: () => wire[Symbol.asyncDispose]() };
}

/** From the specification's examples. */
export const webhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

export const serveDiscord = (): Promise<Served<DiscordStandIn>> => serve(createDiscordStandIn());
export const serveWebhook = (): Promise<Served<WebhookStandIn>> => serve(createWebhookStandIn(webhookSecret));

/** The address that a person copies from Discord. */
export const discordUrl = ({ origin, standIn }: Served<DiscordStandIn>): string =>
  `${origin}${standIn.path.replace("/v10", "")}`;

/** Returns the video of a request to Discord. */
export async function videoIn({ headers, body }: WireRequest): Promise<Buffer> {
  const type = headers["content-type"] ?? "";
  const form = await new Response(new Uint8Array(body), { headers: { "content-type": type } }).formData();
  const file = form.get("files[0]");
  assert.ok(file instanceof File && file.type === "video/mp4", "a video is attached");
  return Buffer.from(await file.arrayBuffer());
}
