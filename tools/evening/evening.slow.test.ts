// Acceptance test of an evening with three games: what the clips are called and show, and how many clicks a post of the best moment takes.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Clip,
  createTicket,
  type GameSession,
  listClips,
  listPosts,
  listSessions,
  type Post,
  textOf,
} from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { sharedBrowser } from "../../dashboard/test/shared-browser.ts";
import { temporaryFolder } from "../../launcher/test/support/temporary-folder.ts";
import { until } from "../../launcher/test/support/until.ts";
import { readClock } from "../engines/clock-reader.ts";
import { skipWithout } from "../engines/locate.ts";
import { agoHours, type Evening, playEvening } from "./evening.ts";
import type { SentEvent } from "./game-process.ts";
import { bestMoment, evening as planned, ruleSeconds } from "./plan.ts";

const skip = skipWithout("Chromium", "Xvfb", "JWM", "ffmpeg", "libfaketime");
const speed = Number(process.env.KIT_EVENING_SPEED ?? 5);
/** How far a picture may be from the time of its event: a few frames of a busy machine, and the tolerance of the launcher. */
const offMsMax = 400;

let evening: Evening;
let clips: readonly Clip[];
let posts: readonly Post[];
beforeAll(async () => {
  if (skip) return;
  evening = await playEvening({ speed });
  clips = (await evening.client.call(listClips, { query: { limit: 200 } })).clips;
  posts = (await evening.client.call(listPosts, { query: {} })).posts;
});
afterAll(() => evening?.[Symbol.asyncDispose]());

const allSent = (): readonly SentEvent[] => evening.games.flatMap(({ sent }) => sent);
const saved = () => clips.filter(({ kind, state }) => kind === "clip" && state === "saved");
const isError = ({ kind }: { readonly kind: string }) => kind === "monitor";
/** The moment that a clip is named after: the best rule, a recording trigger before a social one, an error last, the first of equals. */
function mainMoment({ events }: Clip) {
  const rank = ({ kind }: (typeof events)[number]) => ["recording", "social", "monitor"].indexOf(kind);
  const isBest = ({ eventId }: (typeof events)[number]) => eventId === `${bestMoment.game}_${bestMoment.name}`;
  return events.toSorted(
    (a, b) =>
      Number(isError(a)) - Number(isError(b)) ||
      Number(isBest(b)) - Number(isBest(a)) ||
      rank(a) - rank(b) ||
      Date.parse(a.at) - Date.parse(b.at),
  )[0];
}

async function fetchFile(path: string): Promise<Buffer> {
  const { launcher } = evening;
  const headers = { authorization: `Bearer ${launcher.secret()}` };
  const answer = await fetch(`http://127.0.0.1:${launcher.port}${path}`, { headers });
  assert.equal(answer.status, 200, path);
  return Buffer.from(await answer.arrayBuffer());
}

/** Returns the time that the picture at this address shows; undefined if it cannot be read. */
async function shownIn(folder: string, path: string): Promise<number | undefined> {
  const file = join(folder, `${path.replaceAll("/", "_")}.jpg`);
  writeFileSync(file, await fetchFile(path));
  const [frame] = await readClock(file);
  return frame?.ok ? frame.clockMs : undefined;
}

/** A moment without footage. */
type Missing = { readonly says: string; readonly shownMs: number };

/**
 * Checks that the recorder says it lost enough to explain these moments: a machine that is busy with much else may stop a capture.
 * A moment is missing only if all after it or all before it in the range of its rule is missing, too.
 */
async function assertLost(moments: readonly Missing[]): Promise<string> {
  const eachMs = (ruleSeconds.postSeconds * 1_000) / speed;
  const times = moments.map(({ shownMs }) => shownMs).toSorted((a, b) => a - b);
  const spans = times.map((ms, index) => Math.min(eachMs, ms - (times[index - 1] ?? 0)));
  const lostMsMin = spans.reduce((sum, ms) => sum + ms, 0);
  const { lostSeconds } = evening;
  const says = `${moments.length} moments have no footage, ${lostSeconds.toFixed(1)} s of footage lost`;
  assert.ok(lostMsMin <= lostSeconds * 1_000, `${says}: ${JSON.stringify(moments)}`);
  return says;
}

