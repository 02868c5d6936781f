// Chooses the one thing that the Home page suggests to do next.
import { hasCode, type MessageOrText, type RecorderState, textOf } from "@kit/contract";
import { t, translateMessage } from "../../language/language.ts";
import { accountsAddress, recorderAddress } from "../../ui/address.ts";

export type NextStep = {
  readonly title: string;
  readonly says: string;
  /** Undefined: the button adds a game. */
  readonly action?: { readonly text: string; readonly address: string };
  /** True for what is only said until a person has read it. */
  readonly isOnce?: boolean;
};

export type HomeFacts = {
  readonly recorder: Pick<RecorderState, "state" | "detail"> | undefined;
  readonly hasPlayed: boolean;
  /** The number of known games. */
  readonly games: number;
  readonly hasHotkey: boolean;
  readonly clips: number;
  readonly accounts: number;
  /** True if the person has read that the whole screen is recorded. */
  readonly knowsScreen: boolean;
};

/** With one of these, a recorder that records shows the whole screen although nobody chose that. */
const screenCodes = [
  "window.of_game_not_found",
  "window.no_composite",
  "source.not_in_build",
  "capture.screen_not_recorded",
  "capture.window_not_recorded",
];
const recordsScreen = ({ state, detail }: Pick<RecorderState, "state" | "detail">) =>
  state === "recording" && screenCodes.some((code) => hasCode(detail, code));

const sentence = (message: MessageOrText) => translateMessage(message) || textOf(message);

/** Returns undefined if nothing needs to be done: then the page shows only what happened. */
export function nextStep({
  recorder,
  hasPlayed,
  games,
  hasHotkey,
  clips,
  accounts,
  knowsScreen,
}: HomeFacts): NextStep | undefined {
  const openRecorder = { text: t("Open the recorder"), address: recorderAddress };
  if (recorder?.state === "broken") {
    const title = t("Kit can't record");
    return { title, says: sentence(recorder.detail), action: openRecorder };
  }
  if (recorder !== undefined && !knowsScreen && recordsScreen(recorder)) {
    return {
      title: t("Kit records the whole screen"),
      says: t(
        "Clips then also show messages and other windows. To prevent that, choose one window on the Recorder page, or use OBS.",
      ),
      action: openRecorder,
      isOnce: true,
    };
  }
  if (!hasPlayed && games === 0) {
    return {
      title: t("Add your game"),
      says: t(
        "Start a game, and choose its window. Kit records it while it runs, and one key saves its last seconds as a clip.",
      ),
    };
  }
  if (recorder?.state === "off") {
    const title = t("Recording is off");
    return { title, says: sentence(recorder.detail), action: openRecorder };
  }
  // A game without Kit sends no moments, so only its player can save them.
  if (!hasPlayed && !hasHotkey) {
    return {
      title: t("Choose a hotkey"),
      says: t("While your game runs, Kit holds its last seconds. One key saves them as a clip."),
      action: { text: t("Choose a hotkey"), address: recorderAddress },
    };
  }
  if (clips > 0 && accounts === 0) {
    return {
      title: t("Share your clips"),
      says: t("Add Discord or another account once. After that, two clicks post a clip."),
      action: { text: t("Add an account"), address: accountsAddress },
    };
  }
  return undefined;
}
