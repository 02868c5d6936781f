// A worker thread that tries one share of the power cuts of a recording.
import { parentPort, workerData } from "node:worker_threads";
import { tryCuts } from "./cuts.ts";
import type { CutsShare } from "./power.ts";
import { readRecording } from "./record-launcher.ts";

const { folder, cuts, syncs, place } = workerData as CutsShare;
parentPort?.postMessage(await tryCuts(readRecording(folder), cuts, syncs, place));
