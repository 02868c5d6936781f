// The recorder's words for what the wire says in codes.
import type { RecorderReport, RecorderSettings, RecorderState, RecorderStateName } from "@kit/contract";
import { locale, t } from "../../language/language.ts";

type StateWord = { readonly says: string; readonly title: string };

/** A state of a newer launcher has no word here; its own name will do. */
export function recorderWord({ state }: RecorderState): StateWord {
  const words: Record<RecorderStateName, StateWord> = {
    recording: { says: t("Recording"), title: t("Recording") },
    starting: { says: t("Starting"), title: t("The recorder starts") },
    idle: { says: t("Idle"), title: t("Waiting for a game") },
    off: { says: t("Off"), title: t("Recording is switched off") },
    broken: { says: t("Broken"), title: t("The recorder cannot record") },
  };
  return words[state] ?? { says: state, title: state };
}

/** Names of programs: the same in every language. */
export const backendWords = { ffmpeg: "ffmpeg", obs: "OBS" } as const;

export function ffmpegFromWord(from: NonNullable<RecorderReport["ffmpeg"]>["from"]): string {
  if (from === "setting") return t("named by KIT_FFMPEG");
  return from === "path" ? t("found on PATH") : t("came with Kit");
}

export const formatNumber = (value: number): string => value.toLocaleString(locale());

type Choices<Value> = readonly { readonly value: Value; readonly says: string }[];

export const whenChoices = (): Choices<RecorderSettings["when"]> => [
  { value: "automatic", says: t("While a game runs") },
  { value: "always", says: t("Always") },
  { value: "never", says: t("Never: moments become markers") },
];
export const backendChoices = (): Choices<RecorderSettings["backend"]> => [
  { value: "automatic", says: t("OBS while it answers, else ffmpeg") },
  { value: "ffmpeg", says: backendWords.ffmpeg },
  { value: "obs", says: backendWords.obs },
];
export const frameRateChoices = (): Choices<RecorderSettings["frameRate"]> =>
  ([15, 20, 30, 60] as const).map((value) => ({ value, says: t("{{frames}} a second", { frames: value }) }));
export const heightChoices = (): Choices<RecorderSettings["height"]> => [
  { value: 480, says: "480 p" },
  { value: 720, says: "720 p" },
  { value: 1080, says: "1080 p" },
  { value: 0, says: t("As large as the screen") },
];
export const qualityChoices = (): Choices<RecorderSettings["quality"]> => [
  { value: "low", says: t("Low: small files") },
  { value: "standard", says: t("Standard") },
  { value: "high", says: t("High: large files") },
];
export const soundChoices = (): Choices<RecorderSettings["sound"]> => [
  { value: "system", says: t("What the machine plays") },
  { value: "off", says: t("No sound") },
];
