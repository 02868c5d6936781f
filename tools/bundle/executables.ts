// Builds one executable per system on one computer. Fails if an executable exceeds its maximum size.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { rolldown } from "rolldown";
import { provideFromDebian } from "../engines/debian-programs.ts";
import { pathOf } from "../engines/locate.ts";
import { nsis } from "../engines/recipes.ts";
import { provideWindowsFfmpeg, readDiffers } from "../engines/windows-ffmpeg/build.ts";
import { provideWindowsSound } from "../engines/windows-ffmpeg/sound.ts";
import { sha256Of } from "./executables/boot/unpack.ts";
import { filesOf, pinnedByLock } from "./executables/fetched.ts";
import { type Parts, pack, payloadFiles } from "./executables/payload.ts";
import { writeScript } from "./executables/script.ts";
import { writeSea } from "./executables/sea.ts";
import { nodeVersion, type System, systems } from "./executables/systems.ts";
import {
  makePortable,
  makeProgramFolder,
  makeSetup,
  portableFile,
  setupFile,
  soundProgram,
} from "./installer/setup.ts";
import { versionOf } from "./sdk.ts";

/** Bundles the boot code into one CommonJS file, the only format that Node accepts as the entry of a single executable. */
async function bootCode(): Promise<string> {
  const bundle = await rolldown({ input: join(import.meta.dirname, "executables/boot/boot.ts"), platform: "node" });
  const { output } = await bundle.generate({ format: "cjs" });
  await bundle.close();
  return output[0].code;
}

export function requireWithin({ file, bytesMax }: System, bytes: number): void {
  if (bytes <= bytesMax) return;
  const said = (count: number) => `${(count / 1_000_000).toFixed(1)} MB`;
  throw new Error(`${file} is ${said(bytes)} and may be ${said(bytesMax)}: see what made it grow, or raise bytesMax.`);
}

/** Writes the executable of one system to `output`. Throws if it is too large. */
export async function makeExecutable(root: string, system: System, parts: Parts, output: string): Promise<void> {
  const payload = pack(payloadFiles(root, system, parts));
  const executable = { node: parts.node, boot: await bootCode(), payload, output };
  if (system.form === "sea") writeSea(executable);
  else await writeScript(executable);
  requireWithin(system, statSync(output).size);
}

/** Reads Node's licence from its Linux package, because the other packages do not contain it. */
async function nodeLicenceOf(): Promise<string> {
  for (const { node } of systems) {
    const licence = (await filesOf(node)).get("LICENSE");
    if (licence !== undefined) return Buffer.from(licence).toString();
  }
  throw new Error("No package of Node brought its licence.");
}

async function fetchParts(root: string, { node, keyring }: System, work: string): Promise<Parts> {
  const fetched = await filesOf(node);
  const program = fetched.get("bin/node") ?? fetched.get("bin/node.exe");
  if (program === undefined) throw new Error(`${node.name} holds no node`);
  const path = join(work, node.name);
  writeFileSync(path, program, { mode: 0o755 });
  const library = await filesOf(pinnedByLock(root, keyring));
  const place = (name: string) => `node_modules/${keyring}/${name}`;
  return {
    node: path,
    nodeLicence: await nodeLicenceOf(),
    keyring: [...library].map(([name, content]) => ({ path: place(name), content, program: false })),
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

/** Puts ffmpeg for Windows beside the executables, with its licence and its complete source, and Kit's recorder of sound. */
async function copyWindowsPrograms(target: string): Promise<void> {
  await provideWindowsSound();
  cpSync(pathOf("kit-sound for Windows"), join(target, soundProgram));
  await provideWindowsFfmpeg();
  requirePinned(readDiffers());
  const place = dirname(pathOf("ffmpeg for Windows"));
  for (const name of ["ffmpeg.exe", "LICENSE.ffmpeg.txt"]) cpSync(join(place, name), join(target, name));
  cpSync(join(place, "source"), join(target, "ffmpeg-source"), { recursive: true });
}

/** Makes the setup and the portable ZIP for Windows of the executable. */
async function makeInstallers(root: string, work: string, target: string, nodeLicence: string): Promise<void> {
  await provideFromDebian(nsis);
  const version = versionOf(root);
  const files = join(work, "program");
  const kit = join(target, "kit-windows-x64.exe");
  const sound = join(target, soundProgram);
  const ffmpeg = dirname(pathOf("ffmpeg for Windows"));
  makeProgramFolder({ root, version, kit, ffmpeg, sound, nodeLicence }, files);
  makeSetup({ version, files, output: join(target, setupFile) });
  makePortable(files, join(target, portableFile));
}

/** Writes the licences, the setup and the checksums beside the executables. */
async function writeBesides(root: string, work: string, target: string): Promise<void> {
  await copyWindowsPrograms(target);
  const nodeLicence = await nodeLicenceOf();
  writeFileSync(join(target, "LICENSE.node.txt"), nodeLicence);
  cpSync(join(root, "LICENSE"), join(target, "LICENSE.kit.txt"));
  await makeInstallers(root, work, target, nodeLicence);
  const files = [...systems.map(({ file }) => file), "ffmpeg.exe", soundProgram, setupFile, portableFile];
  const sums = files.map((file) => `${sha256Of(readFileSync(join(target, file)))}  ${file}\n`);
  writeFileSync(join(target, "SHA256SUMS"), sums.join(""));
}

/** Builds the executables of all systems from the present bundles in dist/. */
export async function bundleExecutables(root: string, target: string): Promise<void> {
  if (process.versions.node !== nodeVersion) {
    throw new Error(`Executables are of Node ${nodeVersion}, made by the same; this is ${process.versions.node}.`);
  }
  const work = mkdtempSync(join(tmpdir(), "kit-executables-"));
  mkdirSync(target, { recursive: true });
  try {
    for (const system of systems) {
      const parts = await fetchParts(root, system, work);
      await makeExecutable(root, system, parts, join(target, system.file));
      rmSync(parts.node);
    }
    await writeBesides(root, work, target);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
