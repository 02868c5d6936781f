// Learns on Windows that the user signs out, that the computer shuts down, or that another program asks Kit to close. The console
// tells that only to programs without functions of user32.dll, which node.exe has.
import { getBuiltinModule } from "node:process";
import { Worker } from "node:worker_threads";
import {
  endMessage,
  placeOf,
  places,
  type SessionNotice,
  type SharedWithWindow,
  type WindowOptions,
} from "./session-end-thread.ts";

const resourceLimits = { maxYoungGenerationSizeMb: 1 };
/** The thread closes its window at once. A thread that hangs must not keep the process. */
const leavesWithinMs = 1_000;

/** When Windows tells a process of the end of a session: the higher, the earlier. Windows gives `usual` to every program. */
const shutdownLevels = { usual: 0x280, afterOthers: 0x27f } as const;

type SessionEndWatch = {
  /** The title of the hidden window. */
  readonly title: string;
  /** When the other programs of the user, such as games and those that watch them, have already ended. */
  readonly when?: keyof typeof shutdownLevels;
  /** Called once. Windows waits for the end of this process, at least for some seconds. */
  readonly onSessionEnd: () => void;
  /** Another program asks this one to close. */
  readonly onClose?: () => void;
  readonly onFailure: (error: unknown) => void;
};

/** Does nothing on other systems. */
export function watchSessionEnd(watch: SessionEndWatch): void {
  const ffi = process.platform === "win32" ? getBuiltinModule("node:ffi") : undefined;
  if (ffi === undefined) return;
  ffi
    .dlopen("kernel32.dll", { SetProcessShutdownParameters: { arguments: ["u32", "u32"], return: "i32" } })
    .functions.SetProcessShutdownParameters(shutdownLevels[watch.when ?? "usual"], 0);
  const { functions } = ffi.dlopen("user32.dll", {
    PostMessageW: { arguments: ["u64", "u32", "u64", "i64"], return: "i32" },
  });
  const shared: SharedWithWindow = new BigInt64Array(
    new SharedArrayBuffer(places.length * BigInt64Array.BYTES_PER_ELEMENT),
  );
  const file = import.meta.url.endsWith(".ts") ? "./session-end-thread.ts" : "./session-end-thread.js";
  const workerData: WindowOptions = { shared, title: watch.title };
  const thread = new Worker(new URL(file, import.meta.url), { workerData, resourceLimits });
  thread.on("message", (notice: SessionNotice) => {
    if (notice === "close") watch.onClose?.();
    else watch.onSessionEnd();
  });
  thread.once("error", watch.onFailure);
  // After the listeners: one for messages lets the thread keep this process.
  thread.unref();
  // A thread that waits for Windows keeps this process from ending, and one that is called by Windows while it is terminated aborts it.
  process.once("exit", () => {
    Atomics.store(shared, placeOf.ended, 1n);
    Atomics.notify(shared, placeOf.ended);
    if (Atomics.load(shared, placeOf.begun) === 0n) return;
    const window = Atomics.load(shared, placeOf.window);
    if (window !== 0n) functions.PostMessageW(BigInt.asUintN(64, window), endMessage, 0n, 0n);
    Atomics.wait(shared, placeOf.left, 0n, leavesWithinMs);
  });
}
