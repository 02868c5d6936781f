// Tests the folder of Kit for Windows under Wine: what it contains, what its kit-open.exe says if node.exe is missing, and that it
// opens the dashboard signed in, whether or not Kit runs.
import assert from "node:assert/strict";
import { copyFileSync, mkdtempDisposableSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listClips, openSignInSession } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { connectToDisplay } from "../../../launcher/src/recording/x11/connection.ts";
import { readTitledWindows } from "../../../launcher/src/recording/x11/screen.ts";
import { until } from "../../../launcher/test/support/until.ts";
import { openDisplay } from "../../engines/display.ts";
import { skipWithout } from "../../engines/locate.ts";
import { openWindows } from "../../engines/windows-computer.ts";
import { repositoryRoot } from "../../repository.ts";
import { addWindowsPrograms } from "../installer/setup.ts";
import { type OwnWindows, openedPage, openOwnWindows, startKit, writeKit } from "./own-windows.ts";

const skip = skipWithout("Wine", "Node.js for Windows", "Xvfb", "ffmpeg for Windows", "kit-sound for Windows", "NSIS");

test("the folder has Kit, its programs, their licences and the source of ffmpeg, and kit-open.exe says that node.exe is gone", {
  skip,
}, async (t) => {
  using work = mkdtempDisposableSync(join(tmpdir(), "kit-folder-"));
  const folder = join(work.path, "kit");
  writeKit(folder);
  addWindowsPrograms(repositoryRoot, "1.2.3", folder);
  assert.deepEqual(
    readdirSync(folder).toSorted(),
    ["LICENSE", "LICENSE.ffmpeg.txt", "licences.txt"]
      .concat("node.exe", "launcher", "dashboard", "sdk", "node_modules", "package.json", "kit.cmd")
      .concat("ffmpeg.exe", "ffmpeg-source", "kit-open.exe", "kit-sound.exe", "kit.ico")
      .toSorted(),
  );
  assert.deepEqual(
    readdirSync(join(folder, "ffmpeg-source")).map((name) => name.replace(/_.*/, "")),
    ["build.ts", "ffmpeg", "libwebp", "nv-codec-headers", "onevpl", "recipe.ts", "x264"],
  );

  const display = await openDisplay("800x600");
  const windows = openWindows({ display: display.name });
  const abort = new AbortController();
  t.onTestFinished(async () => {
    abort.abort();
    windows.close();
    await display.close();
  });
  copyFileSync(join(folder, "kit-open.exe"), join(windows.drive, "kit-open.exe"));
  const opener = windows.start("C:\\kit-open.exe");
  const watcher = await connectToDisplay(display.name, abort.signal);
  const message = await until("the message is shown", async () => {
    assert.equal(opener.child.exitCode, null, "it ended without a message");
    return (await readTitledWindows(watcher)).find(({ title }) => title === "Kit");
  });
  assert.ok(message.width > 300, `${message.width} pixels wide`);
});

// The unpacked folder, on a Windows without a display.

const skipUnpacked = skipWithout(
  ...(["Wine", "Node.js for Windows", "ffmpeg for Windows", "kit-sound for Windows", "NSIS"] as const),
);
const unpackedIn = "C:\\Jörg & Müller ゲーム";
let windows: OwnWindows;
const at = (name: string) => join(windows.drive, name);
beforeAll(async () => {
  if (skipUnpacked !== false) return;
  windows = await openOwnWindows();
  addWindowsPrograms(repositoryRoot, "1.2.3", at("kit"));
  renameSync(at("kit"), at(unpackedIn.slice(3)));
});
afterAll(() => windows?.close());

/** Opens Kit as a double click does, signs in by the link of the page that Kit opens, and returns the launcher's process. */
async function openKit(): Promise<number> {
  const before = openedPage(at("data"));
  // With CI, Kit opens no page.
  const opener = windows.start(`${unpackedIn}\\kit-open.exe`, [], { ...windows.settings, CI: "" });
  const ticket = await until("the page is opened", () => {
    const page = openedPage(at("data"));
    return page === before ? undefined : /#t=([\w-]{43})"/.exec(page ?? "")?.[1];
  });
  assert.equal(await opener.ended, 0);
  const answer = await fetch(`${windows.address}${openSignInSession.path}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: windows.address },
    body: JSON.stringify({ ticket }),
  });
  assert.equal(answer.status, 201, await answer.clone().text());
  const { token } = (await answer.json()) as { token: string };
  const cookie = answer.headers.get("set-cookie")?.split(";")[0] ?? "";
  const shown = await fetch(`${windows.address}${listClips.path}`, { headers: { cookie, "x-kit-session": token } });
  assert.equal(shown.status, 200, await shown.text());
  return (JSON.parse(readFileSync(at("data/running.json"), "utf8")) as { pid: number }).pid;
}

test("kit-open.exe of the unpacked folder starts Kit if none runs, and opens the dashboard signed in both times", {
  skip: skipUnpacked,
}, async () => {
  const first = await openKit();
  assert.equal(await openKit(), first, "another launcher was started");
  const stop = startKit(windows, ["stop"], windows.settings, unpackedIn);
  assert.equal(await stop.ended, 0, stop.output());
});
