// Shows desktop notifications. Their text comes from games, so it becomes plain text with escaped markup, and is passed as an
// argument to a program that is started without a shell.
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { type Message, textOf } from "@kit/contract";
import { message } from "@kit/contract/messages";

const titleCharsMax = 100;
const bodyCharsMax = 240;
const reasonCharsMax = 160;
/** Maximum wait for the desktop to answer. */
const answerMs = 5_000;

type Notification = { readonly title: string; readonly body: string };

export type DesktopNotifier = {
  /** Shows a notification. Resolves to null, or to why it could not be shown. Never rejects. */
  show(words: Notification): Promise<Message | null>;
  /** Resolves to why notifications fail, or to null if no reason is known. */
  trouble(): Promise<Message | null>;
};

export type DesktopNotifierDeps = {
  /** The folders of `PATH`, in its format. */
  readonly searchPath: string;
  /** Called with the first failure. Called again only for a failure that follows a success. */
  readonly onFailure: (reason: string) => void;
  readonly platform?: NodeJS.Platform;
  readonly answerWithinMs?: number;
};

type ShowNotification = (words: Notification) => Promise<Message | null>;

/** Called for each notification, because the program may have been installed since the last one. */
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

/** notify-send interprets C escapes in the body, and the desktop interprets the result as markup. */
const escapeBody = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll("\\", "\\\\");

const showByNotifySend =
  (searchPath: string, answerWithinMs: number): ShowNotification =>
  ({ title, body }) => {
    const program = findNotifySend(searchPath);
    if (program === undefined) return Promise.resolve(installNotifySend);
    // After `--`, no text is read as an option.
    const words = ["--app-name=Kit", "--", title, escapeBody(body)];
    return new Promise((resolve) => {
      const limits = { timeout: answerWithinMs, killSignal: "SIGKILL", maxBuffer: 65_536 } as const;
      execFile(program, words, { ...limits, windowsHide: true }, (error, _, stderr) => {
        if (error === null) return resolve(null);
        const without = error.killed ? "notice.notify_send_not_finished" : "notice.notify_send_failed";
        resolve(message("notice.unavailable", { reason: toPlainText(stderr, reasonCharsMax) || message(without) }));
      });
    });
  };
const installNotifySend = message("notice.no_notify_send");

type Library = { notify(options: object, callback: (error: unknown) => void): void };
type Libraries = {
  readonly NotificationCenter: new (options: object) => Library;
  readonly WindowsToaster: new (options: object) => Library;
};

/** The id under which Windows knows the notifications of Kit, and the key with what Windows shows for it. */
const appId = "Kit.Launcher";
const appKey = `HKCU\\Software\\Classes\\AppUserModelId\\${appId}`;

/**
 * Tells Windows the name and the picture of Kit. Returns false if that fails: then notifications have the name of the library's
 * program, which writes a shortcut into the Start menu for that.
 */
async function registerApp(): Promise<boolean> {
  const icon = join(dirname(process.execPath), "kit.ico");
  const values = { DisplayName: "Kit", ...(existsSync(icon) && { IconUri: icon }) };
  try {
    for (const [name, text] of Object.entries(values)) {
      const words = ["add", appKey, "/v", name, "/t", "REG_SZ", "/d", text, "/f"];
      await promisify(execFile)("reg", words, { windowsHide: true, timeout: answerMs });
    }
    return true;
  } catch {
    return false;
  }
}

/**
 * Shows a notification on macOS and Windows: a library starts programs of its own without a shell, and answers when the
 * notification is closed.
 */
const showByLibrary =
  (platform: NodeJS.Platform, answerWithinMs: number): ShowNotification =>
  async ({ title, body }) => {
    const app = platform === "win32" && (await registerApp()) ? { appID: appId } : {};
    // The library is loaded on first use, and not by an import: the bundler would separate it from the programs that it
    // starts.
    const require = createRequire(import.meta.url);
    const { NotificationCenter, WindowsToaster } = require("toasted-notifier") as Libraries;
    const library = new (platform === "darwin" ? NotificationCenter : WindowsToaster)({ withFallback: false });
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, answerWithinMs, null);
      library.notify({ title, message: body, timeout: 5, ...app }, (error) => {
        clearTimeout(timer);
        const reason = error instanceof Error ? toPlainText(error.message, reasonCharsMax) : null;
        resolve(reason === null ? null : message("notice.unavailable", { reason }));
      });
    });
  };

export function createDesktopNotifier({ searchPath, onFailure, ...given }: DesktopNotifierDeps): DesktopNotifier {
  const { platform = process.platform, answerWithinMs = answerMs } = given;
  const usesNotifySend = platform !== "darwin" && platform !== "win32";
  const showWords = usesNotifySend
    ? showByNotifySend(searchPath, answerWithinMs)
    : showByLibrary(platform, answerWithinMs);
  const tryToShow = async (words: Notification) => {
    try {
      return await showWords(words);
    } catch (error) {
      return message("notice.unavailable", { reason: toPlainText((error as Error).message, reasonCharsMax) });
    }
  };
  let lastFailure: Message | null = null;
  return {
    async show({ title, body }) {
      const words = { title: toPlainText(title, titleCharsMax), body: toPlainText(body, bodyCharsMax) };
      const failure = await tryToShow(words);
      if (failure !== null && lastFailure === null) onFailure(textOf(failure));
      lastFailure = failure;
      return failure;
    },
    async trouble() {
      if (usesNotifySend && findNotifySend(searchPath) === undefined) return installNotifySend;
      // If notify-send was missing and is found now, that failure is over.
      return lastFailure?.code === installNotifySend.code ? null : lastFailure;
    },
  };
}

/** Matches control, format, surrogate, private-use and unassigned characters, and white space. */
const unseen = /[\p{C}\p{Z}\s]+/gu;

/**
 * Makes text from games safe to show outside Kit: one line of at most `charsMax` characters, with an ellipsis if it was cut,
 * without invisible and control characters.
 */
export function toPlainText(text: string, charsMax: number): string {
  // The text is cut first, so that a long one is not processed whole. No character needs more than two UTF-16 units.
  const start = text
    .slice(0, charsMax * 4)
    .toWellFormed()
    .replace(unseen, " ")
    .trim();
  const characters = Array.from(start);
  const isCut = characters.length > charsMax || text.length > charsMax * 4;
  return isCut ? `${characters.slice(0, charsMax - 1).join("")}…` : start;
}
