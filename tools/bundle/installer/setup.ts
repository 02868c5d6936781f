// Makes the setup for Windows with NSIS, and the folder of programs that the setup and the portable ZIP contain.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathOf } from "../../engines/locate.ts";
import { readFiles, zipOf } from "../sdk/archive.ts";

export const setupFile = "kit-windows-x64-setup.exe";
export const portableFile = "kit-windows-x64.zip";
export const publisher = "The Kit authors";
/** Key of the entry in Windows' list of installed apps, which winget calls the product code. */
export const productCode = "Kit";

type SetupOptions = {
  readonly version: string;
  /** Folder with the files of `makeProgramFolder`. */
  readonly files: string;
  /** Path of the file to write. */
  readonly output: string;
  /** Compresses nothing, because that takes a minute. For tests. */
  readonly uncompressed?: boolean;
};

/** A fixed time, so that the same files give the same bytes. */
const madeAtSeconds = Date.UTC(1980, 0, 1, 12) / 1_000;

/** A Windows icon that contains one PNG of 192 pixels. */
function iconOf(root: string): Uint8Array {
  const png = readFileSync(join(root, "dashboard/public/icons/kit-192.png"));
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2); // an icon, not a cursor
  head.writeUInt16LE(1, 4); // one picture
  head.set([192, 192], 6);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12); // bits for a pixel
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

function compile(script: string, output: string, names: Readonly<Record<string, string | number>>): void {
  const makensis = pathOf("NSIS");
  const share = join(dirname(makensis), "../share/nsis");
  const words = Object.entries(names).map(([name, value]) => `-D${name}=${value}`);
  const options = ["-V2", "-WX", "-INPUTCHARSET", "UTF8", ...words, `-DOUTPUT=${output}`];
  execFileSync(makensis, [...options, join(import.meta.dirname, script)], {
    env: { ...process.env, NSISDIR: share, SOURCE_DATE_EPOCH: `${madeAtSeconds}`, LC_ALL: "C.UTF-8" },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

const detailsOf = (version: string, description: string) => ({
  VERSION: version,
  VERSION_NUMBERS: `${version.replace(/[^\d.].*$/, "")}.0`,
  PUBLISHER: publisher,
  DESCRIPTION: description,
});

export const soundProgram = "kit-sound.exe";

type ProgramFolder = {
  readonly root: string;
  readonly version: string;
  /** Path of the executable for Windows. */
  readonly kit: string;
  /** Folder with ffmpeg.exe, its licence, and its source below. */
  readonly ffmpeg: string;
  /** Path of kit-sound.exe. */
  readonly sound: string;
  readonly nodeLicence: string;
};

/** Puts all files of Kit for Windows into the folder `target`. */
export function makeProgramFolder(from: ProgramFolder, target: string): void {
  mkdirSync(target, { recursive: true });
  cpSync(from.kit, join(target, "kit.exe"));
  cpSync(from.sound, join(target, soundProgram));
  for (const name of ["ffmpeg.exe", "LICENSE.ffmpeg.txt"]) cpSync(join(from.ffmpeg, name), join(target, name));
  cpSync(join(from.ffmpeg, "source"), join(target, "ffmpeg-source"), { recursive: true });
  writeFileSync(join(target, "LICENSE.node.txt"), from.nodeLicence);
  cpSync(join(from.root, "LICENSE"), join(target, "LICENSE.kit.txt"));
  const icon = join(target, "kit.ico");
  writeFileSync(icon, iconOf(from.root));
  compile("open.nsi", join(target, "kit-open.exe"), { ...detailsOf(from.version, "Opens Kit"), ICON: icon });
}

export function makeSetup({ version, files, output, uncompressed = false }: SetupOptions): void {
  const bytes = readFiles(files, ["**"])
    .values()
    .reduce((sum, { length }) => sum + length, 0);
  compile("setup.nsi", output, {
    ...detailsOf(version, "Setup of Kit"),
    FILES: files,
    ICON: join(files, "kit.ico"),
    KILOBYTES: Math.ceil(bytes / 1024),
    UNINSTALL_KEY: `Software\\Microsoft\\Windows\\CurrentVersion\\Uninstall\\${productCode}`,
    ...(uncompressed ? { UNCOMPRESSED: 1 } : {}),
  });
}

/** Writes the portable ZIP: one folder, to be unpacked anywhere. */
export function makePortable(files: string, output: string): void {
  writeFileSync(output, zipOf(readFiles(files, ["**"], "kit/")));
}
