// Tests of installing ffmpeg, with stand-ins for the package managers, and the real ffmpeg.
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type FfmpegInstall, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type TestContext, test } from "vitest";
import { cannot } from "../../../../tools/engines/cannot.ts";
import { skipWithout } from "../../../../tools/engines/locate.ts";
import { findFfmpeg } from "./find.ts";
import {
  createFfmpegInstaller,
  findInstaller,
  type InstallerSearch,
  judgeInstall,
  lastLine,
  offerMessage,
} from "./install.ts";

/** A folder of programs: shell scripts by their name. */
function folderWith(t: TestContext, programs: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "kit-managers-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return folder;
}

test("each package manager gets its command, and an administrator's password is asked for only where it is needed", {
  skip: cannot.startScripts,
}, (t) => {
  const find = (platform: NodeJS.Platform, programs: readonly string[], more: Partial<InstallerSearch> = {}) => {
    const searchPath = folderWith(t, Object.fromEntries(programs.map((name) => [name, "exit 0"])));
    const found = findInstaller({ searchPath, platform, isAdministrator: false, ...more });
    return "instead" in found
      ? textOf(found.instead)
      : `${found.asksPassword ? "asks: " : ""}${found.command.join(" ")}`;
  };
  assert.match(
    find("win32", ["winget.exe"]),
    /^winget install --id Gyan\.FFmpeg --exact .*--accept-package-agreements/,
  );
  assert.equal(find("darwin", ["brew"]), "brew install ffmpeg");
  assert.equal(find("linux", ["dnf", "pkexec"]), "asks: pkexec dnf install --assumeyes ffmpeg-free");
  assert.match(find("linux", ["apt-get"]), /let one run `apt-get install --yes ffmpeg`/);
  assert.equal(find("linux", ["pacman"], { isAdministrator: true }), "pacman -S --noconfirm ffmpeg");
  assert.match(find("darwin", ["brew"], { chosen: "/old/ffmpeg" }), /^KIT_FFMPEG names/);
  assert.match(find("win32", []), /^Kit finds no package manager here: run `winget/);
});

test("a person is told the exact command, and that a password will be asked for", () => {
  const command = ["pkexec", "apt-get", "install", "--yes", "ffmpeg"];
  assert.match(
    textOf(offerMessage({ command, asksPassword: true })),
    /`pkexec apt-get install --yes ffmpeg`.*password/,
  );
  assert.doesNotMatch(textOf(offerMessage({ command, asksPassword: false })), /password/);
});

test("the last line of a progress bar is shown without control characters", () => {
  assert.equal(lastLine("Found FFmpeg\r\n  10 %\r\u001b[2K  85 %\r\n ██ \r\n"), "85 %");
  assert.equal(lastLine(""), "");
});

const nowhere = { chosen: "/nowhere/ffmpeg", searchPath: "" } as const;

/** Runs an installation with this script to its end. */
async function install(t: TestContext, script: string, search: Parameters<typeof findFfmpeg>[0]) {
  const command = [join(folderWith(t, { manager: script }), "manager")];
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<void>();
  const installation = createFfmpegInstaller({
    find: () => findFfmpeg(search),
    installer: () => ({ command, asksPassword: false }),
    onEnd,
  });
  const idle = installation.report();
  const running = installation.start();
  assert.deepEqual([idle.state, running.state, installation.start().state], ["idle", "running", "running"]);
  return { installation, ended: ended.then(installation.report) };
}
const codeOf = ({ says }: FfmpegInstall) => (says !== null && typeof says === "object" ? says.code : says);
const saysOf = (install: FfmpegInstall) => [install.state, codeOf(install), install.progress];

test("an installation is over when the new ffmpeg encodes H.264", {
  skip: cannot.startScripts || skipWithout("ffmpeg"),
}, async (t) => {
  const path = process.env.PATH ?? "";
  const { ended } = await install(t, "echo Unpacking; echo Done", { chosen: undefined, searchPath: path });
  assert.deepEqual(saysOf(await ended), ["installed", "ffmpeg.install_done", "Done"]);
});

test("an ffmpeg that winget says is there already, whatever its version, is tested like a new one", {
  skip: skipWithout("ffmpeg"),
}, async () => {
  const find = () => findFfmpeg({ chosen: undefined, searchPath: process.env.PATH ?? "" });
  for (const code of [0x8a15002b, 0x8a15010d, 0x8a15010e]) {
    const { ok, says } = await judgeInstall("winget install", code, find);
    assert.deepEqual([ok, typeof says === "object" ? says.code : says], [true, "ffmpeg.install_done"]);
  }
});

test("its progress is shown, and a failure, a missing program and a missing ffmpeg are said", {
  skip: cannot.startScripts,
}, async (t) => {
  const gate = join(folderWith(t, {}), "gate");
  const { installation, ended } = await install(
    t,
    `echo 50 %; while [ ! -e ${gate} ]; do sleep 0.05; done; exit 9`,
    nowhere,
  );
  while (installation.report().progress !== "50 %") await pause(20);
  writeFileSync(gate, "");
  const failed = await ended;
  assert.deepEqual(saysOf(failed), ["failed", "ffmpeg.install_failed", "50 %"]);
  assert.match(textOf(failed.says ?? ""), /ended with code 9/);
  const absent = await install(t, "exit 0", nowhere);
  assert.equal(codeOf(await absent.ended), "ffmpeg.install_not_found");
  const command = ["/nowhere/manager"];
  const { promise, resolve: onEnd } = Promise.withResolvers<void>();
  const deps = { find: () => findFfmpeg(nowhere), onEnd };
  const unstarted = createFfmpegInstaller({ ...deps, installer: () => ({ command, asksPassword: false }) });
  unstarted.start();
  await promise;
  assert.equal(codeOf(unstarted.report()), "ffmpeg.install_not_started");
  const impossible = createFfmpegInstaller({
    ...deps,
    installer: () => ({ instead: message("ffmpeg.install_as_administrator", { command: "apt-get" }) }),
  });
  assert.equal(impossible.report().command, null);
  assert.throws(() => impossible.start(), { code: "not_found", message: /let one run `apt-get`/ });
});
