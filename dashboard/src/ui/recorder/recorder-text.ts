// Labels for the recorder's states and settings.
import type { RecorderReport, RecorderSettings, RecorderState, RecorderStateName } from "@kit/contract";
import { t } from "../../language/language.ts";

type StateWord = { readonly says: string; readonly title: string };

/** Returns label and colour of a state. A state that only a newer launcher knows is shown by its code. */
export function recorderStateLabel({ state }: RecorderState): StateWord {
  const words: Record<RecorderStateName, StateWord> = {
    recording: { says: t("Recording"), title: t("Recording") },
    starting: { says: t("Starting"), title: t("The recorder is starting") },
    idle: { says: t("Not recording"), title: t("Waiting for a game") },
    off: { says: t("Off"), title: t("Recording is off") },
    broken: { says: t("Failed"), title: t("The recorder cannot record") },
  };
  return words[state] ?? { says: state, title: state };
}

/** Not translated: names of programs are the same in every language. */
export const backendNames = { ffmpeg: "ffmpeg", obs: "OBS" } as const;

export function ffmpegOrigin(from: NonNullable<RecorderReport["ffmpeg"]>["from"]): string {
  if (from === "setting") return t("set by KIT_FFMPEG");
  return from === "path" ? t("found on PATH") : t("included with Kit");
}

type Choices<Value> = readonly { readonly value: Value; readonly says: string }[];

export const recordingTimeOptions = (): Choices<RecorderSettings["when"]> => [
  { value: "automatic", says: t("While a game runs") },
  { value: "always", says: t("Always") },
  { value: "never", says: t("Never: moments become markers") },
];
export const backendOptions = (): Choices<RecorderSettings["backend"]> => [
  { value: "automatic", says: t("OBS if available, otherwise ffmpeg") },
  { value: "ffmpeg", says: backendNames.ffmpeg },
  { value: "obs", says: backendNames.obs },
];
/** Returns what the settings say is recorded. */
export function sourceText({ picture, window, monitor }: RecorderSettings): string {
  if (picture === "game") return t("The game's window");
  if (picture === "window") return t("The window “{{title}}”", { title: window ?? "" });
  return monitor === null ? t("The whole screen") : t("Monitor {{name}}", { name: monitor });
}
export const frameRateOptions = (): Choices<RecorderSettings["frameRate"]> =>
  ([15, 20, 30, 60] as const).map((value) => ({ value, says: t("{{frames}} per second", { frames: value }) }));
export const heightOptions = (): Choices<RecorderSettings["height"]> => [
  { value: 480, says: "480 p" },
  { value: 720, says: "720 p" },
  { value: 1080, says: "1080 p" },
  { value: 0, says: t("Same as the screen") },
];
export const qualityOptions = (): Choices<RecorderSettings["quality"]> => [
  { value: "low", says: t("Low: small files") },
  { value: "standard", says: t("Standard") },
  { value: "high", says: t("High: large files") },
];
export const clipNoticeOptions = (): Choices<RecorderSettings["clipNotice"]> => [
  { value: "windowed", says: t("Unless a game fills the screen") },
  { value: "always", says: t("Always, even over a game") },
  { value: "off", says: t("Never") },
];
export const soundOptions = (): Choices<RecorderSettings["sound"]> => [
  { value: "game", says: t("Only the game's") },
  { value: "system", says: t("System audio") },
  { value: "off", says: t("No sound") },
];
export const microphoneOptions = (): Choices<"off" | "on"> => [
  { value: "off", says: t("Not recorded") },
  { value: "on", says: t("A sound track of its own") },
];
export const trayIconOptions = (): Choices<"off" | "on"> => [
  { value: "off", says: t("Not shown") },
  { value: "on", says: t("Shown") },
];
