// Tests of switching autostart on and off on simulated systems, with real files.

import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { textOf } from "@kit/contract";
import { type TestContext, test } from "vitest";
import { createAutostart, type SystemFacts } from "./autostart.ts";
import { openRegistry } from "./test/registry.ts";

const command = ["/opt/kit/kit", "start", "--no-open", "--port", "9876", "--data-dir", "/home/mi ka/data"];

type Given = Partial<SystemFacts> & { readonly started?: readonly string[]; readonly systemctl?: number };

/** A system with an empty home folder. Records the programs that are run. */
function openSystem(t: TestContext, { started = command, systemctl, ...given }: Given = {}) {
  const configHome = given.configHome ?? mkdtempSync(join(tmpdir(), "kit-autostart-"));
  t.onTestFinished(() => rmSync(configHome, { recursive: true, force: true }));
  const ran: string[] = [];
  const run: SystemFacts["run"] = async (program, args) => {
    ran.push([program, ...args].join(" "));
    return args.includes("is-active") ? systemctl : 0;
  };
  const system: SystemFacts = { platform: "linux", usesSystemd: true, hasDesktop: true, run, ...given, configHome };
  return { configHome, ran, autostart: createAutostart({ system, command: started }) };
}

const service = "systemd/user/kit.service";
const entry = "autostart/kit.desktop";

test("if systemd runs the desktop, the service starts with it, and systemd reloads its files", async (t) => {
  const { configHome, ran, autostart } = openSystem(t, { systemctl: 0 });
  assert.deepEqual((await autostart.state()).on, false);
  const { on, by, place, detail } = await autostart.set(true);
  assert.deepEqual({ on, by, place }, { on: true, by: "systemd", place: join(configHome, service) });
  assert.equal(textOf(detail), "systemd starts Kit when you sign in.");
  const link = join(configHome, "systemd/user/graphical-session.target.wants/kit.service");
  assert.equal(readlinkSync(link), join(configHome, service));
  assert.ok(ran.includes("systemctl --user daemon-reload"));
  assert.equal((await autostart.set(false)).on, false);
  assert.deepEqual([existsSync(link), existsSync(join(configHome, service))], [false, false]);
});

test("without a desktop, the service starts at sign-in; if systemctl does not answer, it is not called again", async (t) => {
  const { configHome, ran, autostart } = openSystem(t, { hasDesktop: false, systemctl: 1 });
  await autostart.set(true);
  assert.ok(existsSync(join(configHome, "systemd/user/default.target.wants/kit.service")));
  assert.deepEqual(ran, ["systemctl --user is-active --quiet graphical-session.target"]);
});

test("a desktop that systemd does not run, and a system without systemd, get a desktop entry", async (t) => {
  for (const given of [{ systemctl: 3 }, { systemd: false }, { systemd: false, desktop: false }]) {
    const { configHome, autostart } = openSystem(t, given);
    const { on, by } = await autostart.set(true);
    assert.deepEqual({ on, by }, { on: true, by: "xdg" });
    assert.deepEqual([existsSync(join(configHome, entry)), existsSync(join(configHome, service))], [true, false]);
    assert.equal((await autostart.set(false)).on, false);
    assert.ok(!existsSync(join(configHome, entry)));
  }
});

test("switching on twice changes nothing; after a change of desktop, the entry moves, so that only one Kit starts", async (t) => {
  const { configHome, autostart } = openSystem(t, { systemctl: 3 });
  await autostart.set(true);
  const text = readFileSync(join(configHome, entry), "utf8");
  await autostart.set(true);
  assert.equal(readFileSync(join(configHome, entry), "utf8"), text);
  const moved = openSystem(t, { configHome, systemctl: 0 }).autostart;
  assert.deepEqual((await moved.state()).on, true);
  assert.equal((await moved.set(true)).by, "systemd");
  assert.deepEqual([existsSync(join(configHome, entry)), existsSync(join(configHome, service))], [false, true]);
});

test("an entry of another version or folder of Kit is reported as outdated, and rewritten", async (t) => {
  const { configHome, autostart } = openSystem(t, { usesSystemd: false, started: ["/old/kit", "start"] });
  await autostart.set(true);
  const now = openSystem(t, { configHome, usesSystemd: false }).autostart;
  const { on, can, detail } = await now.state();
  assert.deepEqual({ on, can }, { on: true, can: true });
  assert.match(textOf(detail), /another copy or version of Kit: switch it on again/u);
  await now.set(true);
  assert.match(readFileSync(join(configHome, entry), "utf8"), /\/opt\/kit\/kit/u);
});

