// The launcher's settings, from flags, then the environment, then defaults. Only this file reads the environment.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultPort } from "@kit/contract";
import envPaths from "env-paths";
import { nodeFlags } from "./process/node-flags.ts";
import { userUmask } from "./process/umask.ts";

export const kitVersion = "0.1.0";

export type Config = {
  readonly port: number;
  /** False if nobody chose a port. Commands then take the port from the file of the running launcher. */
  readonly isPortExplicit: boolean;
  readonly dataDir: string;
  /** The option by which commands find this data folder, e.g. `--data-dir "/mnt/kit"`; empty for the default folder. */
  readonly dataDirOption: string;
  /**
   * How long commands wait for an answer on the port that the launcher recorded. Long, because a launcher beside a game that
   * uses every core may answer late.
   */
  readonly answerWithinMs: number;
  /** How often commands find out whether a launcher that works on a request still responds. */
  readonly watchEveryMs: number;
  /** Folder with the built files of the dashboard. */
  readonly dashboard: string;
  /** Folder with the packages of the bindings. */
  readonly sdk: string;
  /** Files with the licence texts of the launcher, of the dashboard, and of what an archive has beside them. */
  readonly licences: readonly string[];
  readonly migrations: string;
  readonly clipsDir: string;
  /** The ffmpeg that a person set. If undefined, the one on PATH or a packaged one is used. */
  readonly ffmpeg: string | undefined;
  /** The PATH variable. */
  readonly searchPath: string;
  /** The X display to capture. */
  readonly display: string | undefined;
  /** True if a browser window can be shown to a person. */
  readonly hasDesktop: boolean;
  /** The locale of the user, e.g. `ja_JP.UTF-8`; empty if the environment names none. */
  readonly locale: string;
  /** True in a Wayland session, which ffmpeg cannot capture. */
  readonly isWayland: boolean;
  /** The address of the desktop's session bus (D-Bus). */
  readonly sessionBus: string | undefined;
  /** True to store secrets in the system's keyring, false to store them in files. */
  readonly useKeyring: boolean;
  /** True to look up the program that sends an event. If false, reports without an event id have no game. */
  readonly findSenders: boolean;
  /** The command that starts this Kit again: a program and its first arguments. */
  readonly ownCommand: readonly string[];
  /** The user's umask, for programs that Kit starts for the user. Kit's own umask excludes other users. */
  readonly umask: number;
  /** Folder of the user's program settings, including autostart entries. */
  readonly configHome: string;
  /** Folder of the user's program data on Linux and Windows, including entries of the system's menu. */
  readonly dataHome: string;
  readonly version: string;
};

/** A setting is invalid. The message names the setting and the accepted form. */
export class InvalidSetting extends Error {
  override name = "InvalidSetting";
}

/** Whether Kit runs from its sources, where this file is launcher/src/config.ts. When built, it is in dist/launcher. */
const fromSource = import.meta.url.endsWith(".ts");
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const licenceFiles = ["launcher/licences.txt", "dashboard/licences.txt", "licences.txt"].map((file) =>
  here(fromSource ? `../../dist/${file}` : `../${file}`),
);

/** The command that starts this Kit. Excludes the Node flags of the current process, such as those for debugging. */
const ownCommand = [process.execPath, ...nodeFlags, here(fromSource ? "./main.ts" : "./main.js")];

/** What a person types in a terminal to run this Kit. Outside a checkout, npx would run a package of somebody else. */
export const kitInWords = (): string =>
  fromSource || existsSync(here("../../launcher/bin/kit.js")) ? "npx kit" : "kit";

/** Returns a command that reaches the launcher with this configuration, as a person types it. */
export function kitCommandInWords({ dataDirOption }: Pick<Config, "dataDirOption">, words: string): string {
  // After `--` begins the command of a game.
  const [own = "", ...game] = words.split(" -- ");
  return [[kitInWords(), own, dataDirOption].filter(Boolean).join(" "), ...game].join(" -- ");
}

