// Tests of `kit accounts` and `kit posts`: connect an account, add a rule, approve a post, and receive it with a webhook.
import assert from "node:assert/strict";
import { networkDescriptions, networks, type Post, type PostPreview, type PostRule, textOf } from "@kit/contract";
import { afterAll, test } from "vitest";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { addClips } from "../recording/added-clips.ts";
import { kitOn } from "../support/kit-command.ts";
import { launcherProcessOfFile } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";
import { serveWebhook, webhookSecret } from "./stand-ins.ts";

const launcher = await launcherProcessOfFile({ env: { KIT_SECRETS: "file" } });
const hook = await serveWebhook();
afterAll(() => hook[Symbol.asyncDispose]());

/** Runs `kit …` with this standard input. */
const kit = (words: readonly string[], input?: string) => kitOn(launcher, input).run(...words);
const done = (words: readonly string[], input?: string) => kitOn(launcher, input).succeeds(...words);
const trigger = (eventId: string) => launcher.trigger(eventId, "social");
const posts = async () => (await launcher.api("GET", "/api/posts")).json<{ posts: Post[] }>().posts;
/** The post of an event, once it matches. */
const postOf = (event: string, matches: (post: Post) => boolean = () => true) =>
  until(`the post of ${event}`, async () => (await posts()).find((post) => post.event === event && matches(post)));

test("an account is connected by its fields from standard input, which are shown nowhere; it is tested and renamed", async () => {
  assert.match((await done(["accounts"])).stdout, /No account is connected yet/);
  const empty = await kit(["accounts", "add", "webhook"]);
  assert.deepEqual(
    [empty.code, /The account cannot be connected: Address is missing\./.test(empty.stderr)],
    [exitCodes.refused, true],
    empty.stderr,
  );
  const given = `${hook.origin}/posts\n${webhookSecret}\n`;
  const added = await done(["accounts", "add", "webhook", "--name", "my hook"], given);
  assert.match(added.stdout, /^Connected: my hook at 127\.0\.0\.1:/);
  const tested = await done(["accounts", "test", "my hook"]);
  assert.match(tested.stdout, /yes Test message: .*\nThe network would accept a post now\./);
  await done(["accounts", "change", "my hook", "--name", "hook"]);
  const off = await done(["accounts", "change", "hook", "--off"]);
  assert.match(off.stdout, / off /);
  const on = await done(["accounts", "change", "hook", "--on", "--ask"], `\n${webhookSecret}\n`);
  assert.match(on.stdout, / hook +127\.0\.0\.1:\d+ +on +0 +0/);
  const all = [added, tested, off, on, await done(["accounts", "--json"])].map(({ stdout, stderr }) => stdout + stderr);
  for (const secret of [webhookSecret.slice(6), `${hook.origin}/posts`]) assert.ok(!all.join("").includes(secret));
});

test("a post rule is added, refused if it is invalid, changed and removed", async () => {
  assert.match((await done(["posts", "rules"])).stdout, /No post rule yet/);
  assert.equal((await kit(["posts", "rules", "add", "my_*"])).code, exitCodes.usage);
  const unknown = await kit(["posts", "rules", "add", "my_*", "--account", "nobody"]);
  assert.deepEqual([unknown.code, /no account nobody/.test(unknown.stderr)], [exitCodes.usage, true]);
  const broken = await kit(["posts", "rules", "add", "my_*", "--account", "hook", "--text", "{{boss}}"]);
  assert.deepEqual([broken.code, /\btext names \{\{boss\}\}/.test(broken.stderr)], [exitCodes.refused, true]);
  const body = { text: "{{event}} in {{game}}", eventId: "saga_boss_defeated" };
  const { previews } = (await launcher.api("POST", "/api/post-rules/preview", body)).json<{
    previews: PostPreview[];
  }>();
  assert.deepEqual(
    previews.map(({ network, name, text, problems }) => [network, name, text, problems]),
    networks.map((kind) => {
      const name = kind === "webhook" ? "hook" : networkDescriptions[kind].name;
      return [kind, name, "Boss defeated in Saga", []];
    }),
  );
  const words = ["--account", "hook", "--text", "{{event}}!", "--attach", "none", "--cooldown", "30"];
  const added = (await done(["posts", "rules", "add", "my_*", ...words, "--json"])).json<PostRule>();
  const clip = (await done(["posts", "rules", "add", "my_clip", "--account", "hook", "--json"])).json<PostRule>();
  assert.deepEqual([clip.attach, clip.text], ["clip", "{{event}} in {{game}}"]);
  await done(["posts", "rules", "change", added.id, "--warning", "Loud"]);
  const listed = (await done(["posts", "rules"])).stdout;
  assert.match(listed, /my_clip +hook .*\n.*my_\* +hook +\{\{event\}\}! +none +ask +30 s +0 +0/);
  await done(["posts", "rules", "change", clip.id, "--off"]);
  await done(["posts", "rules", "change", clip.id, "--on"]);
  const other = (await done(["posts", "rules", "add", "gone", "--account", "hook", "--json"])).json<PostRule>();
  await done(["posts", "rules", "remove", other.id]);
  assert.equal((await kit(["posts", "rules", "remove", other.id])).code, exitCodes.refused);
});

