// Real posts for the documentation's pictures: drafts with clips from moments of a sample game, some of them decided.
import { setTimeout as pause } from "node:timers/promises";
import {
  addAccount,
  addPostRule,
  approvePost,
  type Client,
  changePost,
  changePostSettings,
  changeRecordingRule,
  listPosts,
  type Post,
  skipPost,
} from "@kit/contract";
import type { LauncherProcess } from "./launcher-process.ts";
import type { SampleGame } from "./sample-game.ts";
import { recordAlways } from "./screenshot-clips.ts";

const moments = [
  { eventId: "lanternwood_lantern_lit", shows: "forest", text: "The lantern is lit. Into the woods!" },
  {
    eventId: "skyhook_lap_record",
    shows: "sky",
    text: "New lap record in Skyhook: {{clipLength}} of not touching a wall.",
  },
  { eventId: "lanternwood_all_friends", shows: "forest", text: "Everybody in Lanternwood is a friend now." },
  {
    eventId: "lanternwood_boss_defeated",
    shows: "boss",
    text: "The Hollow King falls!\n\nThree hearts left, and one of them was not mine.",
  },
] as const;

async function postsNow(client: Client): Promise<Post[]> {
  return (await client.call(listPosts, { query: {} })).posts;
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await pause(200);
}

/** Connects a channel and adds a rule for each moment. */
async function prepare(client: Client, url: string): Promise<void> {
  const { account } = await client.call(addAccount, { body: { network: "discord", fields: { url }, name: "#clips" } });
  await client.call(changePostSettings, { body: { undoSeconds: 0 } });
  for (const { eventId, text } of moments) {
    await client.call(addPostRule, { body: { pattern: eventId, accounts: [account.id], text } });
    // Short clips without merging, so that the pictures are made quickly.
    const short = { preSeconds: 6, postSeconds: 3, mergeGapSeconds: 1, cooldownSeconds: 0 };
    await client.call(changeRecordingRule, { body: { eventId, ...short } });
  }
}

/** Plays the moments one after another; resolves when each has its clip. */
async function play(client: Client, launcher: LauncherProcess, game: SampleGame): Promise<void> {
  for (const { eventId, shows } of moments) {
    await game.show(shows);
    await pause(11_000);
    await launcher.send("social", { eventId });
  }
  await until(async () => {
    const posts = await postsNow(client);
    return posts.length === moments.length && posts.every(({ footage }) => footage.state !== "pending");
  });
}

/** Makes two drafts, a sent post and a skipped one. */
export async function makeSamplePosts(launcher: LauncherProcess, game: SampleGame, url: string): Promise<void> {
  const client = await recordAlways(launcher, 6);
  await prepare(client, url);
  await play(client, launcher, game);
  const postOf = async (eventId: string) => {
    const found = (await postsNow(client)).find((post) => post.eventId === eventId);
    if (found === undefined) throw new Error(`no post was made of ${eventId}`);
    return { id: found.id };
  };
  await client.call(skipPost, { params: await postOf("lanternwood_lantern_lit") });
  const sent = await postOf("lanternwood_all_friends");
  await client.call(approvePost, { params: sent });
  await until(async () => (await postsNow(client)).some(({ id, state }) => id === sent.id && state === "sent"));
  const warned = await postOf("lanternwood_boss_defeated");
  await client.call(changePost, { params: warned, body: { contentWarning: "The end of chapter two" } });
}
