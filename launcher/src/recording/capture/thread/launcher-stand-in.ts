// A process that captures until it is killed: what a launcher is to its ffmpeg. Run by the tests, with a folder.
import { createFfmpegBackend } from "./ffmpeg-backend.ts";
import { isRecording, madeUpNeeds, until } from "./fixture.ts";

const [ffmpeg, folder] = process.argv.slice(2) as [string, string];
const backend = createFfmpegBackend(madeUpNeeds(ffmpeg, folder));
await backend.start();
await until("it records", isRecording(backend.state));
process.send?.("records");