test("a trigger becomes a draft that is edited, approved and received once, and its receipt says that it was sent", async () => {
  assert.match((await done(["posts"])).stdout, /No posts yet/);
  assert.match((await done(["posts", "settings", "--undo", "0"])).stdout, /undo an approval for 0 s/);
  const event = await trigger("my_boss_defeated");
  const { id } = await postOf(event);
  assert.match(
    (await done(["posts", "--needs"])).stdout,
    / \[Loud\] Boss defeated! +no footage +draft\n +for hook\n1 draft waits/,
  );
  assert.equal((await kit(["posts", "edit", id])).code, exitCodes.usage);
  const edited = await done(["posts", "edit", id, "--text", "At last!", "--warning", "", "--json"]);
  assert.deepEqual([edited.json<Post>().text, edited.json<Post>().contentWarning], ["At last!", ""]);
  assert.match((await done(["posts", "approve", id])).stdout, /At last! +no footage +(approved|sending|sent)/);
  await postOf(event, ({ state }) => state === "sent");
  assert.deepEqual(
    hook.standIn.taken.map(({ payload }) => payload.data.text).filter((text) => text === "At last!"),
    ["At last!"],
  );
  assert.match((await done(["posts", "--state", "sent"])).stdout, /At last! .* sent\n +hook: sent/);
  const { states } = await launcher.receipt(event);
  assert.deepEqual(
    states.map(({ state }) => state),
    ["accepted", "drafted", "approved", "sent"],
  );
  const again = await kit(["posts", "approve", id]);
  assert.deepEqual([again.code, /It was already sent/.test(again.stderr)], [exitCodes.refused, true]);
});

test("all drafts are decided on together; a draft that cannot be approved is reported, and the others continue", async () => {
  await done(["posts", "settings", "--undo", "600"]);
  const rules = ["all_1", "all_2"].map((id) => ["posts", "rules", "add", id, "--account", "hook", "--attach", "none"]);
  for (const words of rules) await done(words);
  const first = await trigger("all_1");
  const second = await trigger("all_2");
  const { id } = await postOf(second);
  await postOf(first);
  await done(["posts", "edit", id, "--text", ""]);
  const approved = await kit(["posts", "approve", "--all"]);
  assert.equal(approved.code, exitCodes.refused);
  assert.match(approved.stderr, new RegExp(`${id}: The post has no text and no attachment`));
  assert.match(approved.stdout, /approved, not sent before/);
  assert.match((await done(["posts"])).stdout, /needs you: The post has no text and no attachment: write a text\./);
  await done(["posts", "undo", "--all"]);
  assert.equal((await postOf(first)).state, "draft");
  assert.equal((await done(["posts", "skip", "--all", "--json"])).json<Post[]>().length, 2);
  assert.match((await done(["posts", "skip", "--all"])).stdout, /There is no post to skip/);
  assert.equal((await kit(["posts", "skip"])).code, exitCodes.usage);
  assert.match((await kit(["posts", "settle", id, "hook", "sent"])).stderr, /nothing to decide/);
});

test("a post whose clip is missing asks, and is sent without it only if a person says so", async () => {
  const event = await trigger("my_clip");
  const { id } = await postOf(event, ({ asks }) => asks !== null);
  assert.match((await done(["posts"])).stdout, /clip missing +draft\n +needs you: No clip: /);
  assert.equal((await kit(["posts", "approve", id])).code, exitCodes.refused);
  await done(["posts", "settings", "--undo", "0"]);
  await done(["posts", "edit", id, "--attach", "none"]);
  await done(["posts", "approve", id]);
  await postOf(event, ({ state }) => state === "sent");
});

