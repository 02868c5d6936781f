// Tests under several umasks: only the user can read what Kit writes, and programs that Kit starts keep the user's umask.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { deleteClip, exportClip, type GameSession, listClipExports, makeBackup } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { openScene, record, setRule, trigger } from "../recording/scene.ts";
import { kitCommand } from "../support/launcher-process.ts";
import { type LauncherProcess, startLauncherProcess } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";

const skip = cannot.setFileModes || skipWithout("Xvfb", "ffmpeg");

const under =
  (umask: string) =>
  (command: readonly string[]): readonly string[] => ["/bin/sh", "-c", `umask ${umask}; exec "$@"`, "sh", ...command];
const modeOf = (path: string) => (lstatSync(path).mode & 0o777).toString(8);

let place: string;
beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), "kit-modes-"));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Runs `kit` with that umask on a running launcher. */
function kitUnder(umask: string, { port, dataDir }: LauncherProcess, ...words: string[]) {
  const [program = "", ...rest] = under(umask)(kitCommand(...words, "--port", String(port), "--data-dir", dataDir));
  const { status, stdout, stderr } = spawnSync(program, rest, { encoding: "utf8", env: { ...process.env, CI: "1" } });
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

type DoctorReport = { checks: { name: string; ok: boolean; detail: string; fix: string }[] };

/** The permissions check of `kit doctor`. Its other checks do not matter here. */
function permissionsCheck({ port, dataDir }: LauncherProcess) {
  const [program, ...rest] = kitCommand("doctor", "--json", "--port", String(port), "--data-dir", dataDir);
  const { stdout } = spawnSync(program, rest, {
    encoding: "utf8",
    env: { ...process.env, CI: "1", KIT_SECRETS: "file" },
  });
  return (JSON.parse(stdout) as DoctorReport).checks.find(({ name }) => name === "permissions");
}

/** Files that the group or others can access. */
function openBelow(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return paths.filter((path) => {
    // The launcher may have removed a file meanwhile.
    const found = lstatSync(path, { throwIfNoEntry: false });
    return found !== undefined && !found.isSymbolicLink() && (found.mode & 0o077) !== 0;
  });
}

test("under a umask of 000 nothing that Kit writes is open to others, even with the clips in a user's folder", {
  skip,
}, async () => {
  const videos = join(place, "Videos");
  mkdirSync(videos);
  writeFileSync(join(videos, "holiday.mp4"), "");
  chmodSync(videos, 0o755);
  chmodSync(join(videos, "holiday.mp4"), 0o644);
  // Left by an earlier Kit.
  mkdirSync(join(videos, ".media"));
  chmodSync(join(videos, ".media"), 0o755);
  const saved = join(place, "saved");
  mkdirSync(saved);
  const env = { KIT_CLIPS_DIR: videos };
  await using scene = await openScene({ within: under("000"), env }, { width: 640, height: 360 });
  const { launcher, client } = scene;
  await record(scene);
  await setRule(scene, "kit_demo_victory", { preSeconds: 1, postSeconds: 1, mergeGapSeconds: 0 });
  await setRule(scene, "kit_demo_find", { action: "screenshot" });
  await trigger(launcher, "kit_demo_victory");
  await trigger(launcher, "kit_demo_find");
  const clips = await until("a clip and a screenshot", async () => {
    const made = await scene.clips();
    return made.length === 2 && made.every(({ state }) => state === "saved") ? made : undefined;
  });
  const clip = clips.find(({ kind }) => kind === "clip");
  const picture = clips.find(({ kind }) => kind === "screenshot");
  assert.ok(clip && picture);
  const media = () => readdirSync(join(videos, ".media")).filter((name) => !name.endsWith(".part"));
  await until("a preview", () => media().some((name) => name.endsWith(".mp4")));
  const { id } = await client.call(exportClip, { body: { clip: clip.id, preset: "discord" } });
  await until("a copy", async () =>
    (await client.call(listClipExports, { query: { clip: clip.id } })).exports.find(
      (one) => one.id === id && one.state === "ready",
    ),
  );
  await client.call(deleteClip, { params: { id: picture.id }, query: {} });
  await client.call(makeBackup);
  kitUnder("000", launcher, "api", "exportEverything", "files=true", "--out", join(saved, "all.zip"));
  kitUnder("000", launcher, "api", "getClipExportFile", `id=${id}`, "--out", join(saved, "copy.mp4"));
  const inside = [
    ...readdirSync(videos, { recursive: true, encoding: "utf8" }),
    ...readdirSync(launcher.dataDir, { recursive: true, encoding: "utf8" }),
  ];
  for (const kind of [
    /^\.media\/.*\.jpg$/,
    /^\.media\/.*\.mp4$/,
    /^\.bin\/.+/,
    /^backups\/.+/,
    /^fitted\/.+/,
    /^kit\.db-wal$/,
  ])
    assert.ok(
      inside.some((name) => kind.test(name)),
      `${kind} is not there: ${inside.join(" ")}`,
    );
  assert.equal(readdirSync(saved).length, 2);

  const folders = [launcher.dataDir, videos, saved];
  const open = folders.flatMap(openBelow).map((path) => `${relative(place, path)} ${modeOf(path)}`);
  assert.deepEqual(open, ["Videos/holiday.mp4 644"]);
  assert.equal(modeOf(launcher.dataDir), "700");
  assert.equal(modeOf(videos), "755", "an existing folder of the user is unchanged");

  const shown = permissionsCheck(launcher);
  assert.equal(shown?.detail, `only you can read ${launcher.dataDir} and the clips in ${videos}`);
  // The command does not know --clips-dir, so the launcher must tell it.
  for (const path of [join(videos, ".media"), clip.path ?? "", launcher.dataDir]) {
    const before = lstatSync(path).mode;
    chmodSync(path, before | 0o044);
    const mend = permissionsCheck(launcher);
    assert.deepEqual(
      [mend?.ok, mend?.detail, mend?.fix],
      [false, `other users can read ${path}`, `chmod go-rwx '${path}'`],
    );
    chmodSync(path, before);
  }
});

for (const umask of ["0002", "0022", "0027"]) {
  test(`kit run and Play start a game with the user's own umask, ${umask}`, { skip: cannot.setFileModes }, async () => {
    await using launcher = await startLauncherProcess({ within: under(umask) });
    const said = kitUnder(umask, launcher, "run", "--", "/bin/sh", "-c", "umask");
    assert.equal(said.trim(), umask);
    const facts = join(place, `played-${umask}`);
    const command = {
      program: "/bin/sh",
      arguments: ["-c", `umask > "${facts}.new" && mv "${facts}.new" "${facts}"`],
      folder: place,
    };
    assert.equal((await launcher.api("PUT", "/api/library", { game: "saga", command })).status, 200);
    const played = await launcher.api("POST", "/api/library/saga/play");
    assert.equal(played.status, 202, played.text);
    await until("what the game says", () => existsSync(facts));
    assert.equal(readFileSync(facts, "utf8").trim(), umask);
    // The end is recorded before the launcher ends.
    await until("the end of the game", async () =>
      (await launcher.api("GET", "/api/sessions?game=saga"))
        .json<{ sessions: GameSession[] }>()
        .sessions.find(({ endedAt }) => endedAt !== null),
    );
  });
}

test("a file for other people has the mode of the user's umask", { skip: cannot.setFileModes }, async () => {
  await using launcher = await startLauncherProcess({ within: under("0022") });
  await launcher.trigger("saga_won");
  const out = join(place, "kit.events.json");
  await until("the game is known", async () => (await launcher.api("GET", "/api/rules/file?game=saga")).status === 200);
  kitUnder("0022", launcher, "rules", "export", "saga", "--out", out);
  assert.equal(modeOf(out), "644");
});
