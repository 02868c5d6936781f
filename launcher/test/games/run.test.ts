// Tests of sessions and `kit run` with real processes and a real launcher: one timeline for each run.
import assert from "node:assert/strict";
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import type { GameSession, IssueDetail, KitEvent, Receipt, Timeline } from "@kit/contract";
import { type TestContext, test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { freePort } from "../../../tools/engines/free-port.ts";
import { kit, placeOf } from "../support/kit-command.ts";
import { kitCommand } from "../support/launcher-process.ts";
import { launcherProcessOfFile } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";

const launcher = await launcherProcessOfFile();

/** A game that follows its input: it sends an event and prints its id, prints a line, crashes, or ends. */
const script = `
  const url = process.env.KIT_URL ?? process.argv[1];
  const headers = { "content-type": "application/json", "user-agent": "TwinEngine/1.0" };
  process.on("SIGTERM", () => process.exit(7));
  const does = {
    async send({ path, ...members }) {
      const body = JSON.stringify({ ...members, timestamp: new Date().toISOString() });
      const answer = await fetch(url + path, { method: "POST", headers, body });
      console.log((await answer.json()).id);
    },
    say: ({ line }) => console.error(line),
    crash: () => process.kill(process.pid, "SIGSEGV"),
    end: ({ code }) => process.exit(code),
  };
  console.log("ready");
  for await (const line of require("node:readline").createInterface(process.stdin)) {
    const { what, ...rest } = JSON.parse(line);
    await does[what](rest);
  }`;
const gameWords = (name: string) => [
  process.execPath,
  "-e",
  `(async () => {${script}})()`,
  `http://127.0.0.1:${launcher.port}`,
  name,
];
const own = () => placeOf(launcher);

type Game = {
  readonly child: ChildProcessWithoutNullStreams;
  tell(what: "say" | "crash" | "end", members?: object): void;
  send(path: string, members: object): Promise<string>;
  readonly ended: Promise<{ code: number | null; stderr: string }>;
};

async function play(t: TestContext, words: readonly string[]): Promise<Game> {
  const [program = "", ...rest] = words;
  const child = spawn(program, rest, { env: { ...process.env, CI: "1", KIT_SECRETS: "file" }, stdio: "pipe" });
  t.onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stderr }));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const nextLine = async () => (await lines.next()).value ?? assert.fail(`it ended: ${stderr}`);
  const tell = (what: string, members: object = {}) => child.stdin.write(`${JSON.stringify({ what, ...members })}\n`);
  assert.equal(await nextLine(), "ready");
  return {
    child,
    ended,
    tell,
    send(path, members) {
      tell("send", { path, ...members });
      return nextLine();
    },
  };
}

const run = (t: TestContext, name: string, ...flags: readonly string[]) =>
  play(t, kitCommand("run", ...own(), ...flags, "--", ...gameWords(name)));
const trigger = (game: Game, eventId: string) => game.send("/api/recording/trigger", { eventId });
const report = (game: Game, message: string) => game.send("/api/monitor/report", { message, stackTrace: "" });

const receiptOf = async (id: string) => (await launcher.api("GET", `/api/events/${id}`)).json<Receipt>();
/** The events that belong to the game. A report whose sender a busy machine did not find in time has no game. */
async function eventsOfGame(game: string, ids: readonly string[]): Promise<KitEvent[]> {
  const receipts = await Promise.all(ids.map(receiptOf));
  return receipts.map(({ event }) => event).filter((event) => event.game === game);
}
const errorsIn = (events: readonly KitEvent[]) => events.filter(({ kind }) => kind === "monitor").length;
/** Sends events until the program's game is known. Returns the ids of all of them. */
async function introduce(game: Game, name: string): Promise<string[]> {
  const ids: string[] = [];
  await until(`who ${name} is`, async () => {
    const entered = await trigger(game, `${name}_entered`);
    // A timeline combines many equal reports of a minute.
    const reportId = await report(game, `Who am I? ${ids.length}`);
    ids.push(entered, reportId);
    return (await receiptOf(reportId)).event.game === name;
  });
  return ids;
}

const sessions = async (game: string) =>
  (await launcher.api("GET", `/api/sessions?game=${game}`)).json<{ sessions: GameSession[] }>().sessions;
