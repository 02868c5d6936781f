// Tests of the demo with a real recorded window: its events arrive like any game's, and produce a clip, an issue and a post.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import {
  type Account,
  type Clip,
  type Demo,
  type DemoOutcome,
  type DemoStep,
  type GameSession,
  type IssueDetail,
  type Post,
  type PostRule,
  textOf,
} from "@kit/contract";
import { describe, test } from "vitest";
import { openDisplay } from "../../../tools/engines/display.ts";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { readXDisplay } from "../../src/recording/capture/probe/source.ts";
import { runFfmpeg } from "../../src/recording/ffmpeg/run.ts";
import { placeOf } from "../support/kit-command.ts";
import { kitCommand } from "../support/launcher-process.ts";
import { type LauncherProcess, startLauncherProcess } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";

const skip = skipWithout("Xvfb", "ffmpeg");
/** No test may record the screen of the person who runs it. */
const noDisplay = { DISPLAY: "", WAYLAND_DISPLAY: "" };

type Line = {
  type: string;
  phase?: string;
  says?: string;
  window?: boolean;
  outcomes?: DemoOutcome[];
  session?: string;
};
type Played = {
  readonly child: ChildProcess;
  readonly lines: Line[];
  readonly ended: Promise<number | null>;
  /** The output for a person. */
  readonly complaint: () => string;
};

