// Tests the portable ZIP for Windows under Wine: what it contains, what its kit-open.exe says if kit.exe is missing, and that it opens
// the dashboard signed in, whether or not Kit runs.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { listClips, openSignInSession } from "@kit/contract";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, test } from "vitest";
import { connectToDisplay } from "../../../launcher/src/recording/x11/connection.ts";
import { readTitledWindows } from "../../../launcher/src/recording/x11/screen.ts";
import { until } from "../../../launcher/test/support/until.ts";
import { openDisplay } from "../../engines/display.ts";
import { pathOf, skipWithout } from "../../engines/locate.ts";
import { openWindows } from "../../engines/windows-computer.ts";
import { repositoryRoot } from "../../repository.ts";
import { makePortable, makeProgramFolder } from "../installer/setup.ts";
import { type OwnWindows, openedPage, openOwnWindows } from "./own-windows.ts";

const skip = skipWithout("Wine", "Xvfb", "ffmpeg for Windows", "kit-sound for Windows", "NSIS");

test("the portable ZIP has Kit, its programs, their licences and the source of ffmpeg, and kit-open.exe says that kit.exe is gone", {
  skip,
}, async (t) => {
  using folder = mkdtempDisposableSync(join(tmpdir(), "kit-portable-"));
  const inFolder = (name: string) => join(folder.path, name);
  // The executable is tested beside; here, only its name counts.
  writeFileSync(inFolder("kit.exe"), "Kit");
  const parts = { ffmpeg: dirname(pathOf("ffmpeg for Windows")), sound: pathOf("kit-sound for Windows") };
  makeProgramFolder(
    { root: repositoryRoot, version: "1.2.3", kit: inFolder("kit.exe"), nodeLicence: "Node", ...parts },
    inFolder("files"),
  );
  makePortable(inFolder("files"), inFolder("kit.zip"));
  const contents = unzipSync(readFileSync(inFolder("kit.zip")));
  const names = Object.keys(contents).map((name) => name.replace(/^kit\/(ffmpeg-source\/[a-z0-9-]+)_.*/, "kit/$1"));
  assert.deepEqual(
    names.toSorted(),
    ["LICENSE.ffmpeg.txt", "LICENSE.kit.txt", "LICENSE.node.txt"]
      .concat(
        ["build.ts", "ffmpeg", "libwebp", "nv-codec-headers", "onevpl", "recipe.ts", "x264"].map(
          (name) => `ffmpeg-source/${name}`,
        ),
      )
      .concat("ffmpeg.exe", "kit-open.exe", "kit-sound.exe", "kit.exe", "kit.ico")
      .map((name) => `kit/${name}`),
  );
  for (const [name, bytes] of Object.entries(contents)) assert.ok(bytes.length > 0, name);

  const display = await openDisplay("800x600");
  const windows = openWindows({ display: display.name });
  const abort = new AbortController();
  t.onTestFinished(async () => {
    abort.abort();
    windows.close();
    await display.close();
  });
  writeFileSync(join(windows.drive, "kit-open.exe"), contents["kit/kit-open.exe"] ?? "");
  const opener = windows.start("C:\\kit-open.exe");
  const watcher = await connectToDisplay(display.name, abort.signal);
  const message = await until("the message is shown", async () => {
    assert.equal(opener.child.exitCode, null, "it ended without a message");
    return (await readTitledWindows(watcher)).find(({ title }) => title === "Kit");
  });
  assert.ok(message.width > 300, `${message.width} pixels wide`);
});

// The unpacked ZIP, on a Windows without a display.

const skipUnpacked = skipWithout(
  ...(["Wine", "Node.js for Windows", "ffmpeg for Windows", "kit-sound for Windows", "NSIS"] as const),
);
const unpackedIn = "Jörg & Müller ゲーム";
let windows: OwnWindows;
const at = (name: string) => join(windows.drive, name);
beforeAll(async () => {
  if (skipUnpacked !== false) return;
  windows = await openOwnWindows();
  const parts = { ffmpeg: dirname(pathOf("ffmpeg for Windows")), sound: pathOf("kit-sound for Windows") };
  makeProgramFolder(
    { root: repositoryRoot, version: "1.2.3", kit: at("kit.exe"), nodeLicence: "Node", ...parts },
    at("files"),
  );
  makePortable(at("files"), at("kit.zip"));
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(at("kit.zip"))))) {
    const file = join(windows.drive, unpackedIn, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
});
afterAll(() => windows?.close());

/** Opens Kit as a double click does, signs in by the link of the page that Kit opens, and returns the launcher's process. */
async function openKit(): Promise<number> {
  const before = openedPage(at("data"));
  // With CI, Kit opens no page.
  const opener = windows.start(`C:\\${unpackedIn}\\kit\\kit-open.exe`, [], { ...windows.settings, CI: "" });
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

test("kit-open.exe of the unpacked ZIP starts Kit if none runs, and opens the dashboard signed in both times", {
  skip: skipUnpacked,
}, async () => {
  const first = await openKit();
  assert.equal(await openKit(), first, "another launcher was started");
  assert.equal((await windows.kit("stop")).output, "Kit has ended.");
});
