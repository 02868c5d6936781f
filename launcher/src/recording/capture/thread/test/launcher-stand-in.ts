// Support: a process that captures until it is killed, like a launcher. The tests start it with a folder.
import { FfmpegBackend } from "../ffmpeg-backend.ts";
import { isRecording, syntheticDeps, until } from "./fixture.ts";

const [ffmpeg, folder] = process.argv.slice(2) as [string, string];
const backend = new FfmpegBackend(syntheticDeps(ffmpeg, folder));
await backend.start();
await until("it records", isRecording(backend));
process.send?.("records");
