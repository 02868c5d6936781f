// What a probe has chosen: the whole command of the capture, what it captures, and the same with less of it.
import type { TestRecording } from "@kit/contract";
import { type CaptureOrder, captureArgs, outputSize, type Size } from "./commands.ts";
import { isSteady } from "./commands-input.ts";

/** Said of a first guess that captures while the choice is being made. */
export const stillChoosing = "Kit is still finding out how this machine captures best.";

export type Choice = {
  /** Everything after the program; `startFfmpeg` puts -hide_banner -nostdin before it. Fragmented MP4 on stdout. */
  readonly args: readonly string[];
  /** What is captured, for a person: `screen :0`, or a window's title. */
  readonly source: string;
  /** e.g. `libx264 superfast`. */
  readonly encoder: string;
  readonly width: number;
  readonly height: number;
  /** Asked for; what arrives may be less. */
  readonly frameRate: number;
  /** False where a frame comes only when the picture changed: silence is no failure then. */
  readonly steady: boolean;
  /** The stream carries sound. */
  readonly sound: boolean;
  /** What a person should know all the same, e.g. that the picture was black. */
  readonly warnings: readonly string[];
  readonly tried: TestRecording["tried"];
  /** How many steps down from this the machine kept up when it was tried; 0 is all of it. */
  readonly level: number;
  /** What was given up for the machine's sake, in words; null when nothing was. */
  readonly degraded: string | null;
  /** What `args` was made of. */
  readonly order: CaptureOrder;
};

/** Nothing can be captured; `refused` says what to do. */
export type Refusal = { readonly refused: string; readonly tried: TestRecording["tried"] };

const encoderText = ({ encoder }: CaptureOrder): string =>
  encoder.name === "libx264" ? `${encoder.name} ${encoder.preset}` : encoder.name;

/** What follows from the order alone. */
export function choiceOf(
  order: CaptureOrder,
  size: Size,
  rest: Pick<Choice, "source" | "warnings" | "tried" | "degraded">,
): Choice {
  return {
    ...rest,
    level: 0,
    args: captureArgs(order),
    encoder: encoderText(order),
    width: size.width,
    height: size.height,
    frameRate: order.frameRate,
    steady: isSteady(order.input),
    sound: order.sound !== null,
    order,
  };
}

/** `says`: all that was given up so far, in words. */
type Step = { readonly order: CaptureOrder; readonly says: string };

/** One thing less each time; what is less already is left out. */
function stepsDown({ order, height }: Choice): Step[] {
  const steps: Step[] = [];
  const given: string[] = [];
  let now = order;
  const give = (change: Partial<CaptureOrder>, says: string) => {
    now = { ...now, ...change };
    steps.push({ order: now, says: [...given, says].join(", ") });
  };
  if (order.encoder.name === "libx264" && order.encoder.preset === "superfast") {
    give({ encoder: { ...order.encoder, preset: "ultrafast" } }, "the quickest encoding");
    given.push("the quickest encoding");
  }
  const lower = height > 720 ? 720 : 480;
  if (height > lower) {
    give({ heightMax: lower }, `${lower} lines`);
    given.push(`${lower} lines`);
  }
  for (const frameRate of [30, 20, 15]) {
    if (order.frameRate > frameRate) give({ frameRate }, `${frameRate} frames a second`);
  }
  return steps;
}

/**
 * The same capture with less of it, `level` steps down from `choice` (0 is the choice itself); undefined below the last
 * step. Pure: what it returns was not run.
 */
export function stepDown(choice: Choice, level: number): Choice | undefined {
  if (level === 0) return choice;
  const step = stepsDown(choice)[level - 1];
  if (step === undefined) return undefined;
  const { source, warnings, tried, width, height } = choice;
  const degraded = choice.degraded === null ? step.says : `${choice.degraded}, ${step.says}`;
  const size = outputSize(step.order.inputSize ?? { width, height }, step.order.heightMax);
  return choiceOf(step.order, size, { source, warnings, tried, degraded });
}
