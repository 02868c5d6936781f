// Tests of the clip commands: list, search, trim, export, play, of pictures that were missing, and a launcher killed during one of them.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type Clip, type ClipExport, type listClips, type ReplyOf, textOf } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { pathOf, skipWithout } from "../../../tools/engines/locate.ts";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { clipIn, judge } from "../../src/recording/trim/test/trim-rig.ts";
import { dataDirAt } from "../../src/storage/data-dir.ts";
import { kitOn } from "../support/kit-command.ts";
import { type LauncherProcess, startLauncherProcess } from "../support/own-launcher.ts";
import { openStorageIn } from "../support/storage-folder.ts";
import { until } from "../support/until.ts";

const skip = skipWithout("ffmpeg");
let root: string;
let launcher: LauncherProcess;
let whole: Awaited<ReturnType<typeof clipIn>>;
/** While this file exists, no ffmpeg starts. */
let hold: string;

function script(name: string, lines: string): string {
  const path = join(root, "programs", name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o700);
  return path;
}

beforeAll(async () => {
  if (skip) return;
  root = mkdtempSync(join(tmpdir(), "kit-cli-clips-"));
  hold = join(root, "hold");
  const dataDir = join(root, "data");
  const clipsDir = join(root, "data", "clips");
  for (const folder of [dataDir, clipsDir, join(root, "programs"), join(root, "out")]) mkdirSync(folder);
  {
    await using opened = await openStorageIn(dataDirAt(dataDir));
    whole = await clipIn({ ...opened, clipsDir });
  }
  script("dbus-send", `printf '%s\\n' "$@" > "${root}/shown"`);
  const ffmpeg = script("ffmpeg", `while [ -e "${hold}" ]; do sleep 0.05; done\nexec "${pathOf("ffmpeg")}" "$@"`);
  const PATH = [join(root, "programs"), process.env.PATH].join(delimiter);
  launcher = await startLauncherProcess({ dataDir, env: { KIT_FFMPEG: ffmpeg, PATH, DISPLAY: ":9999" } });
});
afterAll(async () => {
  await launcher?.[Symbol.asyncDispose]();
  if (root !== undefined) rmSync(root, { recursive: true, force: true });
});

const own = (...words: readonly string[]) => kitOn(launcher).run(...words);
const succeeds = (...words: readonly string[]) => kitOn(launcher).succeeds(...words);
const idsOf = async (...words: readonly string[]) =>
  (await succeeds("clips", ...words, "--json")).json<Clip[]>().map(({ id }) => id);

test("a clip without a poster and a preview gets them because somebody lists it", { skip }, async () => {
  await until("its pictures", async () => {
    const { clips } = (await launcher.api("GET", "/api/clips")).json<ReplyOf<typeof listClips>>();
    return clips.some(({ id, poster, preview }) => id === whole.id && poster && preview);
  });
});

test("a clip can be tagged, renamed and found by its words, ignoring case", { skip }, async () => {
  const { id } = whole;
  const named = ["--rename", "Der Übermut", "--tag", "Boss", "--tag", "best of"];
  const tagged = (await succeeds("clip", id, ...named, "--json")).json<Clip>();
  assert.deepEqual([tagged.title, tagged.tags], ["Der Übermut", ["best of", "Boss"]]);
  const again = (await succeeds("clip", id, "--tag", "BOSS", "--untag", "Best Of", "--json")).json<Clip>();
  assert.deepEqual(again.tags, ["BOSS"]);
  assert.match((await succeeds("clip", id)).stdout, /^tags +BOSS$/m);
  assert.match((await succeeds("clips", "tags")).stdout, /^BOSS +1$/m);
  for (const words of ["übermut", "DER über", "saga_boss", "bos", "ü"]) {
    assert.deepEqual(await idsOf("--search", words), [id], words);
  }
  assert.deepEqual([await idsOf("--search", "übermut nobody"), await idsOf("--tag", "boss")], [[], [id]]);
  assert.match((await succeeds("clips", "--tag", "nothing")).stdout, /No matching clips/);
  const bad = await own("clip", id, "--tag", "a,b");
  assert.deepEqual([bad.code, /tags\.\d.*without a comma/.test(bad.stderr)], [exitCodes.refused, true], bad.stderr);
});

