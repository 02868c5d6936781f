// The result of a probe: the whole capture command, what it captures, and the same command with lower quality. The last good one is
// saved in a file, so that most starts need no probe.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { hasCode, type Message, messageSchema, type TestRecording } from "@kit/contract";
import { message, toMessage } from "@kit/contract/messages";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { renamePatientlySync } from "../../../renames.ts";
import {
  type CaptureSpec,
  captureArgs,
  encoderCandidates,
  expectedOutputSize,
  hasConstantFrameRate,
  outputSize,
  type Size,
} from "./commands.ts";
import { findRenderDevice } from "./encoder-trials.ts";
import type { CaptureSource } from "./source.ts";

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

export const isGuess = ({ warnings }: CaptureChoice): boolean =>
  warnings.some((warning) => hasCode(warning, stillProbingNotice.code));

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

const pixels = Type.Integer({ minimum: 16, maximum: 32_768 });
const soundKinds = ["pulse", "dshow", "avfoundation"] as const;
const soundInputSchema = Type.Union([
  Type.Object({ kind: Type.Literal("pipe"), device: Type.Enum(["pulse", "wasapi"]) }),
  Type.Object({ kind: Type.Enum([...soundKinds]), device: Type.String({ minLength: 1, maxLength: 500 }) }),
]);

/** The parts of a choice. Arguments are never saved: the command is built from the parts again. */
const SavedChoiceSchema = Type.Object({
  /** Identifies the request that the choice was made for. */
  key: Type.String(),
  /** Index in the list of sources. */
  source: Type.Integer({ minimum: 0 }),
  encoder: Type.String(),
  preset: Type.Enum(["superfast", "ultrafast"]),
  sound: Type.Union([Type.Null(), soundInputSchema]),
  width: pixels,
  height: pixels,
  /** The size that the system listed when the stream had that width and height. */
  listedSize: Type.Optional(Type.Object({ width: pixels, height: pixels })),
  warnings: Type.Array(messageSchema(), { maxItems: 10 }),
  tried: Type.Array(Type.Object({ what: messageSchema(), ok: Type.Boolean(), why: messageSchema() }), {
    maxItems: 100,
  }),
});

type SavedChoiceQuery = {
  readonly key: string;
  readonly sources: readonly CaptureSource[];
  readonly platform: NodeJS.Platform;
  /** Returns the specification without encoder and sound. */
  readonly captureSpec: (source: CaptureSource) => Omit<CaptureSpec, "encoder">;
};

export type SavedChoice = {
  /** Returns the choice saved for this key; undefined if the file is absent, invalid, or for another key. */
  load(wanted: SavedChoiceQuery): CaptureChoice | undefined;
  /** Ignores errors: without the file, the next start is only slower. */
  save(wanted: Pick<SavedChoiceQuery, "key" | "sources">, choice: CaptureChoice): void;
  remove(): void;
};

export function createSavedChoice(file: string): SavedChoice {
  const read = (): Static<typeof SavedChoiceSchema> | undefined => {
    try {
      const saved: unknown = JSON.parse(readFileSync(file, "utf8"));
      return Value.Check(SavedChoiceSchema, saved) ? saved : undefined;
    } catch {
      return undefined; // The file is absent or incomplete.
    }
  };
  return {
    load({ key, sources, platform, captureSpec }) {
      const saved = read();
      const source = sources[saved?.source ?? -1];
      const name = encoderCandidates(platform).find((one) => one === saved?.encoder);
      if (saved === undefined || saved.key !== key || source === undefined || name === undefined) return undefined;
      const { preset, sound, warnings, tried, width, height } = saved;
      const device = name === "h264_vaapi" ? findRenderDevice() : null;
      const spec = { ...captureSpec(source), encoder: { name, preset, device }, sound };
      const isSame = spec.inputSize === null && JSON.stringify(spec.listedSize) === JSON.stringify(saved.listedSize);
      const size = isSame ? { width, height } : expectedOutputSize(spec);
      return createChoice(spec, size, {
        source: source.name,
        warnings: warnings.map(toMessage),
        tried,
        degraded: null,
      });
    },
    save({ key, sources }, { spec, width, height, warnings, tried }) {
      const source = sources.findIndex(({ input }) => JSON.stringify(input) === JSON.stringify(spec.input));
      const { encoder, sound, listedSize } = spec;
      const { name, preset } = encoder;
      const saved: Static<typeof SavedChoiceSchema> = {
        key,
        source,
        encoder: name,
        preset,
        sound,
        width,
        height,
        ...(listedSize === undefined ? {} : { listedSize }),
        warnings: [...warnings],
        tried: [...tried],
      };
      if (!Value.Check(SavedChoiceSchema, saved)) return;
      const part = `${file}.part`;
      try {
        rmSync(part, { force: true });
        writeFileSync(part, JSON.stringify(saved), { mode: 0o600 });
        renamePatientlySync(part, file);
      } catch {
        rmSync(part, { force: true });
      }
    },
    remove: () => rmSync(file, { force: true }),
  };
}

/** Returns the choice for its source with the size that it is listed with now. */
export function resizeChoice(choice: CaptureChoice, listedSize: Size | undefined): CaptureChoice {
  const { source, warnings, tried, degraded, level, spec } = choice;
  if (listedSize === undefined || JSON.stringify(listedSize) === JSON.stringify(spec.listedSize)) return choice;
  const resized = { ...spec, listedSize };
  const again = createChoice(resized, expectedOutputSize(resized), { source, warnings, tried, degraded });
  return { ...again, level: Math.min(level, stepsDown(again).length) };
}

/** True if only the size of what is shown changed, and the running ffmpeg scales it to the size with which it began. */
export const canResizeLater = ({ spec: now }: CaptureChoice, { spec: next }: CaptureChoice): boolean =>
  next.input.kind === "gfxcapture" &&
  JSON.stringify(now.input) === JSON.stringify(next.input) &&
  JSON.stringify(now.listedSize) !== JSON.stringify(next.listedSize);

/** Returns the choice for another source of the same kind, such as a window of the screen that was tried. */
export function moveChoice(
  choice: CaptureChoice,
  { input, size, name }: CaptureSource & { size: Size },
): CaptureChoice {
  const { tried, degraded, level } = choice;
  const spec = { ...choice.spec, input, inputSize: size };
  // What was wrong with the screen says nothing about the window.
  const ofScreen = ["capture.picture_was_black", "source.primary_monitor"] as const;
  const warnings = choice.warnings.filter((warning) => !ofScreen.some((code) => hasCode(warning, code)));
  const moved = createChoice(spec, outputSize(size, spec.heightMax), { source: name, warnings, tried, degraded });
  return { ...moved, level: Math.min(level, stepsDown(moved).length) };
}
