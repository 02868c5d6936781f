// Where the launcher's settings come from: flags, then the environment, then defaults. The only reader of the environment.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { isSea } from "node:sea";
import { fileURLToPath } from "node:url";
import { defaultPort } from "@kit/contract";
import envPaths from "env-paths";
import { nodeFlags } from "./node-flags.ts";
import { usersUmask } from "./umask.ts";

export const kitVersion = "0.1.0";

export type Config = {
  readonly port: number;
  /** False where the port is only the default: a running launcher may have been given another. */
  readonly portGiven: boolean;
  readonly dataDir: string;
  /** Built files of the dashboard. */
  readonly dashboard: string;
  /** Packages of the bindings. */
  readonly sdk: string;
  /** The licence texts of what is in the launcher, in the dashboard, and in an executable beside them. */
  readonly licences: readonly string[];
  readonly migrations: string;
  /** Where clips are kept. */
  readonly clipsDir: string;
  /** The ffmpeg a person chose; the one on PATH, or a packaged one, when left out. */
  readonly ffmpeg: string | undefined;
  /** Where programs are looked for. */
  readonly searchPath: string;
  /** The X display whose screen can be captured. */
  readonly display: string | undefined;
  /** The session draws on Wayland, which ffmpeg cannot capture. */
  readonly wayland: boolean;
  /** Secrets may go to the system's keyring; false keeps them in files. */
  readonly keyring: boolean;
  /** Which program sends an event may be looked for; false: reports without an id belong to nobody. */
  readonly findSenders: boolean;
  /** How this Kit is started again: a program and its first arguments. */
  readonly ownCommand: readonly string[];
  /** The umask the user has, for what is started on their behalf; Kit's own lets nobody else in. */
  readonly umask: number;
  /** Where the user's settings of programs lie, those among them that the system starts. */
  readonly configHome: string;
  readonly version: string;
};

/** A setting that cannot be used; its message names the setting and an accepted form. */
export class BadSetting extends Error {
  override name = "BadSetting";
}

/** In the sources this file is launcher/src/config.ts; built, it lies in dist/launcher. */
const fromSource = import.meta.url.endsWith(".ts");
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const licenceFiles = ["launcher/licences.txt", "dashboard/licences.txt", "licences.txt"].map((file) =>
  here(fromSource ? `../../dist/${file}` : `../${file}`),
);

/**
 * An executable is its own command; unpacked by a shell script it has what it boots with beside it. Without the flags of
 * this start: whoever watches or debugs this one means this one.
 */
function readOwnCommand(): readonly string[] {
  if (isSea()) return [process.execPath];
  const boot = join(dirname(process.execPath), "boot.cjs");
  if (existsSync(boot)) return [process.execPath, ...nodeFlags, boot];
  return [process.execPath, ...nodeFlags, here(fromSource ? "./main.ts" : "./main.js")];
}

function readConfigHome({ XDG_CONFIG_HOME: given = "" }: NodeJS.ProcessEnv): string {
  if (process.platform === "darwin") return join(homedir(), "Library");
  if (process.platform === "win32") return join(homedir(), "AppData", "Local");
  return isAbsolute(given) ? given : join(homedir(), ".config");
}

function readPort(text: string, setting: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port >= 1 && port <= 65_535) return port;
  throw new BadSetting(`${setting} is ${JSON.stringify(text)}; give a port from 1 to 65535.`);
}

function readSecretsPlace(text: string | undefined): boolean {
  if (text === undefined || text === "" || text === "keyring") return true;
  if (text === "file") return false;
  throw new BadSetting(`KIT_SECRETS is ${JSON.stringify(text)}; give keyring or file.`);
}

function readOnOff(setting: string, text: string | undefined): boolean {
  if (text === undefined || text === "" || text === "on") return true;
  if (text === "off") return false;
  throw new BadSetting(`${setting} is ${JSON.stringify(text)}; give on or off.`);
}

/** Reads flags and environment. Throws BadSetting. */
export function readConfig(
  flags: { port?: string; dataDir?: string; clipsDir?: string },
  env: NodeJS.ProcessEnv = process.env,
): Config {
  const port = flags.port ?? env.KIT_PORT;
  const dataDir = resolve(flags.dataDir ?? env.KIT_DATA_DIR ?? envPaths("kit", { suffix: "" }).data);
  return {
    port: port === undefined ? defaultPort : readPort(port, flags.port === undefined ? "KIT_PORT" : "--port"),
    portGiven: port !== undefined,
    dataDir,
    dashboard: here(fromSource ? "../../dist/dashboard" : "../dashboard"),
    sdk: here(fromSource ? "../../dist/sdk" : "../sdk"),
    licences: licenceFiles,
    migrations: here("./storage/migrations"),
    clipsDir: resolve(flags.clipsDir ?? env.KIT_CLIPS_DIR ?? join(dataDir, "clips")),
    ffmpeg: env.KIT_FFMPEG,
    searchPath: env.PATH ?? "",
    display: env.DISPLAY,
    wayland: Boolean(env.WAYLAND_DISPLAY) && !env.DISPLAY,
    keyring: readSecretsPlace(env.KIT_SECRETS),
    findSenders: readOnOff("KIT_SENDERS", env.KIT_SENDERS),
    ownCommand: readOwnCommand(),
    umask: usersUmask,
    configHome: readConfigHome(env),
    version: kitVersion,
  };
}

/** What a game that `kit run` starts has in its environment: all that is there, and this. */
export const gameEnvironment = (
  added: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv => ({ ...env, ...added });

/** True where a person can be shown a browser window. */
export function hasDesktop(env: NodeJS.ProcessEnv = process.env): boolean {
  if (env.CI || env.SSH_CONNECTION) return false;
  if (process.platform !== "linux") return true;
  return Boolean(env.DISPLAY || env.WAYLAND_DISPLAY) && existsSync("/usr/bin/xdg-open");
}

/** True where colours are wanted. */
export const wantsColour = (env: NodeJS.ProcessEnv = process.env): boolean =>
  !env.NO_COLOR && process.stdout.isTTY === true;