test("a clip is trimmed exactly to the frame, with poster and preview, and the trim names its original", {
  skip,
}, async () => {
  const words = ["clip", whole.id, "--trim", "2.51-0:05.99", "--rename", "the blow"];
  const part = (await succeeds(...words, "--json")).json<Clip>();
  assert.deepEqual([part.state, part.title, part.trimmedFrom], ["saved", "the blow", whole.id]);
  await judge(String(part.path), { fromMs: whole.fromMs + 2_510, toMs: whole.fromMs + 5_990 });
  const pictured = async () => (await launcher.api("GET", `/api/clips/${part.id}`)).json<Clip>();
  await until("the pictures are there", async () => ((await pictured()).preview ? true : undefined));
  assert.equal((await launcher.api("GET", `/api/clips/${part.id}/poster`)).status, 200);
  assert.deepEqual(await idsOf("--sort", "longest"), [whole.id, part.id]);
  const refused = await own("clip", whole.id, "--trim", "2-99");
  assert.deepEqual([refused.code, /8\.00 s long/.test(refused.stderr)], [exitCodes.refused, true], refused.stderr);
  assert.equal((await own("clip", whole.id, "--trim", "5-2")).code, exitCodes.usage);
  assert.equal((await own("clip", whole.id, "--trim", "1-2", "--pin", "--delete")).code, exitCodes.usage);
});

test("an export is written to the given place, and never overwrites a file", { skip }, async () => {
  const folder = join(root, "out");
  const ready = (await succeeds("clips", "export", whole.id, "--preset", "email", "--out", folder, "--json")).json<
    ClipExport & { path: string }
  >();
  assert.match(ready.path, /out\/.+ email\.mp4$/);
  assert.ok(readFileSync(ready.path).equals(readFileSync(whole.path)), "the clip already fits and is copied unchanged");
  const taken = await own("clips", "export", whole.id, "--preset", "email", "--out", ready.path);
  assert.deepEqual([taken.code, /already exists/.test(taken.stderr)], [exitCodes.failed, true], taken.stderr);
  const head = await launcher.api("GET", `/api/clip-exports/${ready.id}/file`);
  assert.match(String(head.headers["content-disposition"]), /attachment; filename=".+ email\.mp4"/);
  const sized = join(folder, "small.mp4");
  assert.match(
    (await succeeds("clips", "export", whole.id, "--size", "0.5MB", "--out", sized)).stdout,
    /small\.mp4, \d/,
  );
  assert.ok(statSync(sized).size <= 500_000);
  assert.equal((await own("clips", "export", whole.id, "--out", folder)).code, exitCodes.usage);
});

test("presets, parts and single frames are saved by command, and a clipboard that cannot be reached is a refusal", {
  skip,
}, async () => {
  const folder = join(root, "out");
  const words = ["clips", "export", whole.id, "--preset", "gif", "--part", "0:01-3", "--crop", "100%", "--out", folder];
  const gif = (await succeeds(...words, "--json")).json<ClipExport & { path: string }>();
  assert.deepEqual([gif.range, gif.crop], [{ fromSeconds: 1, toSeconds: 3 }, { position: 1 }]);
  assert.equal(readFileSync(gif.path).toString("latin1", 0, 6), "GIF89a");
  const frame = (await succeeds("clips", "frame", whole.id, "--at", "0:02.5", "--out", folder, "--json")).json<{
    path: string;
  }>();
  assert.match(frame.path, /out\/.+ at 2_50\.png$/);
  assert.equal(readFileSync(frame.path).toString("latin1", 1, 4), "PNG");
  assert.equal((await own("clips", "export", whole.id, "--preset", "gif", "--crop", "101%")).code, exitCodes.usage);
  const refused = await own("clips", "copy", whole.id);
  assert.deepEqual([refused.code, /The screen :9999 did not take/.test(refused.stderr)], [exitCodes.refused, true]);
});

test("the clip is shown in the file manager, and its path is printed", { skip }, async () => {
  assert.equal((await succeeds("clip", whole.id, "--reveal")).stdout, `${whole.path}\n`);
  assert.match(readFileSync(join(root, "shown"), "utf8"), new RegExp(`array:string:file://.*/${whole.id}\\.mp4`));
});

test("a launcher killed in the middle of a trim finishes it at the next start", { skip }, async () => {
  const ask = { fromSeconds: 1.2, toSeconds: 4.7 };
  const part = async (id: string) => (await launcher.api("GET", `/api/clips/${id}`)).json<Clip>();
  writeFileSync(hold, "");
  const { id } = (await launcher.api("POST", `/api/clips/${whole.id}/trim`, ask)).json<Clip>();
  await until("the trim is being verified", async () => ((await part(id)).stage === "verifying" ? true : undefined));
  assert.ok(existsSync(join(launcher.dataDir, "clips", `${id}.part`)));
  await launcher.restart("SIGKILL", () => rmSync(hold));
  const made = await until("the trim is finished", async () => {
    const now = await part(id);
    return now.state === "pending" ? undefined : now;
  });
  assert.equal(made.state, "saved", textOf(made.reason ?? ""));
  await judge(String(made.path), { fromMs: whole.fromMs + 1_200, toMs: whole.fromMs + 4_700 });
  const { clips } = (await launcher.api("GET", "/api/clips")).json<ReplyOf<typeof listClips>>();
  assert.equal(
    clips.filter(({ trimmedFrom, startedAt }) => trimmedFrom === whole.id && startedAt === made.startedAt).length,
    1,
  );
});
