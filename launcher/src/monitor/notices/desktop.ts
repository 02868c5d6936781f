// Notifications on the desktop. Their words come from games: each is plain, bounded, and one argument of a program that is
// started without a shell.
import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, isAbsolute, join } from "node:path";
import { plainText } from "./plain-text.ts";

const titleCharsMax = 100;
const bodyCharsMax = 240;
const reasonCharsMax = 160;
/** A desktop that does not answer is not waited for. */
const answerMs = 5_000;
const notHere = "Desktop notifications do not work here";

type Words = { readonly title: string; readonly body: string };

export type Desktop = {
  /** Null when the desktop took it, else why not, for a person. Never rejects. */
  show(words: Words): Promise<string | null>;
  /** Why it cannot show anything, as far as is known before it is asked; null when nothing is. */
  trouble(): Promise<string | null>;
};

export type DesktopNeeds = {
  /** Where programs are looked for. */
  readonly searchPath: string;
  /** Called with the first failure, and again only after one was shown. */
  readonly onFailure: (reason: string) => void;
  readonly platform?: NodeJS.Platform;
  readonly answerWithinMs?: number;
};

/** Fails with the reason. */
type Show = (words: Words) => Promise<void>;

/** Looked for each time: it may have been installed meanwhile. */
function findNotifySend(searchPath: string): string | undefined {
  const places = searchPath.split(delimiter).filter((folder) => isAbsolute(folder));
  return places
    .map((folder) => join(folder, "notify-send"))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

/** The program reads C's escapes in the body, and the desktop reads what comes out as markup. */
const asMarkup = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\\", "\\\\");

const byNotifySend =
  (searchPath: string, answerWithinMs: number): Show =>
  ({ title, body }) => {
    const program = findNotifySend(searchPath);
    if (program === undefined) return Promise.reject(new Error(howToInstall));
    // Nothing after the two dashes is an option.
    const words = ["--app-name=Kit", "--", title, asMarkup(body)];
    return new Promise((resolve, reject) => {
      const options = { timeout: answerWithinMs, killSignal: "SIGKILL", maxBuffer: 65_536 } as const;
      execFile(program, words, options, (error, _, stderr) => {
        if (error === null) return resolve();
        const said = plainText(stderr, reasonCharsMax);
        reject(new Error(`${notHere}: ${said || (error.killed ? "notify-send does not end" : "notify-send failed")}.`));
      });
    });
  };
const howToInstall = `${notHere}: install libnotify-bin, which has the program notify-send.`;

type Library = { notify(options: object, callback: (error: unknown) => void): void };
type Libraries = {
  readonly NotificationCenter: new (options: object) => Library;
  readonly WindowsToaster: new (options: object) => Library;
};

/** The library starts its programs for these two systems without a shell; it answers when the notification goes away. */
const byLibrary =
  (platform: NodeJS.Platform, answerWithinMs: number): Show =>
  ({ title, body }) => {
    // Loaded by the first one; not an import, because a bundle would part it from the programs it brings.
    const require = createRequire(import.meta.url);
    const { NotificationCenter, WindowsToaster } = require("toasted-notifier") as Libraries;
    const library = new (platform === "darwin" ? NotificationCenter : WindowsToaster)({ withFallback: false });
    return new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, answerWithinMs);
      library.notify({ title, message: body, timeout: 5 }, (error) => {
        clearTimeout(timer);
        if (error instanceof Error) reject(new Error(`${notHere}: ${plainText(error.message, reasonCharsMax)}.`));
        else resolve();
      });
    });
  };

export function createDesktop({ searchPath, onFailure, ...given }: DesktopNeeds): Desktop {
  const { platform = process.platform, answerWithinMs = answerMs } = given;
  const isOwn = platform !== "darwin" && platform !== "win32";
  const showWords = isOwn ? byNotifySend(searchPath, answerWithinMs) : byLibrary(platform, answerWithinMs);
  let failed: string | null = null;
  return {
    async show({ title, body }) {
      const words = { title: plainText(title, titleCharsMax), body: plainText(body, bodyCharsMax) };
      try {
        await showWords(words);
        failed = null;
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        if (failed === null) onFailure(reason);
        failed = reason;
      }
      return failed;
    },
    async trouble() {
      if (isOwn && findNotifySend(searchPath) === undefined) return howToInstall;
      // What was missing is there now.
      return failed === howToInstall ? null : failed;
    },
  };
}
