// Tests of the command line: help, JSON, exit codes, and output that cannot harm a terminal.
import assert from "node:assert/strict";
import type { Acknowledgement, KitEvent } from "@kit/contract";
import type { Command } from "commander";
import { test } from "vitest";
import { freePort } from "../../../tools/engines/free-port.ts";
import type { DoctorCheck } from "../../src/cli/commands/doctor/check.ts";
import { commands } from "../../src/cli/commands.ts";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { kit, kitOn, placeOf } from "../support/kit-command.ts";
import { launcherOfFile, timestamp } from "../support/own-launcher.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const launcher = await launcherOfFile();
const elsewhere = temporaryFolder("cli");

const { run: own, succeeds } = kitOn(launcher);

/** The command and all its subcommands, each with the words that call it. */
const withSubcommands = (command: Command, above = ""): [words: string, command: Command][] => {
  const words = `${above}${command.name()}`;
  return [[words, command], ...command.commands.flatMap((each) => withSubcommands(each, `${words} `))];
};

test("the help of every command has its usage, a summary and the common options", async () => {
  for (const [words, command] of commands.flatMap((each) => withSubcommands(each))) {
    const { stdout } = await kit(...words.split(" "), "--help");
    for (const part of ["Usage:", "--port", "--data-dir", "--json"])
      assert.ok(stdout.includes(part), `${part} is missing in kit ${words} --help`);
    assert.notEqual(command.description(), "", words);
  }
});

test("kit fire recording --help prints the help of the subcommand", async () => {
  const { code, stdout } = await kit("fire", "recording", "--help");
  assert.equal(code, exitCodes.ok);
  assert.match(stdout, /^Usage: kit fire recording /);
});

test("messages appear in the language of each user, also of two at once, and codes stay the same for programs", async () => {
  const inJapanese = kitOn(launcher, undefined, "ja_JP.UTF-8");
  const words = ["show", "no-such-event"];
  const [refused, { stderr }] = await Promise.all([inJapanese.run(...words), own(...words)]);
  assert.deepEqual(
    [refused.code, refused.stderr.trim()],
    [exitCodes.refused, "no-such-event というイベントはありません。"],
  );
  assert.equal(stderr.trim(), "There is no event no-such-event.");
});

test("kit --help lists every command and every exit code, and fits on a screen of 24 lines with 80 columns", async () => {
  const { code, stdout } = await kit("--help");
  assert.equal(code, exitCodes.ok);
  for (const command of commands) assert.match(stdout, new RegExp(`^ +${command.name()}\\b`, "m"));
  for (const exitCode of Object.values(exitCodes)) assert.match(stdout, new RegExp(`[ ,:]${exitCode} \\w`, "m"));
  const lines = stdout.trimEnd().split("\n");
  assert.ok(lines.length < 24, "the prompt needs a line too");
  for (const line of lines) assert.ok(line.length <= 80, line);
});

const usage: readonly (readonly string[])[] = [
  ["nonsense"],
  ["open", "--nonsense"],
  ["open", "--port", "none"],
  ["open", "--port", "0"],
  ["tail", "--last", "501"],
  ["tail", "--kind", "nonsense"],
  ["fire"],
  ["fire", "recording"],
  ["fire", "nonsense", "x"],
  ["show"],
  ["api", "nonsense"],
  ["restore", "nothing.db"],
];
for (const words of usage) {
  test(`kit ${words.join(" ")} is refused as invalid usage`, async () => {
    const own = words.includes("--port") ? ["--data-dir", launcher.dataDir] : placeOf(launcher);
    const { code, stdout, stderr } = await kit(...words, ...(words.length > 1 && words[0] !== "nonsense" ? own : []));
    assert.equal(code, exitCodes.usage, stderr);
    assert.ok(stderr.length > 0);
    assert.equal(stdout, "");
  });
}