const timelineOf = async ({ id }: GameSession) =>
  (await launcher.api("GET", `/api/sessions/${id}/timeline`)).json<Timeline>();

/** Resolves when the session has all of these events that belong to the game, and `more` others. */
const sessionOf = (game: string, ids: readonly string[], fits: (session: GameSession) => boolean, more = 0) =>
  until(`the session of ${game} as wanted`, async () => {
    const events = await eventsOfGame(game, ids);
    const session = (await sessions(game)).find((one) => one.events === events.length + more && fits(one));
    return session && { session, events, ids: events.map(({ id }) => id) };
  });
const sessionWith = (game: string, fits: (session: GameSession) => boolean) =>
  until(`a session of ${game} as wanted`, async () => (await sessions(game)).find(fits));

test("two simultaneous games have their own events, a crash becomes an issue with the last lines, and an exit code is recorded", {
  skip: cannot.readProc,
}, async (t) => {
  const [saga, quest] = await Promise.all([run(t, "saga", "--build", "1.5"), run(t, "quest")]);
  const ofSaga = await introduce(saga, "saga");
  const ofQuest = await introduce(quest, "quest");
  for (let count = 0; count < 5; count += 1) {
    ofSaga.push(await trigger(saga, `saga_door_${count}`));
    ofQuest.push(await trigger(quest, "quest_won"), await report(quest, "The prize is gone"));
  }
  ofSaga.push(await report(saga, "The door is stuck"));
  saga.tell("say", { line: "loading the vault" });
  saga.tell("crash");
  quest.tell("end", { code: 3 });
  const [crashed, left] = await Promise.all([saga.ended, quest.ended]);
  assert.deepEqual([crashed.code, left.code], [139, 3]);
  assert.match(
    crashed.stderr,
    /^loading the vault\nkit run: saga crashed\. Error report: npx kit show [\w-]{36} --data-dir "/,
  );

  const ofOne = await sessionOf("saga", ofSaga, ({ crash }) => crash !== null, 1);
  const { session: one } = ofOne;
  const errors = errorsIn(ofOne.events) + 1;
  assert.deepEqual([one.knownBy, one.ending, one.signal, one.errors], ["run", "crashed", "SIGSEGV", errors]);
  const track = await timelineOf(one);
  assert.deepEqual(new Set(track.entries.map(({ id }) => id)), new Set([...ofOne.ids, one.crash]));
  const issue = await until(
    "the issue of the crash",
    async () => (await timelineOf(one)).entries.at(-1)?.issue ?? undefined,
  );
  const { report: kept } = (await launcher.api("GET", `/api/issues/${issue}`)).json<IssueDetail>();
  assert.match(kept?.message ?? "", /^saga crashed: SIGSEGV/);
  // A report whose sender is found late has no build.
  const builds = ofOne.events.flatMap(({ payload }) => payload.build ?? []);
  assert.deepEqual(new Set(builds), new Set(["1.5"]), "the reports have the build of their run");
  assert.match(kept?.stackTrace ?? "", /loading the vault$/);

  const ofOther = await sessionOf("quest", ofQuest, ({ endedAt }) => endedAt !== null);
  const { session: other } = ofOther;
  const outcome = [other.ending, other.exitCode, other.crash, other.errors];
  assert.deepEqual(outcome, ["exited", 3, null, errorsIn(ofOther.events)]);
  const { entries } = await timelineOf(other);
  assert.ok(entries.every(({ id }) => ofOther.ids.includes(id)));
  assert.equal(
    entries.reduce((sum, { count }) => sum + count, 0),
    ofOther.ids.length,
  );
  assert.deepEqual([(await sessions("saga")).length, (await sessions("quest")).length], [1, 1]);
});

test("a game that sends nothing has a session under its given name, and its crash belongs to that game", {
  skip: cannot.readProc,
}, async (t) => {
  const game = await run(t, "silent", "--game", "silent_tower");
  const one = await sessionWith("silent_tower", ({ ending }) => ending === "running");
  assert.deepEqual([one.events, one.lastEventAt, one.knownBy], [0, null, "run"]);
  assert.deepEqual((await timelineOf(one)).entries, []);
  game.tell("crash");
  assert.equal((await game.ended).code, 139);
  const ended = await sessionWith("silent_tower", ({ events }) => events === 1);
  const { event } = await receiptOf(ended.crash ?? "");
  assert.deepEqual([event.game, event.kind], ["silent_tower", "monitor"]);
});