test("a file that was changed by hand is neither replaced nor removed, and Kit reports it", async (t) => {
  const { configHome, autostart } = openSystem(t, { usesSystemd: false });
  const place = join(configHome, entry);
  await autostart.set(true);
  writeFileSync(place, `${readFileSync(place, "utf8")}X-Mine=1\n`);
  const kept = readFileSync(place, "utf8");
  const { on, can, detail } = await autostart.state();
  assert.deepEqual({ on, can }, { on: true, can: false });
  assert.match(textOf(detail), /was changed by another program or a person/u);
  for (const wanted of [true, false])
    await assert.rejects(autostart.set(wanted), {
      code: "payload_invalid",
      message: /leaves it unchanged\. Remove it yourself/u,
    });
  assert.equal(readFileSync(place, "utf8"), kept);
});

test("a link into a folder of shared settings is not followed, and stays", async (t) => {
  const { configHome, autostart } = openSystem(t, { systemctl: 0 });
  const place = join(configHome, service);
  const elsewhere = join(configHome, "dotfiles.service");
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(elsewhere, "[Service]\nExecStart=/bin/true\n");
  symlinkSync(elsewhere, place);
  await assert.rejects(autostart.set(true), { code: "payload_invalid" });
  await autostart.set(false);
  assert.equal(readFileSync(elsewhere, "utf8"), "[Service]\nExecStart=/bin/true\n");
});

test("a service that was disabled in systemd is reported as off", async (t) => {
  const { configHome, autostart } = openSystem(t, { systemctl: 0 });
  await autostart.set(true);
  rmSync(join(configHome, "systemd/user/graphical-session.target.wants/kit.service"));
  const { on, can, detail } = await autostart.state();
  assert.deepEqual({ on, can }, { on: false, can: true });
  assert.match(textOf(detail), /switched off in the system/u);
  assert.equal((await autostart.set(true)).on, true);
});

test("a read-only folder is reported and does not stop the launcher", async (t) => {
  const { configHome, autostart } = openSystem(t, { usesSystemd: false });
  writeFileSync(join(configHome, "autostart"), "a file where the folder should be");
  await assert.rejects(autostart.set(true), { code: "payload_invalid", message: /rejected the change: E/u });
});

test("a program with a quote or a percent sign in its path is started through env", async (t) => {
  const { configHome, autostart } = openSystem(t, { usesSystemd: false, started: ["/opt/it's 5%/kit", "start"] });
  await autostart.set(true);
  assert.match(
    readFileSync(join(configHome, entry), "utf8"),
    /^Exec="\/usr\/bin\/env" "\/opt\/it's 5%%\/kit" "start"$/mu,
  );
});

test("a command that cannot be started is refused with the reason", async (t) => {
  const refusing = [
    { given: { started: ["/k", "a\nb"] }, why: /control character/u },
    { given: { started: ["/home/mika/.npm/_npx/1a2b/node_modules/kit/bin/kit.js"] }, why: /npx/u },
    { given: { platform: "freebsd" as const }, why: /freebsd/u },
    { given: { platform: "win32" as const, started: ["C:\\k.exe", "x".repeat(300)] }, why: /at most 260/u },
  ];
  for (const { given, why } of refusing) {
    const { autostart } = openSystem(t, given);
    const { can, detail } = await autostart.state();
    assert.equal(can, false);
    assert.match(textOf(detail), why);
    await assert.rejects(autostart.set(true), { code: "payload_invalid", message: why });
  }
});

test("macOS gets a launch agent, which can be removed", async (t) => {
  const { configHome, autostart } = openSystem(t, { platform: "darwin" });
  const { by, place } = await autostart.set(true);
  assert.deepEqual({ by, place }, { by: "launchd", place: join(configHome, "LaunchAgents/kit.launcher.plist") });
  await autostart.set(false);
  assert.ok(!existsSync(place ?? ""));
});

test("Windows' Run key is written and read back with any alphabet, and a value changed by hand stays", async (t) => {
  const { values, run } = openRegistry();
  const started = ["C:\\Users\\日本 Ström\\kit.exe", "start", "--no-open"];
  const { autostart } = openSystem(t, { platform: "win32", run, started });
  const { on, by } = await autostart.set(true);
  assert.deepEqual({ on, by }, { on: true, by: "registry" });
  assert.equal((await autostart.set(false)).on, false);
  assert.equal(values.size, 0);
  await autostart.set(true);
  const [run64 = ""] = [...values.keys()].filter((name) => name.includes("CurrentVersion"));
  values.set(run64, "something else");
  await assert.rejects(autostart.set(false), { code: "payload_invalid", message: /leaves it unchanged/u });
  assert.equal(values.get(run64), "something else");
});
