// The process of tone.ts on Windows: plays one sound file through the system. The self-test ends it; without it, it ends with the sound.
import { once } from "node:events";
import { getBuiltinModule } from "node:process";

const fromFile = 0x2_0000;
/** Silence instead of the system's own sound, if the file cannot be played. */
const withoutDefault = 2;

process.on("disconnect", () => process.exit(0));
const [file] = (await once(process, "message")) as [string];
const ffi = getBuiltinModule("node:ffi");
if (ffi === undefined) process.exit(2);
const { functions } = ffi.dlopen("winmm.dll", {
  PlaySoundW: { arguments: ["buffer", "pointer", "u32"], return: "i32" },
});
// Returns when the sound has ended.
const played = functions.PlaySoundW(Buffer.from(`${file}\0`, "utf16le"), 0n, fromFile | withoutDefault);
process.exit(played === 0 ? 1 : 0);
