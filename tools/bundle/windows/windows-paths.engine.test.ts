// Tests Kit for Windows under Wine with data and games on a share, on other drives, and in a folder of OneDrive.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Acknowledgement, KitEvent } from "@kit/contract";
import { afterAll, beforeAll, test } from "vitest";
import { until } from "../../../launcher/test/support/until.ts";
import { skipWithout } from "../../engines/locate.ts";
import { type OwnWindows, openOwnWindows } from "./own-windows.ts";

const skip = skipWithout("Wine", "Node.js for Windows");
let windows: OwnWindows;
let shareFolder: string;
/** A folder of Linux that this Windows sees in another place. */
const outside = (name: string) => join(windows.prefix, "outside", name);
beforeAll(async () => {
  if (skip !== false) return;
  windows = await openOwnWindows("", { OneDrive: "C:\\Cloud of Jörg" });
  shareFolder = windows.openShare("share");
  for (const name of ["e", "f"]) mkdirSync(outside(name), { recursive: true });
  const devices = join(windows.prefix, "dosdevices");
  for (const drive of ["e", "f"]) symlinkSync(outside(drive), join(devices, `${drive}:`));
  const drives = "HKLM\\Software\\Wine\\Drives";
  assert.equal((await windows.run("reg", "add", drives, "/v", "f:", "/d", "network")).code, 0);
  // Wine reads its drives when it starts.
  windows.endAll();
  windows.installGame("quest");
});
afterAll(() => windows?.close());

type Doctor = { readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[] };

const places: readonly (readonly [what: string, folder: string, linux: () => string, warning: RegExp | undefined])[] = [
  ["on a share", "\\\\server\\share\\Jörg ゲーム", () => join(shareFolder, "Jörg ゲーム"), /is on another computer/],
  [
    "on a share in its long form",
    "\\\\?\\UNC\\server\\share\\long",
    () => join(shareFolder, "long"),
    /is on another computer/,
  ],
  ["on another drive", "E:\\kit data", () => join(outside("e"), "kit data"), undefined],
  ["on a drive of another computer", "F:\\kit", () => join(outside("f"), "kit"), /is on another computer/],
  ["in a folder of OneDrive", "C:\\Cloud of Jörg\\kit", () => join(windows.drive, "Cloud of Jörg/kit"), /synchronises/],
];

for (const [what, folder, linux, warning] of places)
  test(`Kit keeps its data ${what}, and kit doctor says ${warning ? "that it does not suit" : "nothing against it"}`, {
    skip,
  }, async () => {
    const elsewhere = ["--data-dir", folder];
    const begin = () => windows.kit("start", "--no-open", "--windowless", ...elsewhere);
    const started = await begin();
    assert.deepEqual([started.code, started.output], [0, ""]);
    const answers = () => windows.api("/api/health", linux()).catch(() => undefined);
    await until("the launcher answers", answers, 200);
    const { id } = (await (await windows.trigger("far_away")).json()) as Acknowledgement;
    const backup = await windows.kit("api", "makeBackup", ...elsewhere);
    assert.equal(backup.code, 0, backup.output);
    const { output } = await windows.kit("doctor", "--json", ...elsewhere);
    const { checks } = JSON.parse(output.slice(output.indexOf("{"))) as Doctor;
    const place = checks.find(({ name }) => name === "place");
    assert.deepEqual([place?.ok, checks.find(({ name }) => name === "storage")?.ok], [warning === undefined, true]);
    if (warning) assert.match(place?.detail ?? "", warning);
    assert.equal((await windows.kit("stop", ...elsewhere)).output, "Kit has ended.");
    assert.ok(existsSync(join(linux(), "kit.db")) && !existsSync(join(linux(), "open")));
    await begin();
    await until("the launcher answers again", answers, 200);
    const { text } = await windows.api(`/api/events/${id}`, linux());
    assert.equal((JSON.parse(text) as { event: KitEvent }).event.id, id);
    assert.equal((await windows.kit("stop", ...elsewhere)).output, "Kit has ended.");
  });

test("kit run starts a game on a share and on another drive, and passes its exit code on", { skip }, async () => {
  for (const folder of [shareFolder, outside("e")])
    copyFileSync(join(windows.drive, "quest.exe"), join(folder, "quest.exe"));
  for (const program of ["\\\\server\\share\\quest.exe", "\\\\?\\UNC\\server\\share\\quest.exe", "E:\\quest.exe"]) {
    const { code, output } = await windows.kit("run", "--", program, "-e", "process.exit(7)");
    assert.equal(code, 7, `${program}: ${output}`);
  }
});
