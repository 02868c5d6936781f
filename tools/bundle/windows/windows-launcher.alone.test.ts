// Tests Kit for Windows under Wine: what it keeps, whose events it knows, what its commands do, and how it takes part in
// the desktop.
// biome-ignore-all lint/style/noExcessiveLinesPerFile: Its tests share one Windows, which takes half a minute to make.
import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  type Acknowledgement,
  type Backup,
  changeRecorder,
  type GameSession,
  getAutostart,
  getCommandOptions,
  getDesktopEntry,
  getRecorder,
  type KitEvent,
  listClips,
  setAutostart,
  textOf,
} from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { valueInExport } from "../../../launcher/src/autostart/entry.ts";
import { type Keyboard, openKeyboard } from "../../../launcher/src/recording/shortcuts/test/keyboard.ts";
import { findIcon } from "../../../launcher/src/recording/shortcuts/test/tray-icon.ts";
import { connectToDisplay } from "../../../launcher/src/recording/x11/connection.ts";
import { until } from "../../../launcher/test/support/until.ts";
import { openJwm } from "../../engines/jwm.ts";
import { skipWithout } from "../../engines/locate.ts";
import { repositoryRoot } from "../../repository.ts";
import { addWindowsPrograms, makeSetup, productCode, setupFile } from "../installer/setup.ts";
import { openOwnDesktop } from "./own-desktop.ts";
import { type OwnWindows, openedPage, openOwnWindows, startKit } from "./own-windows.ts";

const skip = skipWithout("Wine", "Node.js for Windows", "Xvfb", "JWM");
let screen: Keyboard;
let windows: OwnWindows;
beforeAll(async () => {
  if (skip !== false) return;
  screen = await openKeyboard("800x600");
  windows = await openOwnWindows(screen.name);
  for (const name of ["saga", "quest"]) windows.installGame(name);
  await windows.begin();
});
afterAll(async () => {
  windows?.close();
  await screen?.close();
});

const sessionsOf = async (game: string) =>
  (await windows.read<{ sessions: GameSession[] }>("/api/sessions")).sessions.filter((each) => each.game === game);

test("all events of two games belong to the game that sent them, over IPv4 and IPv6, and their sessions end with them", {
  skip,
}, async () => {
  const hosts = { saga: "127.0.0.1", quest: "::1" };
  const runs = Object.entries(hosts).map(([name, host]) => windows.play(name, host, 200));
  for (const run of runs) assert.deepEqual([await run.ended, run.output().trim()], [0, "200"]);
  for (const name of Object.keys(hosts)) {
    // The end of its process may be seen before its last events are counted.
    const session = await until(`${name} ended, with all of its events`, async () =>
      (await sessionsOf(name)).find(({ endedAt, events }) => endedAt !== null && events === 200),
    );
    assert.deepEqual([session.knownBy, session.ending, session.errors], ["program", "ended", 39]);
    const { events } = await windows.read<{ events: KitEvent[] }>(`/api/events?kind=monitor&game=${name}&limit=100`);
    assert.deepEqual([...new Set(events.map(({ payload }) => payload.message))], [`${name} failed`]);
  }
});

test("a known game is noticed while it runs, and when it ends", { skip }, async () => {
  const run = windows.play("saga", "127.0.0.1", 1, 600_000);
  const find = async () => (await sessionsOf("saga")).find(({ endedAt }) => endedAt === null);
  const session = await until("the game runs", find);
  run.child.kill("SIGKILL");
  await until("the game ended", async () => ((await find()) === undefined ? true : undefined));
  assert.equal((await sessionsOf("saga")).find(({ id }) => id === session.id)?.ending, "ended");
});

test("the launcher goes on when its lookup process is killed, and soon knows senders again", { skip }, async () => {
  const launcher = windows.launcher();
  // One looks for senders, and one lists windows once a game runs.
  const lookups = windows.processesWith("lookup-process.js");
  assert.ok(lookups.length > 0);
  for (const lookup of lookups) process.kill(lookup, "SIGKILL");
  const again = async () => windows.processesWith("lookup-process.js").find((pid) => !lookups.includes(pid));
  await until("another lookup process runs", async () => {
    const sent = windows.play("quest", "127.0.0.1", 2);
    assert.deepEqual([await sent.ended, sent.output().trim()], [0, "2"]);
    return again();
  });
  const earlier = new Set((await sessionsOf("quest")).map(({ id }) => id));
  await until("a new session knows its program", async () => {
    const sent = windows.play("quest", "::1", 6);
    assert.deepEqual([await sent.ended, sent.output().trim()], [0, "6"]);
    const isKnown = ({ id, knownBy, events }: GameSession) => !earlier.has(id) && knownBy === "program" && events > 1;
    return (await sessionsOf("quest")).some(isKnown) || undefined;
  });
  assert.equal(windows.launcher(), launcher);
  assert.equal(launcher?.child.exitCode, null);
});

