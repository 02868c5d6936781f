// Starts this program again without a console window, on Windows: a program of the console gets one when the system starts it.
import { getBuiltinModule } from "node:process";

/** Gives the program a console without a window. */
const createNoWindow = 0x0800_0000;
const startupInfoBytes = 104;
const processInformationBytes = 24;

/** Quotes a word for the parser of Windows' C library, in which backslashes are special only before a quote. */
const quote = (word: string) =>
  /[\s"]/u.test(word) || word === "" ? `"${word.replaceAll(/(\\*)"/gu, '$1$1\\"').replace(/(\\+)$/u, "$1$1")}"` : word;

export const windowsCommandLine = (command: readonly string[]): string => command.map(quote).join(" ");

const windowlessFlag = "--windowless";

/** Returns true if another process without a window has been started. Returns false on other systems, and if Windows refuses. */
export function startWithoutWindow(ownCommand: readonly string[], words: readonly string[]): boolean {
  if (process.platform !== "win32") return false;
  const ffi = getBuiltinModule("node:ffi");
  if (ffi === undefined) return false;
  const { functions } = ffi.dlopen("kernel32.dll", {
    CreateProcessW: {
      arguments: ["pointer", "buffer", "pointer", "pointer", "i32", "u32", "pointer", "pointer", "buffer", "buffer"],
      return: "i32",
    },
    CloseHandle: { arguments: ["pointer"], return: "i32" },
  });
  const line = windowsCommandLine([...ownCommand, ...words.filter((word) => word !== windowlessFlag)]);
  const startup = Buffer.alloc(startupInfoBytes);
  startup.writeUInt32LE(startupInfoBytes);
  const started = Buffer.alloc(processInformationBytes);
  const text = Buffer.from(`${line}\0`, "utf16le");
  if (functions.CreateProcessW(0n, text, 0n, 0n, 0, createNoWindow, 0n, 0n, startup, started) === 0) return false;
  for (const at of [0, 8]) functions.CloseHandle(started.readBigUInt64LE(at));
  return true;
}