test("the session of a running game continues across a restart of the launcher, with the events before and after it", {
  skip: cannot.readProc,
}, async (t) => {
  const game = await run(t, "tower");
  const ids = await introduce(game, "tower");
  const { session: one } = await sessionOf("tower", ids, () => true);
  ids.push(await trigger(game, "tower_climbed"));
  await launcher.restart("SIGKILL");
  ids.push(...(await introduce(game, "tower")), await report(game, "The stairs are gone"));
  const { session: after, ids: all } = await sessionOf("tower", ids, () => true);
  assert.deepEqual([after.id, after.ending], [one.id, "running"]);
  assert.deepEqual(
    (await timelineOf(after)).entries.map(({ id }) => id),
    all,
  );
  game.tell("end", { code: 0 });
  assert.equal((await game.ended).code, 0);
  const ended = await sessionWith("tower", ({ endedAt }) => endedAt !== null);
  assert.deepEqual([ended.id, ended.ending, (await sessions("tower")).length], [one.id, "exited", 1]);
});

test("a game started without Kit has a session that ends with its process, even if no launcher noticed", {
  skip: cannot.readProc,
}, async (t) => {
  const [first, second] = await Promise.all([play(t, gameWords("cave")), play(t, gameWords("mine"))]);
  const known = (name: string, game: Game) =>
    until(`the program of ${name}`, async () => {
      // A busy machine may not find the sender of the first events in time.
      await trigger(game, `${name}_entered`);
      return (await sessions(name)).find(({ knownBy }) => knownBy === "program");
    });
  const cave = await known("cave", first);
  const mine = await known("mine", second);
  assert.equal(mine.ending, "running");
  await launcher.restart("SIGTERM", async () => {
    second.child.kill("SIGKILL");
    await second.ended;
  });
  const unseen = await sessionWith("mine", ({ endedAt }) => endedAt !== null);
  assert.deepEqual([unseen.ending, unseen.endedAt], ["unseen", unseen.lastEventAt]);
  await trigger(first, "cave_left");
  first.child.kill("SIGKILL");
  await first.ended;
  const noticed = await sessionWith("cave", ({ endedAt, events }) => endedAt !== null && events > cave.events);
  assert.deepEqual([noticed.ending, noticed.knownBy, (await sessions("cave")).length], ["ended", "program", 1]);
});

test("the output of a game is passed through byte by byte, and so is a signal to end", async (t) => {
  const bytes = `process.stdout.write(Buffer.from([0, 255, 13, 10, 195, 40, 27])); process.stderr.write("no line end")`;
  const words = kitCommand("run", ...own(), "--", process.execPath, "-e", bytes);
  const child = spawn(words[0] ?? "", words.slice(1), { stdio: "pipe" });
  const [out, err] = await Promise.all([child.stdout.toArray(), child.stderr.toArray()]);
  assert.deepEqual([...Buffer.concat(out)], [0, 255, 13, 10, 195, 40, 27]);
  assert.equal(Buffer.concat(err).toString(), "no line end");
  const game = await run(t, "patient");
  game.child.kill("SIGTERM");
  assert.equal((await game.ended).code, 7);
});

test("a game keeps the terminal, and receives Ctrl-C once", async (t) => {
  if (cannot.readProc || !existsSync("/usr/bin/script")) return t.skip("no `script` makes a terminal here");
  const counts = `
    let count = 0;
    process.on("SIGINT", () => {
      count += 1;
      setTimeout(() => { console.log("had " + count); process.exit(6); }, 300);
    });
    setInterval(() => undefined, 1_000);
    console.log("terminal " + [process.stdin, process.stdout, process.stderr].map((one) => one.isTTY));`;
  const command = kitCommand("run", ...own(), "--", process.execPath, "-e", "eval(process.env.GAME)").map(
    (word) => `'${word}'`,
  );
  const env = { ...process.env, GAME: counts };
  // Without a shell in between, which would be interrupted too and end with its own code.
  const words = `exec ${command.join(" ")}`;
  const child = spawn("/usr/bin/script", ["-qec", words, "/dev/null"], { env, stdio: "pipe" });
  t.onTestFinished(() => void child.kill("SIGKILL"));
  let shown = "";
  child.stdout.on("data", (chunk) => {
    if (!shown.includes("terminal") && `${shown}${chunk}`.includes("terminal")) child.stdin.write("\x03");
    shown += chunk;
  });
  const [code] = await once(child, "close");
  assert.match(shown, /terminal true,true,true/);
  assert.match(shown, /had 1\r/);
  assert.equal(code, 6);
});