test("no acknowledged event is lost when the launcher is killed five times beside eight connections", {
  skip,
}, async () => {
  const acknowledged: string[] = [];
  let isOver = false;
  const send = async () => {
    while (!isOver) {
      const answer = await windows.trigger("flood_wave").catch(() => undefined);
      // Nothing is concluded of an answer that was cut off.
      const said = answer?.status === 202 ? await answer.json().catch(() => undefined) : await pause(20);
      if (said !== undefined) acknowledged.push((said as Acknowledgement).id);
    }
  };
  const senders = Array.from({ length: 8 }, send);
  for (let kill = 0; kill < 5; kill += 1) {
    const before = acknowledged.length;
    await until("events arrive", async () => (acknowledged.length >= before + 200 ? true : undefined));
    await windows.kill();
    await windows.begin();
  }
  isOver = true;
  await Promise.all(senders);
  assert.ok(acknowledged.length >= 1_000);
  const stored = await windows.storedIds();
  const lost = acknowledged.filter((id) => !stored.has(id));
  assert.deepEqual(lost, [], `${lost.length} of ${acknowledged.length}`);
});

test("a backup is made and restored, and a game is wiped", { skip }, async () => {
  const made = await windows.kit("api", "makeBackup");
  assert.equal(made.code, 0, made.output);
  const { name } = JSON.parse(made.output.slice(made.output.indexOf("{"))) as Backup;
  const wiped = await windows.kit("api", "wipeGame", "game=saga");
  assert.equal(wiped.code, 0, wiped.output);
  // It begins after half a minute, and the launcher restarts.
  const count = (game: string) =>
    sessionsOf(game).then(
      ({ length }) => length,
      () => undefined,
    );
  await until("saga is wiped", async () => ((await count("saga")) === 0 ? true : undefined));
  assert.notEqual(await count("quest"), 0);
  const restored = await windows.kit("restore", name, "--yes");
  assert.equal(restored.code, 0, restored.output);
  await until("the sessions are back", async () => ((await count("saga")) ? true : undefined));
});

test("kit run passes an exit code on, and says that a program is missing", { skip }, async () => {
  const exit = await windows.kit("run", "--", "C:\\quest.exe", "-e", "process.exit(7)");
  assert.equal(exit.code, 7, exit.output);
  const missing = await windows.kit("run", "--", "C:\\nowhere.exe");
  assert.equal(missing.code, 127, missing.output);
});

test("kit run runs a batch file with its words, and refuses words that Windows would change", { skip }, async () => {
  writeFileSync(join(windows.drive, "my game.bat"), "@echo [%~1] [%~2]\r\n@exit /b 5\r\n");
  const ran = await windows.kit("run", "--", "C:\\my game.bat", "two words", "b");
  assert.deepEqual([ran.code, ran.output.includes("[two words] [b]")], [5, true], ran.output);
  const refused = await windows.kit("run", "--", "C:\\my game.bat", "%PATH%");
  assert.equal(refused.code, 126);
  assert.match(refused.output, /cannot safely pass/);
  assert.equal((await windows.kit("run", "--", "C:\\nowhere.bat")).code, 127);
});

test("kit.cmd of a folder with blanks and letters of two languages runs Kit, and passes words and the exit code on", {
  skip,
}, async () => {
  const folder = "Jörg's Kit (x64) ゲーム";
  symlinkSync(join(windows.drive, "kit"), join(windows.drive, folder));
  const script = "console.log(JSON.stringify(process.argv.slice(2))); process.exit(7);";
  writeFileSync(join(windows.drive, "words.cjs"), script);
  const inner = ["run", "--", "C:\\quest.exe", "C:\\words.cjs", "two words", "b"];
  const { code, output } = await windows.kit("run", "--", `C:\\${folder}\\kit.cmd`, ...inner);
  assert.equal(code, 7, output);
  assert.ok(output.includes('["two words","b"]'), output);
});

