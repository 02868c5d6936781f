// Tests of the clipboard: a real Chromium on a real X server pastes the files. The commands of Wayland and macOS are only compared,
// and that of Wayland also runs with a stand-in.
import assert from "node:assert/strict";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KitError } from "@kit/contract";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, test } from "vitest";
import { cannot } from "../../../../tools/engines/cannot.ts";
import { type Display, openDisplay } from "../../../../tools/engines/display.ts";
import { pathOf, skipWithout } from "../../../../tools/engines/locate.ts";
import { until } from "../../../test/support/until.ts";
import { type Connection, openXDisplay, query } from "../x11/connection.ts";
import { clipboardFormats, copyCommand, createClipboard } from "./clipboard.ts";

const skip = skipWithout("Xvfb");
const skipBrowser = skip || skipWithout("Chromium with windows");

let folder: string;
let screen: Display | undefined;
let asker: Awaited<ReturnType<typeof openAsker>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "kit-clipboard-"));
  if (skip) return;
  screen = await openDisplay("640x480");
  // Connected all the time, because a display resets when its last program leaves.
  asker = await openAsker();
});
afterAll(async () => {
  asker?.close();
  await screen?.close();
  await rm(folder, { recursive: true, force: true });
});

const named = (name: string) => join(folder, name);
/** The clip with an id is the file of that name. */
const open = (members: Partial<Parameters<typeof createClipboard>[0]> = {}) =>
  createClipboard({
    display: screen?.name,
    isWayland: false,
    hasDesktop: true,
    searchPath: folder,
    umask: 0o022,
    platform: "linux",
    library: {
      mediaFile: async (id) =>
        id === "gone" ? undefined : { path: named(id), type: "video/mp4", downloadName: "clip.mp4" },
    },
    ...members,
  });
const refused = (says: RegExp) => (error: unknown) =>
  error instanceof KitError && error.code === "not_found" && says.test(error.message);

test("a browser on the same screen pastes the copied files with their names and bytes", {
  skip: skipBrowser,
}, async () => {
  await writeFile(named("boss, ü 50%.mp4"), "first");
  await writeFile(named("it's the second.mp4"), "second file");
  const env = { ...process.env, DISPLAY: String(screen?.name) };
  const browser = await chromium.launch({ executablePath: pathOf("Chromium with windows"), headless: false, env });
  try {
    const page = await browser.newPage();
    await page.setContent("<textarea></textarea>");
    await page.evaluate(`addEventListener("paste", async ({ clipboardData: { files } }) => {
      const read = await Promise.all([...files].map(async (file) => file.name + ": " + (await file.text())));
      document.title = read.toSorted().join(" | ");
    })`);
    const clipboard = open();
    await clipboard.copy(["boss, ü 50%.mp4", "it's the second.mp4"]);
    await page.locator("textarea").focus();
    await until("the files are pasted", async () => {
      await page.keyboard.press("Control+v");
      return (await page.title()) === "boss, ü 50%.mp4: first | it's the second.mp4: second file";
    });
    await clipboard.copy(["it's the second.mp4"]);
    await until("the later copy replaces the earlier", async () => {
      await page.keyboard.press("Control+v");
      return (await page.title()) === "it's the second.mp4: second file";
    });
    await clipboard.stop();
  } finally {
    await browser.close();
  }
});

type Asker = Omit<Connection, "on"> & {
  ConvertSelection(window: number, selection: number, target: number, property: number, time: number): void;
  SetSelectionOwner(window: number, selection: number, time: number): void;
  on(event: "event", listener: (event: { name: string; property: number }) => void): void;
};

