// Chooses the one thing that the Home page suggests to do next.
import { hasCode, type MessageOrText, type RecorderState, textOf } from "@kit/contract";
import { t, translateMessage } from "../../language/language.ts";
import { accountsAddress, connectAddress, recorderAddress } from "../../ui/address.ts";

export type NextStep = {
  readonly title: string;
  readonly says: string;
  readonly action: string;
  readonly address: string;
  /** True for what is only said until a person has read it. */
  readonly isOnce?: boolean;
};

export type HomeFacts = {
  readonly recorder: Pick<RecorderState, "state" | "detail"> | undefined;
  readonly hasPlayed: boolean;
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
export function nextStep({ recorder, hasPlayed, clips, accounts, knowsScreen }: HomeFacts): NextStep | undefined {
  if (recorder?.state === "broken") {
    const title = t("Kit can't record");
    return { title, says: sentence(recorder.detail), action: t("Open the recorder"), address: recorderAddress };
  }
  if (recorder !== undefined && !knowsScreen && recordsScreen(recorder)) {
    return {
      title: t("Kit records the whole screen"),
      says: t(
        "Clips then also show messages and other windows. To prevent that, choose one window on the Recorder page, or use OBS.",
      ),
      action: t("Open the recorder"),
      address: recorderAddress,
      isOnce: true,
    };
  }
  if (!hasPlayed) {
    return {
      title: t("Connect your game"),
      says: t("Add Kit to your game, or play a game that has it. Its moments appear here."),
      action: t("Connect a game"),
      address: connectAddress(),
    };
  }
  if (recorder?.state === "off") {
    const title = t("Recording is off");
    return { title, says: sentence(recorder.detail), action: t("Open the recorder"), address: recorderAddress };
  }
  if (clips > 0 && accounts === 0) {
    return {
      title: t("Share your clips"),
      says: t("Add Discord or another account once. After that, two clicks post a clip."),
      action: t("Add an account"),
      address: accountsAddress,
    };
  }
  return undefined;
}
