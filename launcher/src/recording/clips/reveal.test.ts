// Tests of showing a clip in the file manager: the exact commands, and on Linux the run of stand-ins.
import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KitError } from "@kit/contract";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { cannot } from "../../../../tools/engines/cannot.ts";
import { createRevealClip, revealCommands } from "./reveal.ts";

const skip = cannot.useFreedesktop;
const clip = "/home/ü/Kit, own/it's a %20 clip.mp4";
const address = "file:///home/%C3%BC/Kit%2C%20own/it%27s%20a%20%2520%20clip.mp4";

test("on Linux two programs ask the file manager in turn, and the folder is opened if neither succeeds", () => {
  const [send, call, open, ...others] = revealCommands("linux", clip);
  assert.deepEqual(send?.args.slice(-3), [
    "org.freedesktop.FileManager1.ShowItems",
    `array:string:${address}`,
    "string:",
  ]);
  assert.deepEqual(call?.args.slice(-3), ["org.freedesktop.FileManager1.ShowItems", `['${address}']`, ""]);
  assert.deepEqual([open?.program, open?.args, others], ["xdg-open", ["/home/ü/Kit, own"], []]);
});

test("on macOS and Windows, the system's own program selects the file", () => {
  assert.deepEqual(revealCommands("darwin", clip), [{ program: "/usr/bin/open", args: ["-R", clip] }]);
  const [explorer] = revealCommands("win32", "C:\\Kit, own\\a clip.mp4");
  assert.deepEqual(
    [explorer?.program, explorer?.args, explorer?.isVerbatim],
    ["explorer.exe", ['/select,"C:\\Kit, own\\a clip.mp4"'], true],
  );
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kit-reveal-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  await rm(join(folder, "calls"), { force: true });
});

/** Installs a program that records its arguments and exits with that code. */
async function standIn(program: string, code: number): Promise<void> {
  const path = join(folder, program);
  await writeFile(
    path,
    `#!/bin/sh\numask > "${folder}/umask"\nprintf '%s\\n' ${program} "$@" >> "${folder}/calls"\nexit ${code}\n`,
  );
  await chmod(path, 0o700);
}
const calls = async () => (await readFile(join(folder, "calls"), "utf8")).split("\n");
const reveal = (needs: { hasDesktop?: boolean; searchPath?: string; isThere?: boolean } = {}) =>
  createRevealClip({
    hasDesktop: needs.hasDesktop ?? true,
    searchPath: needs.searchPath ?? folder,
    umask: 0o022,
    library: {
      mediaFile: async () =>
        needs.isThere === false ? undefined : { path: clip, type: "video/mp4", downloadName: "clip.mp4" },
    },
  })("an id");
const refused = (message: RegExp) => (error: unknown) =>
  error instanceof KitError && error.code === "not_found" && message.test(error.message);

test("no program is started after the first one that succeeds", { skip }, async () => {
  await standIn("dbus-send", 1);
  await standIn("gdbus", 0);
  await standIn("xdg-open", 0);
  await reveal();
  const words = await calls();
  assert.ok(
    words.includes("dbus-send") && words.includes(`['${address}']`) && !words.includes("xdg-open"),
    words.join(" "),
  );
});

test("if no file manager answers, the folder is opened, and if nothing works, the error names the file", {
  skip,
}, async () => {
  await standIn("dbus-send", 1);
  await standIn("gdbus", 1);
  await standIn("xdg-open", 0);
  await reveal();
  assert.deepEqual((await calls()).slice(-3), ["xdg-open", "/home/ü/Kit, own", ""]);
  assert.equal(await readFile(join(folder, "umask"), "utf8"), "0022\n", "it was started with the user's umask");
  await standIn("xdg-open", 4);
  await assert.rejects(reveal(), refused(/xdg-utils.*The file is \/home\/ü\/Kit, own\/it's a %20 clip\.mp4/));
  await assert.rejects(reveal({ searchPath: `relative:${folder}/nothing` }), refused(/No file manager/));
});

test("without a desktop nothing is started, and a clip without a file is refused", { skip }, async () => {
  await standIn("dbus-send", 0);
  await assert.rejects(reveal({ hasDesktop: false }), refused(/not running in a desktop session\. The file is \/home/));
  await assert.rejects(reveal({ isThere: false }), refused(/no file in the clips folder/));
  await assert.rejects(calls(), /ENOENT/);
});