test("without a launcher the game runs, and kit run says that nothing is recorded", async (t) => {
  const nowhere = ["--port", String(await freePort()), "--data-dir", `${launcher.dataDir}-none`];
  const game = await play(t, kitCommand("run", ...nowhere, "--", ...gameWords("alone")));
  game.tell("end", { code: 5 });
  const { code, stderr } = await game.ended;
  assert.equal(code, 5);
  assert.match(stderr, /the game runs, but its start was not recorded: No launcher answers/);
  assert.match(stderr, /this run was not recorded: No launcher answers/);
});

test("a launcher that starts while the game runs gets the whole run at its end", {
  skip: cannot.readProc,
}, async (t) => {
  await launcher.process().end();
  const game = await run(t, "late");
  await launcher.restart();
  const id = await trigger(game, "late_arrival");
  game.tell("end", { code: 4 });
  assert.equal((await game.ended).code, 4);
  const one = await sessionWith("late", ({ endedAt, events }) => endedAt !== null && events === 1);
  assert.deepEqual([one.ending, one.exitCode, one.program], ["exited", 4, "node"]);
  assert.equal((await timelineOf(one)).entries[0]?.id, id);
});

test("a run that is reported twice is one session, and its crash is one report", async () => {
  const at = new Date().toISOString();
  const begin = {
    run: randomUUID(),
    game: "twice_told",
    program: "twice",
    likeness: "a",
    pid: 4_000_000,
    startedAt: at,
  };
  const ended = { at, exitCode: 0xc000_0005, signal: null, output: "the last line" };
  const tell = async (body: object) => (await launcher.api("POST", "/api/sessions/runs", body)).json<GameSession>();
  const begun = await tell(begin);
  assert.deepEqual([begun.ending, begun.game], ["running", "twice_told"]);
  const first = await tell({ ...begin, ended });
  const second = await tell({ ...begin, ended });
  assert.deepEqual([first.id, first.ending, second.crash], [begun.id, "crashed", first.crash]);
  const one = await sessionWith("twice_told", ({ events }) => events > 0);
  assert.deepEqual([one.events, (await sessions("twice_told")).length], [1, 1]);
  assert.match((await timelineOf(one)).entries[0]?.label ?? "", /^twice_told crashed: 0xC0000005, access violation$/);
});

test("a launcher that disconnects before its kit run knows that the message has arrived does not end the game", async (t) => {
  // As on a busy computer: the message counts as sent only after the other end has closed.
  const late = `
    const send = process.send;
    process.send = (message, handle, options, sent) =>
      send.call(process, message, handle, options, (error) => process.once("disconnect", () => sent(error)));`;
  const preload = `--import=data:text/javascript,${encodeURIComponent(late)}`;
  const [program = "", ...all] = kitCommand(
    "run",
    "--unseen",
    ...own(),
    "--game",
    "lantern",
    "--",
    process.execPath,
    "-e",
    "process.exit(9)",
  );
  const child = spawn(program, all, {
    env: { ...process.env, NODE_OPTIONS: preload },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  t.onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  const ended = once(child, "exit");
  assert.deepEqual((await once(child, "message"))[0], { runs: true });
  child.disconnect();
  assert.deepEqual(await ended, [9, null], stderr);
});

test("a missing program ends with 127, as in a shell", async () => {
  const { code, stderr } = await kit("run", ...own(), "--", "no-such-game");
  assert.deepEqual(
    [code, stderr.trim()],
    [127, "kit run: no-such-game: the program or the working folder does not exist."],
  );
});
