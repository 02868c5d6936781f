// Says whether a folder is in a place that does not suit a database: one that a program synchronises, or one on another computer.
import { statfsSync } from "node:fs";
import { posix, win32 } from "node:path";
import { getBuiltinModule } from "node:process";

type Place = "synchronised" | "network" | "local";

/** Names that synchronising programs give their folders. Companies add theirs to OneDrive's. */
const synchronisedNames =
  /^(?:OneDrive(?: - .+)?|Dropbox(?: \(.+\))?|iCloudDrive|iCloud Drive|Mobile Documents|Google Drive|GoogleDrive(?:-.+)?|Nextcloud|pCloud ?Drive)$/i;
/** A share on another computer: \\server\share, also in its long form. \\?\C:\ and \\.\ are on this one. */
const share = /^(?:\\\\\?\\UNC\\|\\\\(?![?.]\\))/i;
/** The types that statfs returns for NFS, SMB and CIFS on Linux. */
const networkTypes: readonly number[] = [0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42];
const remoteDrive = 4;

const isInside = (path: string, folder: string) => {
  const [inner, outer] = [path, win32.resolve(folder)].map((each) => each.toLowerCase());
  return inner === outer || inner?.startsWith(`${outer}\\`);
};

/** True if Windows says that this drive is on another computer. */
function isRemoteDrive(root: string): boolean {
  const kernel = getBuiltinModule("node:ffi")?.dlopen("kernel32.dll", {
    GetDriveTypeW: { arguments: ["buffer"], return: "u32" },
  });
  return kernel?.functions.GetDriveTypeW(Buffer.from(`${root}\0`, "utf16le")) === remoteDrive;
}

const typeOfFileSystem = (path: string) => statfsSync(path).type;

/** Looks at the nearest folder that exists: Kit will create the others in it. */
function isOnNetwork(path: string, typeAt: (path: string) => number): boolean {
  try {
    return networkTypes.includes(typeAt(path));
  } catch {
    const above = posix.dirname(path);
    return above !== path && isOnNetwork(above, typeAt);
  }
}

type PlaceOptions = {
  readonly platform?: NodeJS.Platform;
  /** Folders of Windows that are known to be synchronised. */
  readonly synchronised?: readonly string[];
  /** Returns the type of the file system, as statfs names it. Throws if the path does not exist. */
  readonly typeAt?: (path: string) => number;
};

/** Returns what is known: a folder that a program synchronises under another name counts as local. `path` is absolute. */
export function placeOfFolder(
  path: string,
  { platform = process.platform, synchronised = [], typeAt = typeOfFileSystem }: PlaceOptions = {},
): Place {
  const isWindows = platform === "win32";
  const { resolve, sep } = isWindows ? win32 : posix;
  const full = resolve(path);
  if (full.split(sep).some((name) => synchronisedNames.test(name))) return "synchronised";
  if (!isWindows) return platform === "linux" && isOnNetwork(full, typeAt) ? "network" : "local";
  if (synchronised.some((folder) => isInside(full, folder))) return "synchronised";
  if (share.test(full)) return "network";
  const isRemote = process.platform === "win32" && isRemoteDrive(win32.parse(full).root);
  return isRemote ? "network" : "local";
}
