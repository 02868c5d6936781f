// Saves the last good choice in a file, so that most starts need no probe.

import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { messageSchema } from "@kit/contract";
import { toMessage } from "@kit/contract/messages";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { type CaptureChoice, createChoice } from "./choice.ts";
import { type CaptureSpec, encoderCandidates, expectedOutputSize } from "./commands.ts";
import { findRenderDevice } from "./encoder-trials.ts";
import type { CaptureSource } from "./source.ts";

const pixels = Type.Integer({ minimum: 16, maximum: 32_768 });
const soundKinds = ["pulse", "dshow", "avfoundation"] as const;

/** The parts of a choice. Arguments are never saved: the command is built from the parts again. */
const SavedChoiceSchema = Type.Object({
  /** Identifies the request that the choice was made for. */
  key: Type.String(),
  /** Index in the list of sources. */
  source: Type.Integer({ minimum: 0 }),
  encoder: Type.String(),
  preset: Type.Enum(["superfast", "ultrafast"]),
  sound: Type.Union([
    Type.Null(),
    Type.Object({ kind: Type.Enum([...soundKinds]), device: Type.String({ minLength: 1, maxLength: 500 }) }),
  ]),
  width: pixels,
  height: pixels,
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
      const size = spec.inputSize === null ? { width, height } : expectedOutputSize(spec);
      return createChoice(spec, size, {
        source: source.name,
        warnings: warnings.map(toMessage),
        tried,
        degraded: null,
      });
    },
    save({ key, sources }, { spec, width, height, warnings, tried }) {
      const source = sources.findIndex(({ input }) => JSON.stringify(input) === JSON.stringify(spec.input));
      const { encoder, sound } = spec;
      const { name, preset } = encoder;
      const saved: Static<typeof SavedChoiceSchema> = {
        key,
        source,
        encoder: name,
        preset,
        sound,
        width,
        height,
        warnings: [...warnings],
        tried: [...tried],
      };
      if (!Value.Check(SavedChoiceSchema, saved)) return;
      const part = `${file}.part`;
      try {
        rmSync(part, { force: true });
        writeFileSync(part, JSON.stringify(saved), { mode: 0o600 });
        renameSync(part, file);
      } catch {
        rmSync(part, { force: true });
      }
    },
    remove: () => rmSync(file, { force: true }),
  };
}
