// Tests that the text for each system starts exactly the given command, with any path. Linux's own programs check its texts.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "vitest";
import { windowsCommandLine } from "../process/windowless.ts";
import {
  desktopEntryText,
  hasValidChecksum,
  launchAgentText,
  systemdTargets,
  systemdUnitText,
  valueInExport,
} from "./entry.ts";

const hostile = [
  "a b",
  "100%",
  "%h",
  'say "hi"',
  "it's",
  "C:\\dir\\",
  "$HOME",
  "`id`",
  "é日",
  "; # ~ & <b> | *",
  "--port",
];

const analyze = "/usr/bin/systemd-analyze";
const generator = "/usr/lib/systemd/user-generators/systemd-xdg-autostart-generator";
const missing = (path: string) => !existsSync(path);

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kit-autostart-"));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A program with a space in its name. */
function makeProgram(folder: string): string {
  const program = join(folder, "my kit");
  copyFileSync("/bin/echo", program);
  return program;
}

test("systemd accepts the service", { skip: missing(analyze) }, (t) => {
  const folder = makeFolder(t);
  const program = makeProgram(folder);
  for (const target of Object.values(systemdTargets)) {
    const unit = join(folder, "kit.service");
    writeFileSync(unit, systemdUnitText([program, ...hostile], target));
    const { status, stderr } = spawnSync(analyze, ["--user", "verify", unit], {
      env: { ...process.env, XDG_RUNTIME_DIR: folder },
    });
    assert.equal(String(stderr), "");
    assert.equal(status, 0);
  }
});

test("the arguments of a service are read unchanged, and % and $ are not expanded", () => {
  const text = systemdUnitText(["/opt/my kit", "50%", "$HOME", 'a"b\\'], systemdTargets.signIn);
  assert.match(text, /^ExecStart="\/opt\/my kit" "50%%" "\$\$HOME" "a\\"b\\\\"$/mu);
});

/** systemd 252 removes one more backslash than the specification says. */
const readable = hostile.filter((word) => !word.includes("\\"));

test("systemd's reader of desktop entries reads the same command", { skip: missing(generator) }, (t) => {
  const folder = makeFolder(t);
  const program = makeProgram(folder);
  for (const name of ["autostart", "units"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "autostart/kit.desktop"), desktopEntryText([program, ...readable]));
  const env = {
    ...process.env,
    XDG_CONFIG_HOME: folder,
    XDG_CONFIG_DIRS: join(folder, "none"),
    XDG_CURRENT_DESKTOP: "GNOME",
  };
  const units = join(folder, "units");
  execFileSync(generator, [units, units, units], { env, stdio: ["ignore", "ignore", "pipe"] });
  const [unit = ""] = readdirSync(units).filter((name) => name.endsWith(".service"));
  const line = /^ExecStart=:?(.*)$/mu.exec(readFileSync(join(units, unit), "utf8"))?.[1] ?? "";
  // systemd prints words quoted if necessary, with backslashes before special characters.
  const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/gu)].map(([, inQuotes, bare]) => inQuotes ?? bare ?? "");
  const plain = words.map((word) => word.replaceAll("%%", "%").replaceAll(/\\(.)/gu, "$1"));
  assert.deepEqual(plain, [program, ...readable]);
});

test("arguments of a desktop entry are escaped as the specification says", () => {
  const text = desktopEntryText(["/opt/my kit", "50%", '$a `b` "c" \\']);
  assert.match(text, /^Exec="\/opt\/my kit" "50%%" "\\\\\$a \\\\`b\\\\` \\\\"c\\\\" \\\\\\\\"$/mu);
});

test("arguments of a launch agent are escaped for XML", () => {
  const text = launchAgentText(["/Applications/Kit & co/kit", "<b>"]);
  assert.match(text, /<string>\/Applications\/Kit &amp; co\/kit<\/string>\n {4}<string>&lt;b&gt;<\/string>/u);
});

/** Parses a command line like Windows' C library. */
function parseLikeWindows(line: string): string[] {
  const words: string[] = [];
  let word = "";
  let inQuotes = false;
  let begun = false;
  for (let at = 0; at < line.length; at += 1) {
    const slashes = /^\\*/u.exec(line.slice(at))?.[0].length ?? 0;
    if (line[at + slashes] === '"') {
      word += "\\".repeat(Math.floor(slashes / 2));
      at += slashes;
      if (slashes % 2 === 1) word += '"';
      else inQuotes = !inQuotes;
      begun = true;
    } else if (slashes > 0) {
      word += "\\".repeat(slashes);
      at += slashes - 1;
      begun = true;
    } else if (/\s/u.test(line[at] ?? "") && !inQuotes) {
      if (begun) words.push(word);
      [word, begun] = ["", false];
    } else {
      word += line[at];
      begun = true;
    }
  }
  return begun ? [...words, word] : words;
}

test("the command in the Run key is parsed into the same arguments", () => {
  const command = ["C:\\Program Files\\Kit\\kit.exe", "start", "--data-dir", "D:\\my data\\", ...hostile, ""];
  assert.deepEqual(parseLikeWindows(windowsCommandLine(command)), command);
});

test("a value of an exported key is read with its quotes and backslashes", () => {
  const exported =
    'Windows Registry Editor Version 5.00\r\n\r\n[HKEY_CURRENT_USER\\Run]\r\n"Kit"="\\"C:\\\\Ström\\\\kit.exe\\" start"\r\n"Other"=dword:1\r\n';
  assert.equal(valueInExport(exported, "Kit"), '"C:\\Ström\\kit.exe" start');
  assert.equal(valueInExport(exported, "Other"), undefined);
});

test("Kit recognises its own text, but not once it was changed", () => {
  for (const text of [
    systemdUnitText(["/k"], systemdTargets.signIn),
    desktopEntryText(["/k"]),
    launchAgentText(["/k"]),
  ]) {
    assert.ok(hasValidChecksum(text));
    assert.ok(!hasValidChecksum(text.replace("/k", "/other")));
  }
  assert.ok(!hasValidChecksum("[Desktop Entry]\nExec=kit\n"));
});
