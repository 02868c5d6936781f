import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import {
  attachmentName,
  type BodyOf,
  type Client,
  type Clip,
  type ClipExport,
  cancelClipExport,
  type ExportPreset,
  exportClip,
  exportPresets,
  getClip,
  getClipExportFile,
  getClipFrame,
  listClipExports,
  trimClip,
} from "@kit/contract";
import { InvalidArgumentError } from "commander";
import { InvalidSetting } from "../../config.ts";
import { answer, choiceFlag, command, parameter, parseByteSize, parsedFlag, textFlag, toggleFlag } from "../command.ts";
import { writeNewFile } from "../new-file.ts";
import { createProgressLine, escapeInvisible, formatBytes, formatDuration, print, printError, say } from "../output.ts";
import { terminal } from "../terminal.ts";

type ClipRange = { readonly fromSeconds: number; readonly toSeconds: number };

/** Parses seconds such as `3.5` or `1:02.5`. NaN for other texts. */
function parseSeconds(given: string): number {
  const [, minutes = "0", seconds] = /^(?:(\d{1,4}):)?(\d{1,5}(?:\.\d{1,3})?)$/.exec(given) ?? [];
  return seconds === undefined ? Number.NaN : Number(minutes) * 60 + Number(seconds);
}

/** Parses a range such as `3.5-12` or `0:03-1:02.5`. */
export function clipRange(given: string): ClipRange {
  const [fromSeconds = Number.NaN, toSeconds = Number.NaN, ...others] = given.split("-").map(parseSeconds);
  if (fromSeconds < toSeconds && others.length === 0) return { fromSeconds, toSeconds };
  throw new InvalidArgumentError("Give a range such as 3.5-12 or 0:03-1:02.5.");
}

const trimPollMs = 150;

/** Trims the clip and waits for the result. Throws the reason if trimming fails. */
export async function trimAndWait(client: Client, id: string, range: ClipRange, title?: string): Promise<Clip> {
  const body = { ...range, ...(title !== undefined && { title }) };
  let trimmed = await client.call(trimClip, { params: { id }, body });
  while (trimmed.state === "pending") {
    await pause(trimPollMs);
    trimmed = await client.call(getClip, { params: { id: trimmed.id } });
  }
  if (trimmed.state === "failed") throw new Error(say(trimmed.reason ?? "The clip could not be trimmed."));
  return trimmed;
}

const exportPollMs = 250;

async function waitForExport(client: Client, requested: ClipExport, isShown: boolean): Promise<ClipExport> {
  const line = createProgressLine(isShown);
  try {
    for (;;) {
      const { exports } = await client.call(listClipExports, { query: { clip: requested.clip } });
      const current = exports.find(({ id }) => id === requested.id);
      if (current === undefined) throw new Error("The export was cancelled.");
      if (current.state === "failed") throw new Error(say(current.reason ?? "The export failed."));
      if (current.state === "ready") return current;
      const { state, progress, secondsLeft } = current;
      const left = secondsLeft === null ? "" : `, ${formatDuration(secondsLeft)} left`;
      line.update(state === "waiting" ? "waiting for another export…" : `${Math.round(progress * 100)} %${left}`);
      await pause(exportPollMs);
    }
  } finally {
    line.end();
  }
}

/** Returns the path of the file to write: `out` itself, or a file in it if it is a folder. */
async function outputPath(out: string, fileName: string): Promise<string> {
  const found = await stat(out).catch(() => undefined);
  return found?.isDirectory() ? join(out, fileName) : out;
}

/** Saves what the launcher sends in a new file. */
const saveAt = (path: string, open: () => Promise<Response>): Promise<void> =>
  writeNewFile(
    path,
    async function* () {
      yield* (await open()).body ?? [];
    },
    { advice: "use another --out" },
  );

function parsePosition(given: string): number {
  const percent = Number(/^(\d{1,3}(?:\.\d+)?)%?$/.exec(given)?.[1] ?? Number.NaN);
  if (percent <= 100) return percent / 100;
  throw new InvalidArgumentError("Give from 0% (left or top) to 100% (right or bottom).");
}

function parseTime(given: string): number {
  const seconds = parseSeconds(given);
  if (seconds >= 0) return seconds;
  throw new InvalidArgumentError("Give a time such as 12.5 or 1:02.5.");
}

const outFlag = textFlag("--out <path>", "where to save it: a file or a folder (default: this folder)");

/** Asks for the export, waits until it is ready, and saves it. Ctrl-C cancels the export. */
export const exportClipCommand = command(
  "export",
  "Save a copy of a clip: for Discord or email, vertical, or as a GIF or WebP",
  {
    parameters: [parameter("<id>", "a clip's id, from `kit clips`")],
    flags: {
      preset: choiceFlag("--preset <preset>", "what to make", Object.keys(exportPresets) as readonly ExportPreset[]),
      size: parsedFlag("--size <size>", "maximum size, e.g. 8MB; overrides the preset's", parseByteSize),
      part: parsedFlag("--part <from-to>", "only this part, e.g. 3.5-12 or 0:03-1:02", clipRange),
      crop: parsedFlag("--crop <position>", "cut it to 9:16, from 0% (left) to 100% (right)", parsePosition),
      microphone: toggleFlag("--microphone", "mix your microphone into the sound, if the clip has it"),
      out: outFlag,
    },
    async run({ client, flags, json }, clip) {
      const { preset, size, part, crop, microphone, out = "." } = flags;
      if (preset === undefined && size === undefined) throw new InvalidSetting("Give --preset or --size.");
      const body: BodyOf<typeof exportClip> = {
        clip,
        ...(preset && { preset }),
        ...(size !== undefined && { bytesMax: size }),
        ...(part && { range: part }),
        ...(crop !== undefined && { crop: { position: crop } }),
        ...(microphone && { microphone }),
      };
      const requested = await client.call(exportClip, { body });
      const cancel = () => {
        const exit = () => process.exit(130);
        client.call(cancelClipExport, { params: { id: requested.id } }).then(exit, exit);
      };
      process.once("SIGINT", cancel);
      try {
        const ready = await waitForExport(client, requested, terminal().stderr.isTTY === true && !json);
        const path = await outputPath(out, ready.fileName);
        const open = () => client.open(getClipExportFile, { params: { id: ready.id } });
        await saveAt(path, open);
        return answer({ ...ready, path }, ({ bytes, notes }) => {
          print(`${escapeInvisible(path)}, ${formatBytes(bytes)}`);
          for (const note of notes) printError(escapeInvisible(say(note)));
        });
      } finally {
        process.removeListener("SIGINT", cancel);
      }
    },
  },
);

export const frameCommand = command("frame", "Save one picture of a clip as a PNG in full size", {
  parameters: [parameter("<id>", "a clip's id, from `kit clips`")],
  flags: {
    at: parsedFlag("--at <time>", "which picture: seconds from the start, e.g. 12.5 or 1:02.5 (default: 0)", parseTime),
    out: outFlag,
  },
  async run({ client, flags: { at = 0, out = "." } }, id) {
    const response = await client.open(getClipFrame, { params: { id }, query: { at } });
    const fileName = attachmentName(response.headers.get("content-disposition"), "frame.png");
    const path = await outputPath(out, fileName);
    await saveAt(path, async () => response).catch(async (error: unknown) => {
      await response.body?.cancel().catch(() => undefined);
      throw error;
    });
    return answer({ path }, escapeInvisible(path));
  },
});