test("each highlight is in one clip, which is titled and pictured by its best moment", { skip }, async (t) => {
  const folder = temporaryFolder("evening", t);
  const highlights = allSent().filter(({ kind }) => kind === "recording");
  const problems: string[] = [];
  const lost: Missing[] = [];
  for (const { id, body, shownMs } of highlights) {
    const [clip, ...others] = clips.filter(({ events }) => events.some((event) => event.id === id));
    const says = `${JSON.stringify(body)} ${textOf(clip?.reason ?? "")}`;
    if (clip === undefined || others.length > 0) problems.push(`${says} is in ${others.length + Number(!!clip)} clips`);
    else if (clip.kind === "marker") lost.push({ says, shownMs });
  }
  for (const clip of saved().filter(({ subject }) => subject === "highlight")) {
    const main = mainMoment(clip);
    const shownMs = await shownIn(folder, `/api/clips/${clip.id}/poster`);
    const sent = allSent().find(({ id }) => id === main?.id);
    if (main === undefined || sent === undefined) problems.push(`${clip.title} has no moment of the evening`);
    else if (clip.title !== main.label) problems.push(`${clip.title} should be called ${main.label}`);
    else if (shownMs === undefined || Math.abs(shownMs - sent.shownMs) > offMsMax)
      problems.push(`the picture of ${clip.title} is ${(shownMs ?? Number.NaN) - sent.shownMs} ms off`);
  }
  assert.deepEqual(problems, []);
  console.log(await assertLost(lost));
  console.log(`${highlights.length} highlights in ${saved().length} clips, ${allSent().length} events`);
});

test("the clips are from last night, by the clock of the games", { skip }, () => {
  const latestMs = Date.now() - (agoHours - 1) * 3_600_000;
  assert.ok(saved().length > 0);
  assert.deepEqual(
    saved().filter(({ events }) => events.some(({ at }) => Date.parse(at) > latestMs)),
    [],
  );
});

test("no clip lacks one of its moments", { skip }, async () => {
  const problems: string[] = [];
  for (const clip of saved()) {
    const clocks = (await readClock(clip.path ?? "")).filter(({ ok, ptsMs }) => ok && ptsMs >= 0);
    for (const { id, label } of clip.events) {
      const shownMs = allSent().find((one) => one.id === id)?.shownMs;
      // The report of the crash comes from `kit run`.
      if (shownMs === undefined) continue;
      const nearest = Math.min(...clocks.map(({ clockMs }) => Math.abs(clockMs - shownMs)));
      if (nearest > offMsMax) problems.push(`${label} is ${nearest} ms away from what ${clip.title} shows`);
    }
  }
  assert.deepEqual(problems, []);
});

test("an error titles no highlight, and a clip of errors alone is none of the best moments", { skip }, async () => {
  const messages = allSent().flatMap(({ body }) => ("message" in body ? [String(body.message)] : []));
  const named = saved().filter(({ title, subject }) => subject === "highlight" && messages.includes(title));
  assert.deepEqual(
    named.map(({ title }) => title),
    [],
  );
  const { clips: best } = await evening.client.call(listClips, { query: { sort: "best", subject: "highlight" } });
  assert.deepEqual(
    best.filter(({ events }) => events.length > 0 && events.every(isError)),
    [],
  );
  const isRecorded = saved().some(({ title }) => title === "Cup won");
  if (isRecorded) assert.equal(best[0]?.title, "Cup won");
});