test("without a launcher every command that needs one says how to start it", async () => {
  const port = String(await freePort());
  for (const words of [
    ["tail"],
    ["open"],
    ["show", "x"],
    ["restore"],
    ["api", "getHealth"],
    ["fire", "social", "a_b"],
  ]) {
    const { code, stderr } = await kit(...words, "--port", port, "--data-dir", elsewhere);
    assert.equal(code, exitCodes.unreachable, `kit ${words.join(" ")}: ${stderr}`);
    assert.match(stderr, new RegExp(`port ${port}`));
  }
});

test("a command does not send the secret to a launcher with other data", async () => {
  const { code, stderr } = await kit("api", "listEvents", ...placeOf({ ...launcher, dataDir: elsewhere }));
  assert.equal(code, exitCodes.unreachable);
  assert.match(stderr, /another data directory/);
});

const refusals: readonly (readonly string[])[] = [
  ["show", "nothing"],
  ["api", "listEvents", "before=nothing"],
  ["fire", "recording", " "],
  ["fire", "monitor", ""],
  ["rules", "export", "nobody"],
];
for (const words of refusals) {
  test(`kit ${words.join(" ")} is refused by the launcher, with a reason`, async () => {
    const { code, stderr } = await own(...words);
    assert.equal(code, exitCodes.refused, stderr);
    assert.ok(stderr.trim().length > 10);
    assert.doesNotMatch(stderr, /\n\s+at /);
  });
}

test("options can precede or follow a subcommand", async () => {
  for (const words of [
    ["fire", ...placeOf(launcher), "recording", "saga_boss"],
    ["fire", "recording", ...placeOf(launcher), "saga_boss"],
    ["fire", "recording", "saga_boss", ...placeOf(launcher)],
    ["fire", "--json", "recording", "saga_boss", ...placeOf(launcher)],
    [...placeOf(launcher), "fire", "recording", "saga_boss"],
    [...placeOf(launcher), "api", "getHealth"],
  ]) {
    const { code, stderr } = await kit(...words);
    assert.equal(code, exitCodes.ok, `kit ${words.join(" ")}: ${stderr}`);
  }
});

test("the running launcher is found by its data directory alone", async () => {
  const { code, stdout } = await kit("api", "getHealth", "--data-dir", launcher.dataDir);
  assert.equal(code, exitCodes.ok);
  assert.equal((JSON.parse(stdout) as { product: string }).product, "kit");
});

test("kit fire sends one event of each kind, and kit show prints its receipt", async () => {
  for (const [kind, ...words] of [
    ["recording", "saga_boss"],
    ["social", "saga_victory"],
    ["monitor", "it broke", "at saga.ts:1"],
  ] as const) {
    const { id, status } = (await succeeds("fire", kind, ...words, "--json")).json<Acknowledgement>();
    assert.equal(status, "accepted");
    const { event } = (await succeeds("show", id, "--json")).json<{ event: KitEvent }>();
    assert.equal(event.kind, kind);
    assert.equal(event.payload.eventId ?? event.payload.message, words[0]);
    const shown = (await succeeds("show", id)).stdout;
    assert.ok(shown.includes(id) && shown.includes(words[0]) && shown.includes("accepted"));
    assert.match((await succeeds("fire", kind, ...words)).stdout, /^accepted {2}[0-9a-f-]{36}\n$/);
  }
});