/** Another program on the screen that reads the clipboard, or takes it. */
async function openAsker() {
  const opened = await openXDisplay(String(screen?.name));
  const { root } = opened.screen;
  const { x: connection, close } = opened;
  const x = connection as unknown as Asker;
  const window = x.AllocID();
  x.CreateWindow(window, root, 0, 0, 1, 1);
  const atom = async (name: string) =>
    (await query<number>((reply) => x.InternAtom(false, name, reply))) ?? assert.fail(name);
  const clipboard = await atom("CLIPBOARD");
  return {
    close,
    atom,
    owner: () => query<number>((reply) => x.GetSelectionOwner(clipboard, reply)),
    async take() {
      x.SetSelectionOwner(window, clipboard, 0);
      await x.sync();
    },
    /** Resolves to undefined if the owner does not have this format. */
    async read(target: string): Promise<Buffer | undefined> {
      const [wanted, property] = [await atom(target), await atom("KIT_TEST")];
      const { promise, resolve } = Promise.withResolvers<number>();
      x.on("event", (event) => event.name === "SelectionNotify" && resolve(event.property));
      x.ConvertSelection(window, clipboard, wanted, property, 0);
      if ((await promise) === 0) return undefined;
      return (await query<{ data: Buffer }>((reply) => x.GetProperty(1, window, property, 0, 0, 9_999, reply)))?.data;
    },
  };
}

test("file managers and text fields get the format that they know, and another program can take the clipboard", {
  skip,
}, async () => {
  const clipboard = open();
  await clipboard.copy(["a b.mp4"]);
  assert.equal(String(await asker.read("text/uri-list")), `file://${folder}/a%20b.mp4\r\n`);
  assert.equal(String(await asker.read("x-special/gnome-copied-files")), `copy\nfile://${folder}/a%20b.mp4`);
  assert.equal(String(await asker.read("UTF8_STRING")), named("a b.mp4"));
  assert.equal(await asker.read("image/png"), undefined);
  const targets = (await asker.read("TARGETS")) ?? assert.fail("no targets");
  const listed = Array.from({ length: targets.length / 4 }, (_, index) => targets.readUInt32LE(4 * index));
  for (const name of ["TARGETS", "TIMESTAMP", ...Object.keys(clipboardFormats([]))])
    assert.ok(listed.includes(await asker.atom(name)), name);
  assert.ok(((await asker.read("TIMESTAMP")) ?? Buffer.alloc(4)).readUInt32LE(0) > 0);
  await asker.take();
  await clipboard.copy(["c.mp4"]);
  assert.equal(String(await asker.read("UTF8_STRING")), named("c.mp4"), "Kit takes it back with the next copy");
  await clipboard.stop();
  await until("nobody owns the clipboard after Kit ended", async () => (await asker.owner()) === 0);
});

test("a refusal says one thing to do, and a clip without a file is refused", async () => {
  await assert.rejects(open({ display: ":9999" }).copy(["a.mp4"]), refused(/The screen :9999 .* “Show in folder”/));
  await assert.rejects(open({ hasDesktop: false }).copy(["a.mp4"]), refused(/Download the file instead/));
  await assert.rejects(open({ isWayland: true }).copy(["a.mp4"]), refused(/Install the package wl-clipboard/));
  await assert.rejects(open().copy(["a.mp4", "gone"]), refused(/no file in the clips folder/));
});

test("on Wayland wl-copy gets the list of files, and its failure is a refusal", {
  skip: cannot.useFreedesktop,
}, async () => {
  const standIn = async (code: number) => {
    await writeFile(
      named("wl-copy"),
      `#!/bin/sh\necho "$@" > "${folder}/said"\ncat >> "${folder}/said"\nexit ${code}\n`,
    );
    await chmod(named("wl-copy"), 0o700);
  };
  await standIn(0);
  await open({ isWayland: true }).copy(["a b.mp4"]);
  assert.equal(await readFile(named("said"), "utf8"), `--type text/uri-list\nfile://${folder}/a%20b.mp4\r\n`);
  await standIn(1);
  await assert.rejects(open({ isWayland: true }).copy(["a b.mp4"]), refused(/did not take the file/));
});

test("on macOS the system's own program gets the paths, and no path becomes code (not run there)", () => {
  const mac = copyCommand("darwin", ["/Users/ü/it's.mp4"]);
  assert.deepEqual([mac.program, mac.args.slice(0, 3)], ["/usr/bin/osascript", ["-l", "JavaScript", "-e"]]);
  assert.deepEqual(mac.args.slice(4), ["/Users/ü/it's.mp4"]);
});
