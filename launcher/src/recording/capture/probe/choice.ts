// The result of a probe: the whole capture command, what it captures, and the same command with lower quality.

import type { Message, TestRecording } from "@kit/contract";
import { message } from "@kit/contract/messages";
import { type CaptureSpec, captureArgs, hasConstantFrameRate, outputSize, type Size } from "./commands.ts";

/** The warning of a guess: an untried choice that captures while the probe is still running. */
export const stillProbingNotice = message("recorder.still_probing");

export type CaptureChoice = {
  /** The arguments after -hide_banner -nostdin, which `startFfmpeg` adds. The output is fragmented MP4 on stdout. */
  readonly args: readonly string[];
  /** What a person calls the source: `screen :0`, or the title of a window. */
  readonly source: string;
  /** The encoder and its preset for a person to read, such as `libx264 superfast`. */
  readonly encoder: string;
  readonly width: number;
  readonly height: number;
  /** Frames per second that are asked for. Fewer may arrive. */
  readonly frameRate: number;
  /** False if a frame comes only when the picture has changed, so that a stream without frames has not failed. */
  readonly constantRate: boolean;
  /** True if the stream has sound. */
  readonly sound: boolean;
  /** Problems with which the capture still works, such as a black picture. */
  readonly warnings: readonly Message[];
  readonly tried: TestRecording["tried"];
  /** How many quality steps down the machine needed in the probe to keep up; 0 is full quality. */
  readonly level: number;
  /** How the quality was reduced for this machine, for a person; null for full quality. */
  readonly degraded: string | null;
  /** The specification that `args` was built from. */
  readonly spec: CaptureSpec;
};

/** Nothing can be captured; `refused` explains what to do. */
export type ProbeRefusal = { readonly refused: Message; readonly tried: TestRecording["tried"] };

const describeEncoder = ({ encoder }: CaptureSpec): string =>
  encoder.name === "libx264" ? `${encoder.name} ${encoder.preset}` : encoder.name;

export function createChoice(
  spec: CaptureSpec,
  size: Size,
  rest: Pick<CaptureChoice, "source" | "warnings" | "tried" | "degraded">,
): CaptureChoice {
  return {
    ...rest,
    level: 0,
    args: captureArgs(spec),
    encoder: describeEncoder(spec),
    width: size.width,
    height: size.height,
    frameRate: spec.frameRate,
    constantRate: hasConstantFrameRate(spec.input),
    sound: spec.sound !== null,
    spec,
  };
}

/** A quality step. `summary` names its reduction and those of all earlier steps. */
type Step = { readonly spec: CaptureSpec; readonly summary: string };

/** Each step reduces one more setting: the preset, the height, then the frame rate. */
function stepsDown({ spec, height }: CaptureChoice): Step[] {
  const steps: Step[] = [];
  const reductions: string[] = [];
  let reduced = spec;
  const reduce = (change: Partial<CaptureSpec>, summary: string) => {
    reduced = { ...reduced, ...change };
    steps.push({ spec: reduced, summary: [...reductions, summary].join(", ") });
  };
  if (spec.encoder.name === "libx264" && spec.encoder.preset === "superfast") {
    reduce({ encoder: { ...spec.encoder, preset: "ultrafast" } }, "the quickest encoding");
    reductions.push("the quickest encoding");
  }
  const lowerHeight = height > 720 ? 720 : 480;
  if (height > lowerHeight) {
    reduce({ heightMax: lowerHeight }, `${lowerHeight} lines`);
    reductions.push(`${lowerHeight} lines`);
  }
  for (const frameRate of [30, 20, 15]) {
    if (spec.frameRate > frameRate) reduce({ frameRate }, `${frameRate} frames a second`);
  }
  return steps;
}

/**
 * Returns `choice` with its quality reduced by `level` steps, or undefined if there are not so many. The result has not been
 * tried.
 */
export function reduceQuality(choice: CaptureChoice, level: number): CaptureChoice | undefined {
  if (level === 0) return choice;
  const step = stepsDown(choice)[level - 1];
  if (step === undefined) return undefined;
  const { source, warnings, tried, width, height } = choice;
  const degraded = choice.degraded === null ? step.summary : `${choice.degraded}, ${step.summary}`;
  const size = outputSize(step.spec.inputSize ?? { width, height }, step.spec.heightMax);
  return createChoice(step.spec, size, { source, warnings, tried, degraded });
}
