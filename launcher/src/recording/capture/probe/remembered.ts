// The last good choice, kept over restarts: what was found by running need not be found anew each time.
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { type Choice, choiceOf } from "./choice.ts";
import { type CaptureOrder, expectedSize } from "./commands.ts";
import { encodersOf } from "./commands-encoder.ts";
import { renderNode } from "./probe-encoder.ts";
import type { Source } from "./source.ts";

const text = Type.String({ maxLength: 2_000 });
const pixels = Type.Integer({ minimum: 16, maximum: 32_768 });
const soundKinds = ["pulse", "dshow", "avfoundation"] as const;

/** Parts of a choice, never arguments: the command is made of them anew. */
const Note = Type.Object({
  /** What it was chosen for. */
  key: Type.String(),
  /** Place among the sources there are. */
  source: Type.Integer({ minimum: 0 }),
  encoder: Type.String(),
  preset: Type.Enum(["superfast", "ultrafast"]),
  sound: Type.Union([
    Type.Null(),
    Type.Object({ kind: Type.Enum([...soundKinds]), device: Type.String({ minLength: 1, maxLength: 500 }) }),
  ]),
  width: pixels,
  height: pixels,
  warnings: Type.Array(text, { maxItems: 10 }),
  tried: Type.Array(Type.Object({ what: text, ok: Type.Boolean(), why: text }), { maxItems: 100 }),
});

type Wanted = {
  readonly key: string;
  readonly sources: readonly Source[];
  readonly platform: NodeJS.Platform;
  /** Without encoder and sound. */
  readonly orderOf: (source: Source) => Omit<CaptureOrder, "encoder">;
};

export type Remembered = {
  /** The choice made for that key; undefined when there is none, or what is written is not one. */
  recall(wanted: Wanted): Choice | undefined;
  /** Without it only the next start takes longer: no failure to write is told. */
  keep(wanted: Pick<Wanted, "key" | "sources">, choice: Choice): void;
  forget(): void;
};

export function rememberedIn(file: string): Remembered {
  const read = (): Static<typeof Note> | undefined => {
    try {
      const note: unknown = JSON.parse(readFileSync(file, "utf8"));
      return Value.Check(Note, note) ? note : undefined;
    } catch {
      return undefined; // None, or half of one.
    }
  };
  return {
    recall({ key, sources, platform, orderOf }) {
      const note = read();
      const source = sources[note?.source ?? -1];
      const name = encodersOf(platform).find((one) => one === note?.encoder);
      if (note === undefined || note.key !== key || source === undefined || name === undefined) return undefined;
      const { preset, sound, warnings, tried, width, height } = note;
      const device = name === "h264_vaapi" ? renderNode() : null;
      const order = { ...orderOf(source), encoder: { name, preset, device }, sound };
      const size = order.inputSize === null ? { width, height } : expectedSize(order);
      return choiceOf(order, size, { source: source.name, warnings, tried, degraded: null });
    },
    keep({ key, sources }, { order, width, height, warnings, tried }) {
      const source = sources.findIndex(({ input }) => JSON.stringify(input) === JSON.stringify(order.input));
      const { encoder, sound } = order;
      const { name, preset } = encoder;
      const note: Static<typeof Note> = {
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
      if (!Value.Check(Note, note)) return;
      const part = `${file}.part`;
      try {
        rmSync(part, { force: true });
        writeFileSync(part, JSON.stringify(note), { mode: 0o600 });
        renameSync(part, file);
      } catch {
        rmSync(part, { force: true });
      }
    },
    forget: () => rmSync(file, { force: true }),
  };
}
