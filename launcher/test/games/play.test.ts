// Tests of Play: the launcher starts real programs, and they keep running when it exits.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GameSession, LibraryGame } from "@kit/contract";
import { afterAll, beforeAll, type TestContext, test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { placeOf } from "../support/kit-command.ts";
import { type LauncherProcess, problemIn, startLauncherProcess } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";

const skip = cannot.startScripts;

let launcher: LauncherProcess;
let place: string;
beforeAll(async () => {
  if (skip) return;
  place = mkdtempSync(join(tmpdir(), "kit-play-"));
  launcher = await startLauncherProcess();
});
afterAll(async () => {
  await launcher?.[Symbol.asyncDispose]();
  if (place) rmSync(place, { recursive: true, force: true });
});

/**
 * Writes a game that records how it was started, prints a line, and runs until its file `end` exists, it is killed, or the folder is
 * removed.
 */
function gameAt(t: TestContext, name: string) {
  const [program, facts, end] = ["", ".facts", ".end"].map((part) => join(place, name + part)) as [
    string,
    string,
    string,
  ];
  const script = `#!/bin/sh
echo loading the vault >&2
printf '%s\\n' "$$" "$PWD" "$#" "$@" > "${facts}.new" && mv "${facts}.new" "${facts}"
for try in $(seq 12000); do [ -e "${end}" ] || [ ! -d "${place}" ] && exit 3; sleep 0.05; done
`;
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  t.onTestFinished(() => writeFileSync(end, ""));
  const started = () =>
    until(`${name} runs`, () => (existsSync(facts) ? readFileSync(facts, "utf8").trimEnd().split("\n") : undefined));
  return { program, facts, started, end: () => writeFileSync(end, "") };
}

const _own = () => placeOf(launcher);
const setCommand = (game: string, program: string, words: readonly string[] = []) =>
  launcher.api("PUT", "/api/library", { game, command: { program, arguments: words, folder: place } });
const play = (game: string) => launcher.api("POST", `/api/library/${game}/play`);
const inLibrary = async (name: string) => {
  const { games } = (await launcher.api("GET", "/api/library")).json<{ games: LibraryGame[] }>();
  return games.find(({ game }) => game === name);
};
const sessionOf = (game: string, fits: (session: GameSession) => boolean) =>
  until(`a session of ${game}`, async () => {
    const { sessions } = (await launcher.api("GET", `/api/sessions?game=${game}`)).json<{ sessions: GameSession[] }>();
    return sessions.find(fits);
  });
const runs = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("a game is started once at a time, with its exact arguments and in its folder, and its end is recorded", {
  skip,
}, async (t) => {
  const game = gameAt(t, "saga");
  const words = ["--windowed", "a b", "$(touch hurt); `x` 'y' \"z\" *", ""];
  assert.equal((await setCommand("saga", game.program, words)).status, 200);
  const [one, other] = await Promise.all([play("saga"), play("saga")]);
  assert.deepEqual([one.status, other.status].sort(), [202, 422]);
  const refused = one.status === 422 ? one : other;
  assert.match(refused.text, /saga was already started/);
  const [, inFolder, count, ...given] = await game.started();
  assert.deepEqual([inFolder, count, given.concat("").slice(0, 4)], [place, "4", words]);
  const running = await sessionOf("saga", ({ ending }) => ending === "running");
  assert.deepEqual([running.knownBy, running.program, (await inLibrary("saga"))?.playing], ["run", "saga", true]);
  game.end();
  const { exitCode } = await sessionOf("saga", ({ ending }) => ending === "exited");
  assert.equal(exitCode, 3);
});

test("no end of the launcher ends a game, a running game is not started twice, and its crash is reported", {
  skip,
}, async (t) => {
  const game = gameAt(t, "quest");
  await setCommand("quest", game.program);
  assert.equal((await play("quest")).status, 202);
  const pid = Number((await game.started())[0]);
  await sessionOf("quest", ({ ending }) => ending === "running");
  for (const signal of ["SIGKILL", "SIGTERM"] as const) {
    await launcher.restart(signal);
    assert.ok(runs(pid), signal);
    const again = await play("quest");
    assert.deepEqual([again.status, problemIn(again).paths], [422, ["/game"]]);
    assert.match(again.text, /quest has been running since/);
  }
  process.kill(pid, "SIGSEGV");
  const { crash } = await sessionOf("quest", ({ crash: of }) => of !== null);
  const payload = (await launcher.receipt(crash ?? "")).event.payload as { stackTrace: string };
  assert.equal(payload.stackTrace, "loading the vault");
});

test("a game that ended can be started again while a program that it started still has its output open", {
  skip,
}, async (t) => {
  const game = gameAt(t, "relay");
  const left = join(place, "left.end");
  const program = join(place, "relay-starter");
  writeFileSync(program, `#!/bin/sh\n(until [ -e "${left}" ]; do sleep 0.05; done) &\nexec "${game.program}"\n`);
  chmodSync(program, 0o755);
  t.onTestFinished(() => writeFileSync(left, ""));
  await setCommand("relay", program);
  assert.equal((await play("relay")).status, 202);
  await game.started();
  game.end();
  const first = await sessionOf("relay", ({ ending }) => ending === "exited");
  const again = await play("relay");
  assert.equal(again.status, 202, again.text);
  // It ends before its folder is removed.
  await sessionOf("relay", ({ ending, id }) => ending === "exited" && id !== first.id);
});

test("a game that cannot be started is refused with the reason, and gets no session", { skip }, async (t) => {
  assert.match((await play("nobody")).text, /There is no game nobody/);
  const broken = join(place, "broken");
  writeFileSync(broken, "#!/no/such/interpreter\n", { mode: 0o755 });
  await setCommand("broken", broken);
  const answer = await play("broken");
  assert.equal(answer.status, 422);
  assert.match(answer.text, /broken did not start: .*the program or the working folder does not exist/);
  const game = gameAt(t, "gone");
  await setCommand("gone", game.program);
  rmSync(game.program);
  assert.deepEqual(problemIn(await play("gone")).paths, ["/command/program"]);
  assert.equal((await inLibrary("gone"))?.sessions, 0);
});