/** Runs the demo with a launcher, as a person does in a terminal. */
function play(launcher: LauncherProcess, env: Readonly<Record<string, string>>, ...words: readonly string[]): Played {
  const place = placeOf(launcher);
  const [program, ...start] = kitCommand("demo", "--json", ...words, ...place);
  const child = spawn(program, start, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let complaint = "";
  child.stderr?.on("data", (chunk: Buffer) => {
    complaint += chunk;
  });
  const lines: Line[] = [];
  createInterface({ input: child.stdout as Readable }).on("line", (line) => lines.push(JSON.parse(line) as Line));
  return {
    child,
    lines,
    ended: once(child, "close").then(([code]) => code as number | null),
    complaint: () => complaint,
  };
}

const asked = async <T>(launcher: LauncherProcess, path: string): Promise<T> =>
  (await launcher.api("GET", path)).json<T>();
const demoOf = (launcher: LauncherProcess) => asked<Demo>(launcher, "/api/demo");
const reached = ({ child, lines, complaint }: Played, phase: string) =>
  until(
    () => `${phase}; so far ${JSON.stringify(lines)}`,
    () => {
      assert.equal(child.exitCode, null, `it ended before ${phase}: ${complaint()}`);
      return lines.find((line) => line.phase === phase);
    },
  );
const endsWell = async ({ ended, complaint }: Played) => assert.equal(await ended, 0, complaint());
const outcome = (outcomes: readonly DemoOutcome[] | undefined, part: DemoStep): DemoOutcome => {
  const found = outcomes?.find((one) => one.part === part);
  assert.ok(found, `${part} is not among ${JSON.stringify(outcomes)}`);
  return found;
};

/** Decodes every frame. */
const isPlayable = (path: string | null) =>
  runFfmpeg({ path: pathOf("ffmpeg") }, ["-v", "error", "-xerror", "-i", path ?? "", "-f", "null", "-"], {
    outBytesMax: 0,
  });

test("the demo produces playable clips, one issue of two reports, a draft and a session", { skip }, async () => {
  await using opened = new AsyncDisposableStack();
  const display = await openDisplay("1280x720");
  opened.defer(display.close);
  await using launcher = await startLauncherProcess({ env: { DISPLAY: display.name } });
  const played = play(launcher, { DISPLAY: display.name }, "--seconds", "12");
  await reached(played, "streak");
  assert.deepEqual(
    (({ title, width, height }) => ({ title, width, height }))(
      (await readXDisplay(display.name, "Kit's demo")).window ?? assert.fail("no window"),
    ),
    { title: "Kit's demo", width: 960, height: 540 },
  );
  await endsWell(played);
  const end = played.lines.at(-1);
  assert.equal(end?.type, "ended");
  const { clips } = await asked<{ clips: Clip[] }>(launcher, "/api/clips?game=kit_demo");
  for (const part of ["streak", "jewel", "boss"] as const) {
    const { state, reason, clip } = outcome(end.outcomes, part);
    assert.equal(state, "saved", `${part}: ${textOf(reason ?? "")}`);
    const shown = clips.find(({ id }) => id === clip);
    assert.equal(shown?.state, "saved");
    assert.ok(shown.duration > 1, `${shown.duration} s`);
    await isPlayable(shown.path);
  }
  assert.equal(outcome(end.outcomes, "streak").clip, outcome(end.outcomes, "jewel").clip, "close moments share a clip");
  assert.equal(Math.max(...clips.map(({ priority }) => priority)), 900);
  const issue = outcome(end.outcomes, "error").issue;
  assert.equal(outcome(end.outcomes, "again").issue, issue);
  const found = await asked<IssueDetail>(launcher, `/api/issues/${issue}`);
  assert.deepEqual([found.issue.game, found.issue.count], ["kit_demo", 2]);
  const { post } = outcome(end.outcomes, "score");
  const draft = await asked<Post>(launcher, `/api/posts/${post}`);
  assert.equal(draft.state, "draft");
  // Sessions follow the journal up to a second later.
  const session = await until("the session with every event", async () => {
    const found = await asked<GameSession>(launcher, `/api/sessions/${end.session}`);
    return found.events >= 7 && found;
  });
  assert.deepEqual([session.game, session.events, session.errors], ["kit_demo", 7, 2]);
  assert.equal((await demoOf(launcher)).state, "played");
  // An approved post is sent to the demo's own receiver only.
  assert.equal((await launcher.api("POST", `/api/posts/${post}/approve`)).status, 200);
  const sent = async () => {
    const now = await asked<Post>(launcher, `/api/posts/${post}`);
    return now.state === "sent" ? now : undefined;
  };
  const { deliveries } = await until("the letterbox to confirm it", sent);
  assert.deepEqual(
    deliveries.map(({ network, state }) => [network, state]),
    [["webhook", "sent"]],
  );
});

// Each test only waits for a demo with its own launcher, so they run at the same time.
describe("the demo without a recorder", { concurrent: true }, () => {
  test("without a display the demo says that there is no footage, and a person's post rules ignore its events", async () => {
    await using launcher = await startLauncherProcess({ env: noDisplay });
    const fields = { url: "http://localhost:9/" };
    const added = await launcher.api("POST", "/api/accounts", { network: "webhook", fields, name: "Mine" });
    const { account } = added.json<{ account: Account }>();
    const own = { pattern: "*", accounts: [account.id], approval: "automatic", attach: "none", text: "{{event}}" };
    assert.equal((await launcher.api("POST", "/api/post-rules", own)).status, 201);
    const played = play(launcher, noDisplay, "--seconds", "10");
    await endsWell(played);
    const says = played.lines.map((line) => line.says ?? "").join("\n");
    assert.match(says, /without a window: there is no X display/);
    assert.match(says, /There will be no footage: .*Moments become markers/);
    const end = played.lines.at(-1);
    const { state, clip } = outcome(end?.outcomes, "boss");
    assert.deepEqual([state, clip], ["marked", null], "no clip is named");
    const { posts } = await asked<{ posts: Post[] }>(launcher, "/api/posts");
    assert.deepEqual(
      posts.map(({ state, eventId, deliveries }) => [state, eventId, deliveries.map(({ name }) => name)]),
      [["draft", "kit_demo_high_score", ["Kit's demo (stays on this machine)"]]],
    );
    const { rules } = await asked<{ rules: PostRule[] }>(launcher, "/api/post-rules");
    assert.equal(rules.find(({ pattern }) => pattern === "*")?.posts, 0);
  });

  test("Ctrl-C ends the demo with the outcomes so far, and a demo whose launcher is killed ends too", async () => {
    await using launcher = await startLauncherProcess({ env: noDisplay });
    const [ended, orphaned] = [0, 1].map(() => play(launcher, noDisplay, "--seconds", "60")) as [Played, Played];
    await reached(ended, "streak");
    ended.child.kill("SIGINT");
    await endsWell(ended);
    const end = ended.lines.at(-1);
    assert.match(end?.says ?? "", /ended early/);
    assert.deepEqual(
      end?.outcomes?.map(({ part }) => part),
      ["started", "streak"],
    );
    await reached(orphaned, "streak");
    await launcher.process().end("SIGKILL");
    assert.equal(await orphaned.ended, 3);
  });

  test("the launcher plays one demo at a time, and stops it on request and at its own exit", async () => {
    await using launcher = await startLauncherProcess({ env: noDisplay });
    assert.equal((await demoOf(launcher)).state, "none");
    const start = () => launcher.api("POST", "/api/demo");
    const phaseIs = (phase: string) => until(phase, async () => (await demoOf(launcher)).phase === phase);
    assert.equal((await start()).status, 202);
    assert.equal((await start()).status, 429);
    await phaseIs("waiting");
    assert.equal((await launcher.api("DELETE", "/api/demo")).status, 204);
    const stopped = await demoOf(launcher);
    assert.deepEqual([stopped.phase, stopped.failed], [null, false]);
    assert.equal((await start()).status, 202);
    await phaseIs("streak");
    await launcher.restart("SIGTERM");
    const after = await demoOf(launcher);
    assert.deepEqual([after.state, after.outcomes], ["played", []], "the demo's data are still there");
  });
});
