// Tests of what `kit doctor` says about the ffmpeg that Kit would use, and about readers of the data on Windows.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import type { DoctorCheck } from "../../src/cli/commands/doctor/check.ts";
import { checkReadersOnWindows, checkVersions, outdatedFfmpegAdvice } from "../../src/cli/commands/doctor.ts";
import { kit } from "../support/kit-command.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("doctor");

/** The check of an ffmpeg with these copyright years, set by KIT_FFMPEG. */
async function checkOf(years: string): Promise<DoctorCheck & { readonly path: string }> {
  const path = join(folder, `ffmpeg-${years}`);
  const script = `#!/bin/sh\necho "ffmpeg version 4.1.3 Copyright (c) ${years} the FFmpeg developers"\n`;
  writeFileSync(path, script, { mode: 0o755 });
  process.env.KIT_FFMPEG = path;
  try {
    const { checks } = (await kit("doctor", "--json", "--data-dir", folder)).json<{ checks: DoctorCheck[] }>();
    return { ...(checks.find(({ name }) => name === "ffmpeg") ?? assert.fail()), path };
  } finally {
    delete process.env.KIT_FFMPEG;
  }
}

test("doctor reports an old ffmpeg with its version, its path and what to do", {
  skip: cannot.startScripts,
}, async () => {
  const { ok, detail, fix, path } = await checkOf("2000-2019");
  assert.equal(ok, false);
  assert.equal(detail, `ffmpeg 4.1.3, as set by KIT_FFMPEG. (${path})`);
  assert.match(fix, /^It is from 2019 .* Set KIT_FFMPEG to a newer one, or unset it and (install|run) .*ffmpeg/);
});

test("doctor accepts an ffmpeg of recent years", { skip: cannot.startScripts }, async () => {
  const { ok, fix } = await checkOf("2000-2024");
  assert.deepEqual([ok, fix], [true, ""]);
});

test("doctor explains how to get a newer ffmpeg than the packaged one, and says nothing if a build has no year", () => {
  const advice = outdatedFfmpegAdvice({ year: 2018, origin: "package" }, "run `brew install ffmpeg`");
  assert.match(
    advice ?? "",
    /from 2018.* To get a newer one, run `brew install ffmpeg`\. Kit prefers an ffmpeg on PATH/,
  );
  assert.equal(outdatedFfmpegAdvice({ origin: "package" }, ""), undefined);
});

test("doctor claims about readers on Windows only what Windows said", () => {
  const repair = "icacls …";
  const answers = {
    "C:\\data": { others: [], repair },
    "D:\\clips": { others: ["everyone"], repair },
    "E:\\": undefined,
  };
  const check = (...folders: readonly (keyof typeof answers)[]) =>
    checkReadersOnWindows(folders, (folder) => answers[folder as keyof typeof answers]);
  const { ok, detail } = check("C:\\data");
  assert.deepEqual([ok, detail], [true, "only you and administrators can read C:\\data"]);
  const open = check("C:\\data", "D:\\clips");
  assert.deepEqual([open.ok, open.detail, open.fix], [false, "D:\\clips can be read by everyone", repair]);
  assert.match(check("C:\\data", "E:\\").detail, /^E:\\: Windows did not say who may read it, so this was not checked/);
});

test("on Windows and macOS, doctor names what an older Node.js cannot do, and the one that can", () => {
  const config = { version: "0.1.0" };
  for (const platform of ["win32", "darwin"] as const) {
    const { ok, detail, fix } = checkVersions(config, platform, false);
    assert.equal(ok, false);
    assert.match(detail, /cannot see which program sends an event/);
    assert.match(fix, /Node\.js 26\.10 or newer, or install Kit from its archive or setup/);
    assert.ok(checkVersions(config, platform, true).ok);
  }
  assert.ok(checkVersions(config, "linux", false).ok);
});
