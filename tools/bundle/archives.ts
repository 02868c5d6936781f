// Builds an archive of Kit for each system, and the setup for Windows, on one computer.
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { provideFromDebian } from "../engines/debian-programs.ts";
import { nsis } from "../engines/recipes.ts";
import { provideWindowsFfmpeg, readDiffers } from "../engines/windows-ffmpeg/build.ts";
import { provideWindowsSound } from "../engines/windows-ffmpeg/sound.ts";
import { filesOf, pinnedByLock } from "./archives/fetched.ts";
import { isForWindows, isProgram, type Parts, writeFolder } from "./archives/folder.ts";
import { type System, systems } from "./archives/systems.ts";
import { addWindowsPrograms, makeSetup, setupFile } from "./installer/setup.ts";
import { readFiles, tarOf, zipOf } from "./sdk/archive.ts";
import { versionOf } from "./sdk.ts";

/** Reads Node's licence from its Linux package, because the other packages do not contain it. */
async function nodeLicenceOf(): Promise<string> {
  for (const { node } of systems) {
    const licence = (await filesOf(node)).get("LICENSE");
    if (licence !== undefined) return Buffer.from(licence).toString();
  }
  throw new Error("No package of Node brought its licence.");
}

async function fetchParts(root: string, { node, keyring }: System): Promise<Parts> {
  const fetched = await filesOf(node);
  const program = fetched.get("bin/node") ?? fetched.get("bin/node.exe");
  if (program === undefined) throw new Error(`${node.name} holds no node`);
  const library = await filesOf(pinnedByLock(root, keyring));
  return {
    node: program,
    nodeLicence: await nodeLicenceOf(),
    keyring: new Map([...library].map(([name, content]) => [`node_modules/${keyring}/${name}`, content])),
  };
}

/** Throws an error unless ffmpeg for Windows was built from exactly the pinned sources with the pinned compilers. */
export function requirePinned(differs: readonly string[] | undefined): void {
  if (differs === undefined)
    throw new Error("ffmpeg for Windows is missing. On Debian x64: node tools/engines/provide.ts windows-ffmpeg");
  if (differs.length === 0) return;
  const what = differs.join(", ");
  throw new Error(
    `ffmpeg for Windows was built with another ${what} than tools/engines/windows-ffmpeg/recipe.ts pins.`,
  );
}

async function finishWindowsFolder(root: string, folder: string, setup: string): Promise<void> {
  await provideWindowsSound();
  await provideWindowsFfmpeg();
  requirePinned(readDiffers());
  await provideFromDebian(nsis);
  const version = versionOf(root);
  addWindowsPrograms(root, version, folder);
  makeSetup({ version, files: folder, output: setup });
}

/** Packs the files of a folder below `kit/`. The same files and the same Node, whose zlib compresses, give the same bytes. */
export async function archiveOf(system: System, folder: string): Promise<Uint8Array> {
  const files = readFiles(folder, ["**"], "kit/");
  return isForWindows(system) ? zipOf(files) : gzipSync(await tarOf(files, isProgram), { level: 9 });
}

/** Builds the archives of all systems and the setup from the present bundles in dist/, with their checksums. */
export async function bundleArchives(root: string, target: string): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "kit-archives-"));
  mkdirSync(target, { recursive: true });
  try {
    for (const system of systems) {
      const folder = join(work, system.archive);
      writeFolder(root, system, await fetchParts(root, system), folder);
      if (isForWindows(system)) await finishWindowsFolder(root, folder, join(target, setupFile));
      writeFileSync(join(target, system.archive), await archiveOf(system, folder));
      rmSync(folder, { recursive: true });
    }
    const sums = readdirSync(target).map((file) => {
      const sum = createHash("sha256")
        .update(readFileSync(join(target, file)))
        .digest("hex");
      return `${sum}  ${file}\n`;
    });
    writeFileSync(join(target, "SHA256SUMS"), sums.join(""));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
