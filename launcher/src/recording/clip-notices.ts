// Tells a player on the desktop that a clip was saved: silently, not over a game that fills the screen, and not too often.

import type { Message, MessageOrText, RecorderSettings } from "@kit/contract";
import { message } from "@kit/contract/messages";
import type { Say } from "../reader-language.ts";

type Notification = { readonly title: string; readonly body: string };

/** Shows notifications of the desktop. */
export type Desktop = {
  /** Never rejects. */
  show(words: Notification): Promise<Message | null>;
  /** Resolves to why notifications fail, or to null if no reason is known. */
  trouble(): Promise<Message | null>;
};

export type ClipNoticesDeps = {
  readonly mode: () => RecorderSettings["clipNotice"];
  readonly desktop: Desktop;
  readonly say: Say;
  readonly gameName: (game: string) => string;
  /** Resolves to undefined if that is not known on this system. */
  readonly isScreenFilled: () => Promise<boolean | undefined>;
  /** False on a system where Kit never knows whether a window fills the screen. */
  readonly knowsScreen: boolean;
  readonly pauseMs?: number;
};

/** Shortest time between two notifications. Those in between become one, with their number. */
const pauseAfterMs = 10_000;
/** So many titles are named in one notification. */
const namedMax = 4;

export function createClipNotices({ mode, desktop, say, gameName, knowsScreen, ...deps }: ClipNoticesDeps) {
  /** The first ones that wait, and the number of all. */
  let waiting: Notification[] = [];
  let count = 0;
  let timer: NodeJS.Timeout | undefined;
  let showing: Promise<unknown> = Promise.resolve();

  const show = async (words: Notification) => {
    const allowed = mode();
    if (allowed === "off" || (await desktop.trouble()) !== null) return;
    if (allowed === "windowed" && (await deps.isScreenFilled()) !== false) return;
    await desktop.show(words);
  };
  const showWaiting = () => {
    timer = undefined;
    const [first] = waiting;
    if (first === undefined) return;
    const title = say(message("clip_notice.several", { count }));
    const body = waiting.map((words) => words.body).join(", ");
    start(count === 1 ? first : { title, body: count > waiting.length ? `${body}, …` : body });
    waiting = [];
    count = 0;
  };
  const start = (words: Notification) => {
    timer = setTimeout(showWaiting, deps.pauseMs ?? pauseAfterMs).unref();
    showing = showing.then(() => show(words)).catch(() => undefined);
  };
  const add = (title: Message, body: MessageOrText) => {
    if (mode() === "off") return;
    const words = { title: say(title), body: say(body) };
    if (timer === undefined) return start(words);
    count += 1;
    if (waiting.length < namedMax) waiting.push(words);
  };

  return {
    saved: (title: MessageOrText, game: string | null): void =>
      add(message("clip_notice.saved"), game === null ? title : `${say(title)} (${gameName(game)})`),
    /** Says why what a person asked for has no footage. */
    notSaved: (reason: MessageOrText): void => add(message("clip_notice.not_saved"), reason),
    marked: (title: MessageOrText): void => add(message("clip_notice.marked"), title),
    /** Resolves to why nothing is shown, or to null. */
    async trouble(): Promise<Message | null> {
      if (mode() === "off") return null;
      const unavailable = await desktop.trouble();
      if (unavailable !== null || mode() === "always" || knowsScreen) return unavailable;
      return message("clip_notice.screen_unknown");
    },
    async stop(): Promise<void> {
      clearTimeout(timer);
      waiting = [];
      await showing;
    },
  };
}