function readConfigHome({ XDG_CONFIG_HOME: given = "" }: NodeJS.ProcessEnv): string {
  if (process.platform === "darwin") return join(homedir(), "Library");
  if (process.platform === "win32") return join(homedir(), "AppData", "Local");
  return isAbsolute(given) ? given : join(homedir(), ".config");
}

function readPort(text: string, setting: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 1 && port <= 65_535) return port;
  throw new InvalidSetting(`${setting} is ${JSON.stringify(text)}; give a port from 1 to 65535.`);
}

function readSecretsPlace(text: string | undefined): boolean {
  if (text === undefined || text === "" || text === "keyring") return true;
  if (text === "file") return false;
  throw new InvalidSetting(`KIT_SECRETS is ${JSON.stringify(text)}; give keyring or file.`);
}

function readOnOff(setting: string, text: string | undefined): boolean {
  if (text === undefined || text === "" || text === "on") return true;
  if (text === "off") return false;
  throw new InvalidSetting(`${setting} is ${JSON.stringify(text)}; give on or off.`);
}

function readDataHome({ XDG_DATA_HOME: given = "", APPDATA = "" }: NodeJS.ProcessEnv): string {
  if (process.platform === "win32") return APPDATA || join(homedir(), "AppData", "Roaming");
  return isAbsolute(given) ? given : join(homedir(), ".local", "share");
}

/** Reads flags and environment. Throws InvalidSetting. */
export function readConfig(
  flags: { port?: string; dataDir?: string; clipsDir?: string },
  env: NodeJS.ProcessEnv = process.env,
): Config {
  const port = flags.port ?? env.KIT_PORT;
  const usualDataDir = resolve(envPaths("kit", { suffix: "" }).data);
  const dataDir = resolve(flags.dataDir ?? env.KIT_DATA_DIR ?? usualDataDir);
  return {
    port: port === undefined ? defaultPort : readPort(port, flags.port === undefined ? "KIT_PORT" : "--port"),
    isPortExplicit: port !== undefined,
    dataDir,
    dataDirOption: dataDir === usualDataDir ? "" : `--data-dir "${dataDir}"`,
    answerWithinMs: 15_000,
    watchEveryMs: 5_000,
    dashboard: here(fromSource ? "../../dist/dashboard" : "../dashboard"),
    sdk: here(fromSource ? "../../dist/sdk" : "../sdk"),
    licences: licenceFiles,
    migrations: here("./storage/migrations"),
    clipsDir: resolve(flags.clipsDir ?? env.KIT_CLIPS_DIR ?? join(dataDir, "clips")),
    ffmpeg: env.KIT_FFMPEG,
    searchPath: env.PATH ?? "",
    display: env.DISPLAY,
    hasDesktop: hasDesktop(env),
    locale: namedLocale(env),
    isWayland: Boolean(env.WAYLAND_DISPLAY) && !env.DISPLAY,
    sessionBus: env.DBUS_SESSION_BUS_ADDRESS || (env.XDG_RUNTIME_DIR && `unix:path=${env.XDG_RUNTIME_DIR}/bus`),
    useKeyring: readSecretsPlace(env.KIT_SECRETS),
    findSenders: readOnOff("KIT_SENDERS", env.KIT_SENDERS),
    ownCommand,
    umask: userUmask,
    configHome: readConfigHome(env),
    dataHome: readDataHome(env),
    version: kitVersion,
  };
}

/** Returns the folders of OneDrive, which Windows names in the environment, also those that a person has moved. */
export const oneDriveFolders = (env: NodeJS.ProcessEnv): string[] =>
  [env.OneDrive, env.OneDriveConsumer, env.OneDriveCommercial].flatMap((folder) => folder || []);

function hasDesktop(env: NodeJS.ProcessEnv): boolean {
  if (env.CI || env.SSH_CONNECTION) return false;
  if (process.platform !== "linux") return true;
  const folders = (env.PATH ?? "").split(delimiter);
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY) && folders.some((folder) => existsSync(join(folder, "xdg-open")));
}

/** The locale that the environment names, e.g. `ja_JP.UTF-8`; empty if it names none. */
export const namedLocale = (env: NodeJS.ProcessEnv): string => env.LC_ALL || env.LC_MESSAGES || env.LANG || "";
