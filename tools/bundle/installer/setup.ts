// Makes the setup for Windows with NSIS, and adds what only Windows needs to the folder of Kit.
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { nodeFlags } from "../../../launcher/src/process/node-flags.ts";
import { pathOf } from "../../engines/locate.ts";
import { readFiles } from "../sdk/archive.ts";

export const setupFile = "kit-windows-x64-setup.exe";
const publisher = "The Kit authors";
/** Key of the entry in Windows' list of installed apps. */
export const productCode = "Kit";

type SetupOptions = {
  readonly version: string;
  /** The folder of Kit for Windows. */
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

/** Adds ffmpeg with its licence and its source, Kit's recorder of sound, and kit-open.exe to the folder of Kit for Windows. */
export function addWindowsPrograms(root: string, version: string, folder: string): void {
  cpSync(pathOf("kit-sound for Windows"), join(folder, "kit-sound.exe"));
  const ffmpeg = dirname(pathOf("ffmpeg for Windows"));
  for (const name of ["ffmpeg.exe", "LICENSE.ffmpeg.txt"]) cpSync(join(ffmpeg, name), join(folder, name));
  cpSync(join(ffmpeg, "source"), join(folder, "ffmpeg-source"), { recursive: true });
  const icon = join(folder, "kit.ico");
  writeFileSync(icon, iconOf(root));
  const names = { ...detailsOf(version, "Opens Kit"), ICON: icon, NODE_FLAGS: nodeFlags.join(" ") };
  compile("open.nsi", join(folder, "kit-open.exe"), names);
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
