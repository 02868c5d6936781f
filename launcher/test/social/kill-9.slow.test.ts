// Tests of a launcher killed while it delivers: no post is lost or sent twice, and an unknown result is reported as unknown.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { Delivery, Post } from "@kit/contract";
import { test } from "vitest";
import type { DiscordStandIn } from "../../src/social/networks/discord/test/stand-in.ts";
import type { WebhookStandIn } from "../../src/social/networks/webhook/test/stand-in.ts";
import { randomFrom } from "../kill-9/cycles.ts";
import { type LauncherProcess, startLauncherProcess } from "../support/own-launcher.ts";
import { postingOf } from "./social-launcher.ts";
import { discordUrl, type Served, serveDiscord, serveWebhook, webhookSecret } from "./stand-ins.ts";

/** More points find rarer faults: KIT_KILL_POINTS=200 takes ten minutes. */
const points = Number(process.env.KIT_KILL_POINTS ?? 5);
/** KIT_KILL_SEED chooses other moments for the kills. */
const seed = Number(process.env.KIT_KILL_SEED ?? 9);
/** One launcher makes at most sixty posts an hour. */
const pointsOfOne = 50;
const channels = 3;
const answersWithinMs = 60;
const killWithinMs = 400;

type Network = { readonly made: (text: string) => number; readonly repeats: (text: string) => number };
type Servers = {
  readonly discord: readonly Served<DiscordStandIn>[];
  readonly webhook: readonly Served<WebhookStandIn>[];
};

const ofDiscord = ({ standIn }: Served<DiscordStandIn>): Network => ({
  made: (text) => standIn.messages.filter(({ body }) => body.content === text).length,
  repeats: () => 0,
});
const ofWebhook = ({ standIn, requests }: Served<WebhookStandIn>): Network => ({
  made: (text) => standIn.taken.filter(({ payload }) => payload.data.text === text).length,
  repeats: (text) => requests.filter(({ body }) => JSON.parse(body.toString()).data.text === text).length - 1,
});

/** Each network delays the creation of a post and its answer. */
function slowDown(server: Served<DiscordStandIn | WebhookStandIn>, random: () => number): void {
  server.wire.act = async ({ take, response }) => {
    await pause(random() * answersWithinMs);
    const { status, headers = {}, body = "" } = await take();
    await pause(random() * answersWithinMs);
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
  };
}

/** Waits a time after the trigger, or until a moment after a number of requests. */
async function untilItIsKilled({ discord, webhook }: Servers, random: () => number): Promise<void> {
  const seen = () => [...discord, ...webhook].reduce((sum, { requests }) => sum + requests.length, 0);
  const wanted = random() < 0.3 ? Number.POSITIVE_INFINITY : seen() + 1 + Math.floor(random() * 2 * channels);
  const endMs = performance.now() + (wanted === Number.POSITIVE_INFINITY ? random() * killWithinMs : 2_000);
  while (seen() < wanted && performance.now() < endMs) await pause(1);
  await pause(random() * answersWithinMs);
}

const over = ({ state }: Post) => state === "sent" || state === "unsure" || state === "failed";

async function killSome(launcher: LauncherProcess, servers: Servers, count: number, random: () => number) {
  const posting = postingOf(launcher);
  await posting.set({ undoSeconds: 0, hourlyMax: 60 });
  const networks = new Map<string, Network>();
  for (const server of servers.discord) {
    const { account } = await posting.connect({ network: "discord", fields: { url: discordUrl(server) } });
    networks.set(account.id, ofDiscord(server));
  }
  for (const server of servers.webhook) {
    const fields = { url: `${server.origin}/posts`, secret: webhookSecret };
    networks.set((await posting.connect({ network: "webhook", fields })).account.id, ofWebhook(server));
  }
  const found = { sent: 0, maybe: 0, repeats: 0 };
  for (let point = 1; point <= count; point += 1) {
    const text = `${launcher.port} ${point}`;
    const rule = { pattern: `kill_${point}`, text, attach: "none", approval: "automatic" } as const;
    await posting.addRule({ ...rule, accounts: [...networks.keys()] });
    const event = await posting.trigger(rule.pattern);
    await untilItIsKilled(servers, random);
    await launcher.restart("SIGKILL");
    const { deliveries } = await posting.postOf(event, over);
    for (const { account, network, state } of deliveries) {
      const { made, repeats } = networks.get(account) as Network;
      judge({ network, state }, made(text));
      found[state as "sent" | "maybe"] += 1;
      found.repeats += Math.max(0, repeats(text));
    }
    assert.equal(deliveries.length, networks.size);
  }
  return found;
}

/** `made` is how many posts the network has, with each id of a webhook counted once. */
function judge({ network, state }: Pick<Delivery, "network" | "state">, made: number): void {
  const description = `${network}: ${state}, and there are ${made}`;
  if (state === "sent") assert.equal(made, 1, description);
  else assert.ok(network === "discord" && state === "maybe" && made <= 1, description);
}

async function run(count: number, random: () => number): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const launcher = opened.use(await startLauncherProcess());
  const each = Array.from({ length: channels });
  const discord = await Promise.all(each.map(async () => opened.use(await serveDiscord())));
  const webhook = await Promise.all(each.map(async () => opened.use(await serveWebhook())));
  for (const server of [...discord, ...webhook]) slowDown(server, random);
  const { sent, maybe, repeats } = await killSome(launcher, { discord, webhook }, count, random);
  const said = `${sent} sent once, ${maybe} told as unsure, ${repeats} repeats under the same id`;
  console.log(`${count} kills (seed ${seed}): ${said}`);
}

test("no post is lost or sent twice when the launcher is killed while it sends", async () => {
  const random = randomFrom(seed);
  for (let done = 0; done < points; done += pointsOfOne) await run(Math.min(pointsOfOne, points - done), random);
});
