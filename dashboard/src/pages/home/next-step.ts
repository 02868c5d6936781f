// Chooses the one thing that the Home page suggests to do next.
import { type MessageOrText, type RecorderState, textOf } from "@kit/contract";
import { t, translateMessage } from "../../language/language.ts";
import { accountsAddress, connectAddress, recorderAddress } from "../../ui/address.ts";

export type NextStep = {
  readonly title: string;
  readonly says: string;
  readonly action: string;
  readonly address: string;
};

export type HomeFacts = {
  readonly recorder: Pick<RecorderState, "state" | "detail"> | undefined;
  readonly sessions: number;
  readonly clips: number;
  readonly accounts: number;
};

const sentence = (message: MessageOrText) => translateMessage(message) || textOf(message);

/** Returns undefined if nothing needs to be done: then the page shows only what happened. */
export function nextStep({ recorder, sessions, clips, accounts }: HomeFacts): NextStep | undefined {
  if (recorder?.state === "broken") {
    const title = t("Kit can't record");
    return { title, says: sentence(recorder.detail), action: t("Open the recorder"), address: recorderAddress };
  }
  if (sessions === 0) {
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
