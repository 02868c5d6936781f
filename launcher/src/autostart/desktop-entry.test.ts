// Tests of the entry in the menu of a desktop, with real files.
import assert from "node:assert/strict";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { textOf } from "@kit/contract";
import { type TestContext, test } from "vitest";
import { createDesktopEntry, type DesktopEntryDeps } from "./desktop-entry.ts";
import type { RunProgram } from "./entry.ts";
import { openRegistry } from "./test/registry.ts";

const command = ["/opt/kit/kit", "start", "--from-menu", "--port", "9876", "--data-dir", "/home/mi ka/data"];

function openEntry(t: TestContext, given: Partial<DesktopEntryDeps> = {}) {
  const dataHome = given.dataHome ?? mkdtempSync(join(tmpdir(), "kit-menu-"));
  t.onTestFinished(() => rmSync(dataHome, { recursive: true, force: true }));
  const entry = createDesktopEntry({
    platform: "linux",
    command,
    icon: "/opt/kit/icons/a b.png",
    configHome: dataHome,
    run: async () => undefined,
    ...given,
    dataHome,
  });
  return { dataHome, path: join(dataHome, "applications/kit.desktop"), entry };
}

test("the entry is written with the command and the icon, and removed without leaving anything", async (t) => {
  const { path, entry } = openEntry(t);
  assert.equal(textOf((await entry.state()).detail), "Kit is not in the menu of your desktop.");
  const { on, can, place, detail } = await entry.set(true);
  assert.deepEqual([on, can, place, textOf(detail)], [true, true, path, "Kit is in the menu of your desktop."]);
  const text = readFileSync(path, "utf8");
  assert.match(text, /^Exec="\/opt\/kit\/kit" "start" "--from-menu" .* "\/home\/mi ka\/data"$/mu);
  assert.match(text, /^Icon=\/opt\/kit\/icons\/a b\.png$/mu);
  await entry.set(true);
  assert.equal(readFileSync(path, "utf8"), text);
  assert.equal((await entry.set(false)).on, false);
  assert.ok(!existsSync(path));
});

test("an entry of another copy of Kit is rewritten, and one that a person changed stays", async (t) => {
  const old = openEntry(t, { command: ["/old/kit", "start"] });
  await old.entry.set(true);
  const { path, entry } = openEntry(t, { dataHome: old.dataHome });
  assert.match(textOf((await entry.state()).detail), /another copy or version of Kit/u);
  await entry.set(true);
  assert.match(readFileSync(path, "utf8"), /\/opt\/kit\/kit/u);
  appendFileSync(path, "# mine\n");
  const { on, can } = await entry.state();
  assert.deepEqual([on, can], [true, false]);
  for (const wanted of [true, false])
    await assert.rejects(entry.set(wanted), { code: "payload_invalid", message: /leaves it unchanged/u });
  assert.ok(existsSync(path));
});

test("other systems, and a Kit that npx will delete, are refused with what to do instead", async (t) => {
  for (const [given, why] of [
    [{ platform: "darwin" as const }, /make a shortcut that runs `kit start`/u],
    [{ command: ["/home/mika/.npm/_npx/1a2b/node_modules/kit/bin/kit.js"] }, /install Kit/u],
    [{ icon: "/a\nb" }, /control character/u],
  ] as const) {
    const { entry, path } = openEntry(t, given);
    assert.match(textOf((await entry.state()).detail), why);
    await assert.rejects(entry.set(true), { code: "payload_invalid", message: why });
    assert.ok(!existsSync(path));
  }
});

/** Stands in for powershell.exe, which writes a shortcut, and for the registry. */
function openStartMenu({ refuses = false } = {}) {
  const { values, run: runReg } = openRegistry();
  const run: RunProgram = async (program, args, input = "") => {
    if (program === "reg") return runReg(program, args);
    const [path = "", ...parts] = input.split("\n");
    writeFileSync(path, parts.join("\n"));
    return refuses ? 3 : 0;
  };
  return { values, run };
}
const windowsCommand = ["C:\\Users\\Mi Ka\\kit.exe", "start", "--from-menu", "--data-dir", "C:\\my data"];

test("on Windows, a shortcut in the Start menu has the program and its quoted arguments, and is removed with its mark", async (t) => {
  const { values, run } = openStartMenu();
  const { entry, dataHome } = openEntry(t, { platform: "win32", command: windowsCommand, run });
  const path = join(dataHome, "Microsoft/Windows/Start Menu/Programs/Kit.lnk");
  assert.deepEqual(await entry.set(true).then(({ on, place }) => [on, place]), [true, path]);
  const [program, words] = readFileSync(path, "utf8").split("\n");
  assert.deepEqual([program, words], [windowsCommand[0], 'start --from-menu --data-dir "C:\\my data"']);
  assert.equal(values.size, 1);
  assert.equal((await entry.set(false)).on, false);
  assert.deepEqual([existsSync(path), values.size], [false, 0]);
});

test("a shortcut that another program changed stays, and one of another copy of Kit is written again", async (t) => {
  const { run } = openStartMenu();
  const old = openEntry(t, { platform: "win32", command: ["C:\\old.exe"], run });
  await old.entry.set(true);
  const { entry } = openEntry(t, { platform: "win32", command: windowsCommand, run, dataHome: old.dataHome });
  assert.match(textOf((await entry.state()).detail), /another copy or version of Kit/u);
  const path = (await entry.set(true)).place ?? "";
  appendFileSync(path, "changed");
  await assert.rejects(entry.set(false), { code: "payload_invalid", message: /leaves it unchanged/u });
  assert.ok(existsSync(path));
});

test("the shortcut of the setup counts as Kit's own, and another Kit says that it is not its own", async (t) => {
  const { values, run } = openStartMenu();
  const { entry, dataHome } = openEntry(t, { platform: "win32", command: windowsCommand, run });
  const path = join(dataHome, "Microsoft/Windows/Start Menu/Programs/Kit.lnk");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "what the setup wrote");
  values.set("HKCU\\Software\\Kit\\StartMenu", "setup C:\\Users\\Mi Ka\\kit-open.exe");
  assert.match(textOf((await entry.state()).detail), /^Kit is in the menu of your desktop\.$/u);
  const other = openEntry(t, { platform: "win32", command: ["C:\\other\\kit.exe"], run, dataHome });
  assert.match(textOf((await other.entry.state()).detail), /another copy or version of Kit/u);
  assert.equal((await entry.set(false)).on, false);
  assert.deepEqual([existsSync(path), values.size], [false, 0]);
});

test("a path that Windows cannot store in a shortcut is refused, and no shortcut is left", async (t) => {
  const { run } = openStartMenu({ refuses: true });
  const { entry, dataHome } = openEntry(t, { platform: "win32", command: windowsCommand, run });
  await assert.rejects(entry.set(true), { message: /cannot store this path/u });
  assert.ok(!existsSync(join(dataHome, "Microsoft/Windows/Start Menu/Programs/Kit.lnk")));
});