test("kit open prints a link that opens the dashboard once", async () => {
  const { link } = (await succeeds("open", "--json")).json<{ link: string }>();
  assert.match(link, new RegExp(`^http://127\\.0\\.0\\.1:${launcher.port}/#t=[A-Za-z0-9_-]{43}$`));
  assert.match((await succeeds("open", "--print")).stdout, /\/#t=/);
});

test("kit demo prints a link that opens the demo signed in", async () => {
  const { link } = (await succeeds("demo", "--json")).json<{ link: string }>();
  assert.match(link, new RegExp(`^http://127\\.0\\.0\\.1:${launcher.port}/#t=[A-Za-z0-9_-]{43}&page=demo$`));
});

test("kit doctor reports no problem except ffmpeg and the recorder, but reports a port that another Kit uses", async () => {
  const { checks } = (await own("doctor", "--json")).json<{ checks: { name: string; ok: boolean }[] }>();
  assert.deepEqual(
    checks
      .filter(({ ok }) => !ok)
      .map(({ name }) => name)
      .filter((name) => name !== "ffmpeg" && name !== "recorder"),
    [],
  );
  const { code, stdout } = await kit("doctor", ...placeOf({ ...launcher, dataDir: elsewhere }));
  assert.equal(code, exitCodes.unwell);
  assert.match(stdout, new RegExp(`port ${launcher.port} is used by .*process ${process.pid}`));
});

test("kit doctor reports why the newest request was refused or ignored, until one is accepted", async () => {
  const ofEvents = async () => {
    const { checks } = (await own("doctor", "--json")).json<{ checks: DoctorCheck[] }>();
    const { ok, detail, fix } = checks.find(({ name }) => name === "events") ?? assert.fail();
    return `${ok ? "good" : "bad"}: ${detail} → ${fix}`;
  };
  const good = { eventId: "arrivals_begun", timestamp: timestamp() };
  await launcher.send("recording", good);
  assert.match(await ofEvents(), /^good: the newest event of arrivals arrived at /);
  await launcher.send("recording", { eventId: "arrivals_begun" });
  await launcher.send("recording", { ...good, eventId: 7 });
  assert.match(
    await ofEvents(),
    /^bad: a request was refused at .* \(422\), and 1 more since .*eventId.* → .*`npx kit tail/,
  );
  await succeeds("api", "changeEventIdRule", "kind=recording", "eventId=arrivals_begun", "enabled=false");
  await launcher.send("recording", good);
  assert.match(
    await ofEvents(),
    /^bad: .* ignored: .* → npx kit api changeEventIdRule kind=recording eventId=arrivals_begun enabled=true( --data-dir .*)?$/,
  );
  await succeeds("api", "changeEventIdRule", "kind=recording", "eventId=arrivals_begun", "enabled=true");
  await launcher.send("recording", { ...good, timestamp: timestamp() });
  assert.match(await ofEvents(), /^good/);
  const foreign = { ...good, eventId: "arrivals_$(touch x)" };
  await launcher.send("recording", foreign);
  await succeeds("api", "changeEventIdRule", "kind=recording", `eventId=${foreign.eventId}`, "enabled=false");
  await launcher.send("recording", foreign);
  assert.match(
    await ofEvents(),
    /^bad: .* → npx kit api changeEventIdRule kind=recording eventId=ID enabled=true( --data-dir .*)?$/,
  );
  await launcher.send("recording", good, { origin: "https://arrivals.example" });
  assert.match(
    await ofEvents(),
    /^bad: .* → If you trust it: npx kit api decideConsent origin=https:\/\/arrivals\.example decision=30-days( --data-dir .*)?$/,
  );
  await launcher.send("recording", { ...good, timestamp: timestamp() });
});

test("text from a game cannot harm the terminal, in any command", async () => {
  const hostile = "evil\u202e_boss\u200b\u{e0041}\ud800";
  const message = "\u001b[2J\u001b]0;owned\u0007\u009b31m\r\nsecond\u0000line\u2028";
  const trigger = (
    await launcher.send("recording", { eventId: hostile, timestamp: timestamp() })
  ).json<Acknowledgement>();
  const report = (
    await launcher.send(
      "monitor",
      { message, stackTrace: message, timestamp: timestamp() },
      { "content-type": "application/json", "user-agent": "a\tb" },
    )
  ).json<Acknowledgement>();
  for (const words of [
    ["api", "listEvents"],
    ["api", "listGames", "--json"],
    ["show", trigger.id],
    ["show", trigger.id, "--json"],
    ["show", report.id],
    ["show", report.id, "--json"],
  ]) {
    const { stdout } = await succeeds(...words);
    assert.match(stdout, /^[\P{C}\t\n]*$/u, `kit ${words.join(" ")}`);
    assert.doesNotMatch(stdout, /[\u2028\u2029]/);
  }
  const { event } = (await succeeds("show", report.id, "--json")).json<{ event: KitEvent }>();
  assert.deepEqual(
    [event.payload.message, event.payload.stackTrace],
    [message, message],
    "JSON contains exactly the sent text",
  );
});