test("outside a checkout, Kit calls its command kit, not npx kit", { skip }, async () => {
  const said = windows.launcher()?.output() ?? "";
  assert.match(said, /`kit open --data-dir/);
  assert.doesNotMatch(said, /npx/);
  assert.equal((await windows.client.call(getCommandOptions)).program, "kit");
});

test("a game that kit run started and that crashes has one session with its events, and a crash report", {
  skip,
}, async () => {
  // It crashes when all its events are acknowledged.
  const script = `
    process.once("beforeExit", () => process.getBuiltinModule("node:ffi").getInt8(8n));
    ${readFileSync(join(windows.drive, "game.cjs"), "utf8")}`;
  writeFileSync(join(windows.drive, "crash.cjs"), script);
  windows.installGame("crashing");
  const words = ["C:\\crashing.exe", "C:\\crash.cjs", "127.0.0.1", `${windows.port}`, "crashing", "10"];
  const { code, output } = await windows.kit("run", "--", ...words);
  assert.notEqual(code, 0, output);
  assert.match(output, /crashed/);
  const [session, ...others] = await until("the events are counted", async () => {
    const sessions = await sessionsOf("crashing");
    return sessions.some(({ events }) => events >= 11) ? sessions : undefined;
  });
  assert.deepEqual(others, [], "a second session for the same run");
  assert.deepEqual([session?.ending, session?.exitCode, session?.events], ["crashed", 0xc0000005, 11]);
  const { event } = await windows.read<{ event: KitEvent }>(`/api/events/${session?.crash}`);
  assert.match(String(event.payload.message), /crashing crashed: 0xC0000005, access violation/);
});

test("autostart writes the value that Windows runs at sign-in, and removes it", { skip }, async () => {
  const key = "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run";
  const values = async () => (await windows.run("reg", "query", key)).output;
  const before = await values();
  const on = await windows.kit("api", "setAutostart", "on=true");
  assert.equal(on.code, 0, on.output);
  assert.match(await values(), /Kit\s+REG_SZ\s+.*node\.exe.* start --no-open --windowless/i);
  const off = await windows.kit("api", "setAutostart", "on=false");
  assert.equal(off.code, 0, off.output);
  assert.equal(await values(), before);
});

const virtualKeys = { enter: 0x0d, ctrl: 0x11, alt: 0x12, up: 0x26, down: 0x28, m: 0x4d, s: 0x53, f9: 0x78 } as const;
const ctrlAlt = 3;
/** Titles of what a person saved or marked by hand, without the time. */
async function madeByHand(): Promise<string[]> {
  const { clips } = await windows.client.call(listClips, { query: {} });
  return clips.flatMap(({ title }) => /^(Saved|Marked) by you/.exec(title)?.[0] ?? []);
}

test("both hotkeys work, one of another program is refused in one sentence, and Kit lets go of its own", {
  skip,
}, async () => {
  const { ctrl, alt, s, m, f9 } = virtualKeys;
  const desktop = openOwnDesktop(windows, "C:\\saga.exe");
  const set = (saveHotkey: string | null, markHotkey: string | null) =>
    windows.client.call(changeRecorder, { body: { saveHotkey, markHotkey } });
  /** Takes a hotkey as another program, once nobody has it. */
  const take = (key: number) =>
    until("the hotkey is free", async () => {
      const other = desktop.takeHotkey(ctrlAlt, key);
      const said = await until("the hotkey is tried", () => other.output().trim() || undefined);
      if (said === "taken") return other.child;
      other.child.kill("SIGKILL");
      return undefined;
    });
  /** When Kit says that one of its hotkeys is refused, it has taken the other. */
  const assertRefused = async (refused: "saveHotkey" | "markHotkey", taken: "saveHotkey" | "markHotkey") => {
    const trouble = await until("the other program's hotkey is refused", async () => {
      const said = (await windows.client.call(getRecorder)).trouble;
      return said[refused] !== null && said;
    });
    assert.equal(textOf(trouble[refused] ?? ""), "Another program uses Ctrl+Alt+M. Choose another hotkey.");
    assert.equal(trouble[taken], null);
  };
  const other = await take(m);
  await set("Ctrl+Alt+S", "Ctrl+Alt+M");
  await assertRefused("markHotkey", "saveHotkey");
  await desktop.press(ctrl, alt, s);
  await until("the first was noticed", async () => (await madeByHand()).length === 1);
  await set("Ctrl+Alt+M", "F9");
  await assertRefused("saveHotkey", "markHotkey");
  await desktop.press(f9);
  await until("both were noticed", async () => (await madeByHand()).length === 2);
  assert.deepEqual((await madeByHand()).toSorted(), ["Marked by you", "Saved by you"]);
  other.kill("SIGKILL");
  await set(null, null);
  (await take(s)).kill("SIGKILL");
});

test("the icon in the taskbar opens the dashboard signed in, saves by its menu, returns with a new taskbar, and goes with Kit", {
  skip,
}, async (t) => {
  const { down, up, enter } = virtualKeys;
  const desktop = openOwnDesktop(windows, "C:\\saga.exe");
  const manager = await openJwm(screen.name, { tray: true });
  t.onTestFinished(() => manager.close());
  const abort = new AbortController();
  t.onTestFinished(() => abort.abort());
  const watcher = await connectToDisplay(screen.name, abort.signal);
  await windows.client.call(changeRecorder, { body: { trayIcon: true } });
  const { centre } = await until("the icon is in the tray", async () => {
    const icon = await findIcon(watcher, "");
    return icon !== undefined && icon.colours > 10 ? icon : undefined;
  });
  await screen.click(centre);
  await until("the dashboard is opened", async () => openedPage(join(windows.drive, "data")));
  const before = (await madeByHand()).length;
  await screen.click(centre, 3);
  await desktop.choose(down, down, enter);
  await until("the menu saved", async () => ((await madeByHand()).length > before ? true : undefined));
  const taskbar = desktop.openTaskbar();
  await until("the new taskbar has the icon", async () => /^told 0/m.test(taskbar.output()) || undefined);
  const launcher = windows.launcher();
  await screen.click(centre, 3);
  await desktop.choose(up, enter);
  assert.equal(await launcher?.ended, 0);
  await until("the icon is removed", async () => /^told 2/m.test(taskbar.output()) || undefined);
  taskbar.child.kill("SIGKILL");
  await windows.begin();
});

/** 300 characters with blanks, umlauts and Japanese. */
const longFolder = `C:\\Jörg & Müller's 100% ゲーム\\${"ein langer Name mit ö\\".repeat(12)}data`;

test("kit stop ends the launcher cleanly, and one without a window starts with data in a folder with a long name", {
  skip,
}, async () => {
  const first = windows.launcher();
  const stopped = await windows.kit("stop");
  assert.deepEqual([stopped.code, stopped.output], [0, "Kit has ended."]);
  assert.equal(await first?.ended, 0);
  assert.ok(!existsSync(join(windows.drive, "data/open")), "the database was closed");
  const elsewhere = ["--data-dir", longFolder];
  const started = await windows.kit("start", "--no-open", "--windowless", ...elsewhere);
  assert.deepEqual([started.code, started.output], [0, ""]);
  await until("the launcher without a window answers", async () => windows.api("/api/health").catch(() => undefined));
  const sent = windows.play("saga", "127.0.0.1", 1);
  assert.deepEqual([await sent.ended, sent.output().trim()], [0, "1"]);
  assert.equal((await windows.kit("stop", ...elsewhere)).output, "Kit has ended.");
});

// The setup, for this data.

const skipSetup = skipWithout("Wine", "Node.js for Windows", "ffmpeg for Windows", "kit-sound for Windows", "NSIS");
/** Not quoted: NSIS takes all words behind /D= for the folder. */
const installedIn = "C:\\Jörg Müller\\Kit ゲーム";
const movedTo = "C:\\Jörg Müller\\Moved here";
const onLinux = (path: string) => join(windows.drive, path.slice(3).replaceAll("\\", "/"));
const keys = {
  uninstall: `HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\${productCode}`,
  run: "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run",
  own: "HKCU\\Software\\Kit",
  notifications: "HKCU\\Software\\Classes\\AppUserModelId\\Kit.Launcher",
};
/** The values of a key, in an export: what reg.exe prints loses letters. */
async function query(key: keyof typeof keys): Promise<string> {
  const { code } = await windows.run("reg", "export", keys[key], "C:\\exported.reg", "/y");
  return code === 0 ? readFileSync(join(windows.drive, "exported.reg"), "utf16le") : "";
}
const installedValue = async (name: string) => valueInExport(await query("uninstall"), name);
function makeSetupOf(version: string): void {
  const files = join(windows.drive, "files");
  if (!existsSync(files)) {
    cpSync(join(windows.drive, "kit"), files, { recursive: true });
    addWindowsPrograms(repositoryRoot, version, files);
  }
  makeSetup({ version, files, output: join(windows.drive, setupFile), uncompressed: true });
}
const setUp = (folder = installedIn) =>
  windows.start(`C:\\${setupFile}`, ["/S", ...`/D=${folder}`.split(" ")], windows.settings).ended;
const shortcut = () => {
  const [user = ""] = readdirSync(join(windows.drive, "users")).filter((name) => name !== "Public");
  const menu = "AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Kit.lnk";
  return join(windows.drive, "users", user, menu);
};

test("the silent setup installs Kit for its user, in the Start menu and among the installed apps, and it runs from there", {
  skip: skipSetup,
}, async () => {
  makeSetupOf("1.2.3");
  assert.equal(await setUp(), 0);
  assert.deepEqual(
    readdirSync(onLinux(installedIn)).toSorted(),
    [...readdirSync(join(windows.drive, "files")), "uninstall.exe"].toSorted(),
  );
  assert.deepEqual(
    [
      await installedValue("DisplayVersion"),
      await installedValue("InstallLocation"),
      await installedValue("QuietUninstallString"),
    ],
    ["1.2.3", installedIn, `"${installedIn}\\uninstall.exe" /S`],
  );
  assert.ok(readFileSync(shortcut()).includes(Buffer.from("kit-open.exe", "utf16le")));
  await windows.begin(installedIn);
  const { ffmpeg } = await windows.client.call(getRecorder);
  assert.equal(ffmpeg?.path, `${installedIn}\\ffmpeg.exe`);
  const { on, detail } = await windows.client.call(getDesktopEntry);
  assert.deepEqual([on, textOf(detail)], [true, "Kit is in the menu of your desktop."]);
  assert.ok((await windows.client.call(setAutostart, { body: { on: true } })).on);
});

test("the setup changes nothing while Kit watches a game, and the launcher goes on with its footage", {
  skip: skipSetup,
}, async (t) => {
  const words = ["run", "--", "C:\\quest.exe", "-e", "setTimeout(() => undefined, 600000)"];
  const game = startKit(windows, words, windows.settings, installedIn);
  t.onTestFinished(async () => {
    for (const pid of windows.processesWith("quest.exe", "setTimeout")) process.kill(pid, "SIGKILL");
    await game.ended;
  });
  await until("the game runs", async () => windows.processesWith("quest.exe", "setTimeout")[0]);
  const before = windows.launcher();
  makeSetupOf("9.9.9");
  assert.equal(await setUp(), 5);
  assert.equal(before?.child.exitCode, null);
  assert.equal((await windows.api("/api/health")).status, 200);
  assert.equal(await installedValue("DisplayVersion"), "1.2.3");
  assert.ok(!existsSync(onLinux(`${installedIn}\\incoming`)));
});

test("the setup of a newer version ends Kit, replaces it, and starts it again with its data", {
  skip: skipSetup,
}, async () => {
  const { id } = (await (await windows.trigger("before_upgrade")).json()) as Acknowledgement;
  assert.equal(await setUp(), 0);
  assert.equal(await installedValue("DisplayVersion"), "9.9.9");
  assert.match(await query("run"), /^"Kit"=/m);
  await until("Kit answers again", async () => windows.api("/api/health").catch(() => undefined));
  assert.equal((await windows.read<{ event: KitEvent }>(`/api/events/${id}`)).event.id, id);
});

test("the setup for another folder moves Kit there with its autostart entry, which starts it without a console", {
  skip: skipSetup,
}, async () => {
  assert.equal(await setUp(movedTo), 0);
  assert.ok(!existsSync(onLinux(installedIn)));
  assert.equal(await installedValue("InstallLocation"), movedTo);
  await until("Kit answers again", async () => windows.api("/api/health").catch(() => undefined));
  const { on, detail } = await windows.client.call(getAutostart);
  assert.ok(on, textOf(detail));
  assert.equal((await windows.kit("stop")).code, 0);
  const line = valueInExport(await query("run"), "Kit") ?? "";
  const [, program = "", words = ""] = /^"([^"]*kit-open\.exe)" (start --no-open .*)$/.exec(line) ?? [];
  assert.equal(program, `${movedTo}\\kit-open.exe`, line);
  windows.start(program, words.split(" "), windows.settings);
  await until("the entry starts Kit", async () => windows.api("/api/health").catch(() => undefined));
});

test("the silent uninstaller ends Kit, and removes it and its entries, but no data", { skip: skipSetup }, async () => {
  // As the first notification does.
  await windows.run("reg", "add", keys.notifications, "/v", "DisplayName", "/d", "Kit", "/f");
  assert.notEqual(await query("notifications"), "");
  windows.start(`${movedTo}\\uninstall.exe`, ["/S"], windows.settings);
  await until("Kit is removed", async () => (existsSync(onLinux(movedTo)) ? undefined : true));
  await until("its entries are removed", async () => ((await installedValue("DisplayVersion")) ? undefined : true));
  assert.doesNotMatch(await query("run"), /^"Kit"=/m);
  assert.doesNotMatch(await query("own"), /StartMenu|Autostart/);
  assert.equal(await query("notifications"), "");
  assert.ok(!existsSync(shortcut()));
  await assert.rejects(windows.api("/api/health"));
  assert.ok(existsSync(join(windows.drive, "data/kit.db")) && !existsSync(join(windows.drive, "data/open")));
});
