// Tries its share of the cuts of a recording; the other shares are tried beside it.
import { parentPort, workerData } from "node:worker_threads";
import { tryCuts } from "./cuts.ts";
import type { CutsShare } from "./power.ts";
import { readRecording } from "./recording.ts";

const { folder, cuts, syncs, place } = workerData as CutsShare;
parentPort?.postMessage(await tryCuts(readRecording(folder), cuts, syncs, place));