test("each post carries its own moment and no other seconds than those of its rule", { skip }, async (t) => {
  const folder = temporaryFolder("evening-posts", t);
  const shares = allSent().filter(({ kind }) => kind === "social");
  assert.equal(posts.length, shares.length);
  const problems: string[] = [];
  const lost: Missing[] = [];
  for (const post of posts) {
    const { shownMs = 0 } = shares.find(({ id }) => id === post.event) ?? {};
    const says = `${post.eventId} (${JSON.stringify(post.footage)})`;
    // A moment without footage has no clip, and its post says why.
    if (post.footage.state === "missing") {
      lost.push({ says, shownMs });
      continue;
    }
    const pictureMs = await shownIn(folder, `/api/posts/${post.id}/picture`);
    if (Math.abs((pictureMs ?? 0) - shownMs) > offMsMax)
      problems.push(`${says}: its picture is ${(pictureMs ?? 0) - shownMs} ms off`);
    const video = join(folder, `${post.id}.mp4`);
    writeFileSync(video, await fetchFile(`/api/posts/${post.id}/video`));
    const clocks = (await readClock(video)).filter(({ ok, ptsMs }) => ok && ptsMs >= 0).map(({ clockMs }) => clockMs);
    const [fromMs, toMs] = [Math.min(...clocks) - shownMs, Math.max(...clocks) - shownMs];
    const isOwn = fromMs >= -12_000 / speed - 1_000 && toMs <= 5_000 / speed + 1_000 && fromMs < 0 && toMs > 0;
    if (!isOwn) problems.push(`${says}: it shows ${fromMs} to ${toMs} ms`);
  }
  assert.deepEqual(problems, []);
  console.log(await assertLost(lost));
});

test("each game is one session, and the last one ended by a crash", { skip }, async () => {
  const { sessions } = await evening.client.call(listSessions, { query: {} });
  const endings = sessions.map(({ game, ending }: GameSession) => `${game} ${ending}`).toReversed();
  assert.deepEqual(
    endings,
    planned.map(({ game, crashes }) => `${game} ${crashes ? "crashed" : "exited"}`),
  );
});

test("the best moment is found in two clicks and posted in two more, and no card has a footnote", {
  skip,
}, async () => {
  const { client, launcher, network } = evening;
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
  try {
    const page = await context.newPage();
    const { ticket } = await client.call(createTicket);
    await page.goto(`http://127.0.0.1:${launcher.port}/#t=${ticket}`);
    await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
    const [best] = (await client.call(listClips, { query: { sort: "best", subject: "highlight" } })).clips;
    assert.equal(await page.locator(".home-best .clip-title").first().innerText(), best?.title);
    let clicks = 0;
    const click = async (role: "link" | "button", name: string | RegExp) => {
      clicks += 1;
      await page.getByRole(role, { name }).first().click();
    };
    await click("link", /^Clips/);
    await page.locator(".clip-card").first().waitFor();
    // A player reads titles and looks at pictures. Those of the cards are all that a card says.
    const cards = (await page.locator(".clip-card").allInnerTexts()).join("\n");
    // An error soon after the start of a game lacks most of the seconds before it, so its clip has a note.
    const noted = saved().filter(({ title, notes }) => notes.length > 0 && cards.includes(title));
    assert.ok(noted.length > 0, "no card is of a clip with a note");
    const footnotes = clips.flatMap(({ notes }) => notes.map(textOf));
    assert.deepEqual(
      footnotes.filter((note) => cards.includes(note)),
      [],
    );
    await click("link", new RegExp(best?.title ?? "", "u"));
    await page.locator("video[controls]").waitFor();
    const found = clicks;
    await click("button", "Post…");
    const dialog = page.getByRole("dialog", { name: "Post this clip" });
    await dialog.getByRole("button", { name: "Post", exact: true }).waitFor();
    clicks += 1;
    await dialog.getByRole("button", { name: "Post", exact: true }).click();
    await until("the network has the post", () => network.messages.length === 1);
    assert.ok(found <= 2 && clicks <= 4, `${found} clicks to the clip, ${clicks} to the post`);
    assert.match(network.messages[0] ?? "", /filename="clip\.mp4"/);
  } finally {
    await context.close();
  }
});