test("a post is made of a clip, with the accounts and the text given or proposed, and each mistake is named", async () => {
  const ids: string[] = [];
  await launcher.restart("SIGTERM", async () => void ids.push(...(await addClips(launcher.dataDir, 1, 2_000))));
  const [clip = ""] = ids;
  const made = await done(["posts", "new", clip, "--account", "hook"]);
  assert.match(
    made.stdout,
    /boss in Saga +clip ready +draft\n +for hook\nIt waits for your approval: npx kit posts approve /,
  );
  const words = ["--text", "At last!", "--warning", "Loud", "--visibility", "unlisted", "--json"];
  const post = (await done(["posts", "new", clip, ...words])).json<Post>();
  assert.deepEqual([post.text, post.contentWarning, post.visibility], ["At last!", "Loud", "unlisted"]);
  assert.deepEqual([post.fromClip, post.event, post.deliveries.length], [clip, null, 1]);
  const partly = await done(["posts", "edit", post.id, "--part", "0:00.5-2", "--json"]);
  assert.deepEqual(partly.json<Post>().footage.part, { fromSeconds: 0.5, toSeconds: 2 });
  assert.match((await done(["posts"])).stdout, /clip ready, 0\.5-2 of \d+ s/);
  const tooLate = await kit(["posts", "edit", post.id, "--part", "0-999"]);
  assert.deepEqual([tooLate.code, /ends|length/.test(tooLate.stderr)], [exitCodes.refused, true], tooLate.stderr);
  assert.equal((await kit(["posts", "edit", post.id, "--part", "some"])).code, exitCodes.usage);
  const whole = await done(["posts", "edit", post.id, "--part", "all", "--json"]);
  assert.equal(whole.json<Post>().footage.part, null);
  const refused = await kit(["posts", "new", "nothing", "--account", "hook"]);
  assert.deepEqual([refused.code, /no such clip/.test(refused.stderr)], [exitCodes.refused, true], refused.stderr);
  const nobody = await kit(["posts", "new", clip, "--account", "nobody"]);
  assert.deepEqual([nobody.code, /no account nobody/.test(nobody.stderr)], [exitCodes.usage, true]);
  assert.equal((await kit(["posts", "new"])).code, exitCodes.usage);
  assert.match((await done(["posts", "new", "--help"])).stdout, /--account <accounts\.\.\.>[\s\S]*--trim <from-to>/);
  const wrong = await launcher.api("POST", "/api/posts", { clip, accounts: [], text: 7 });
  const { errors } = wrong.json<{ errors: { path: string; message: string }[] }>();
  assert.deepEqual(
    [wrong.status, errors.map(({ path, message }) => `${path} ${message}`)],
    [
      422,
      [
        "/accounts expected ids of the accounts to post to, at least one",
        "/text expected the text as it is sent, up to 5000 characters",
      ],
    ],
  );
  await done(["posts", "skip", "--all"]);
});

test("a post that its rule held back is listed, and is posted anyway", async () => {
  await done(["posts", "rules", "add", "twice", "--account", "hook", "--attach", "none"]);
  const first = await trigger("twice");
  const second = await trigger("twice");
  await postOf(first);
  const { id } = await postOf(second, ({ state }) => state === "held");
  assert.match((await done(["posts"])).stdout, /1 post is held back: npx kit posts --state held/);
  const listed = (await done(["posts", "--state", "held"])).stdout;
  assert.match(listed, /Twice .* held\n +held back: its rule makes at most one post of this event in 60 s/);
  await done(["posts", "approve", id]);
  await postOf(second, ({ state }) => state === "sent");
});

test("a launcher killed right after accepting triggers creates one post for each", async () => {
  const names = ["kill_1", "kill_2", "kill_3"];
  for (const name of names) await done(["posts", "rules", "add", name, "--account", "hook", "--attach", "none"]);
  const events = await Promise.all(names.map(trigger));
  await launcher.restart("SIGKILL");
  for (const event of events) await postOf(event);
  const made = (await posts()).filter(({ eventId }) => names.includes(eventId ?? ""));
  assert.deepEqual(made.map(({ event }) => event).toSorted(), events.toSorted());
  for (const event of events)
    assert.deepEqual(
      (await launcher.receipt(event)).states.map(({ state }) => state),
      ["accepted", "drafted"],
    );
});

test("an account is removed with its waiting deliveries", async () => {
  await done(["accounts", "remove", "hook"]);
  assert.match((await done(["posts", "rules"])).stdout, /\(removed\)/);
  const event = await trigger("my_boss_again");
  await until("a receipt", async () => {
    const { states } = await launcher.receipt(event);
    return /none of the accounts/.test(textOf(states.at(-1)?.reason ?? ""));
  });
});
