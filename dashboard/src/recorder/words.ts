// The recorder's words for what the wire says in codes.
import type { RecorderSettings, RecorderState, RecorderStateName, RecordingAction } from "@kit/contract";

type StateWord = { readonly says: string; readonly title: string };

const recorderWords: Record<RecorderStateName, StateWord> = {
  recording: { says: "Recording", title: "Recording" },
  starting: { says: "Starting", title: "The recorder starts" },
  idle: { says: "Idle", title: "Waiting for a game" },
  off: { says: "Off", title: "Recording is switched off" },
  broken: { says: "Broken", title: "The recorder cannot record" },
};

/** A state of a newer launcher has no word here; its own name will do. */
export const recorderWord = ({ state }: RecorderState): StateWord =>
  recorderWords[state] ?? { says: state, title: state };

export const backendWords = { ffmpeg: "ffmpeg", obs: "OBS" } as const;
export const ffmpegFromWords = {
  setting: "named by KIT_FFMPEG",
  path: "found on PATH",
  package: "came with Kit",
} as const;

type Choices<Value> = readonly { readonly value: Value; readonly says: string }[];

export const whenChoices: Choices<RecorderSettings["when"]> = [
  { value: "automatic", says: "While a game runs" },
  { value: "always", says: "Always" },
  { value: "never", says: "Never: moments become markers" },
];
export const backendChoices: Choices<RecorderSettings["backend"]> = [
  { value: "automatic", says: "OBS while it answers, else ffmpeg" },
  { value: "ffmpeg", says: "ffmpeg" },
  { value: "obs", says: "OBS" },
];
export const frameRateChoices: Choices<RecorderSettings["frameRate"]> = [15, 20, 30, 60].map((value) => ({
  value: value as RecorderSettings["frameRate"],
  says: `${value} a second`,
}));
export const heightChoices: Choices<RecorderSettings["height"]> = [
  { value: 480, says: "480 p" },
  { value: 720, says: "720 p" },
  { value: 1080, says: "1080 p" },
  { value: 0, says: "As large as the screen" },
];
export const qualityChoices: Choices<RecorderSettings["quality"]> = [
  { value: "low", says: "Low: small files" },
  { value: "standard", says: "Standard" },
  { value: "high", says: "High: large files" },
];
export const soundChoices: Choices<RecorderSettings["sound"]> = [
  { value: "system", says: "What the machine plays" },
  { value: "off", says: "No sound" },
];

export const actionWords: Record<RecordingAction, string> = {
  clip: "Makes a clip",
  screenshot: "Takes a screenshot",
  marker: "Leaves a marker",
  nothing: "Nothing",
};
