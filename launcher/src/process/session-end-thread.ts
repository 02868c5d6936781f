// The thread with the hidden window that Windows tells of the end of the session. Started by ./session-end.ts.
import { getBuiltinModule } from "node:process";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { hiddenWindowFunctions, messageBytes, openHiddenWindow, windowProcedure } from "./hidden-window.ts";

export type SharedWithWindow = BigInt64Array<SharedArrayBuffer>;
export type WindowOptions = { readonly shared: SharedWithWindow; readonly title: string };
/** What Windows asks. */
export type SessionNotice = "session ends" | "close";
/**
 * Places in the shared memory. `ended` is 1 when this process ends, `begun` and `left` are 1 when the thread has begun to use Windows and
 * will no more, and `window` is 0 as long as there is none.
 */
export const places = ["ended", "begun", "window", "left"] as const;
export const placeOf = { ended: 0, begun: 1, window: 2, left: 3 } as const satisfies Record<
  (typeof places)[number],
  number
>;
/** The message that lets the loop see that this process ends. */
export const endMessage = 0x8001;

const windowMessages = { close: 0x10, queryEndSession: 0x11, endSession: 0x16 };

function loadFunctions() {
  const ffi = getBuiltinModule("node:ffi");
  const { functions, lib } = ffi.dlopen("user32.dll", hiddenWindowFunctions);
  return { ...functions, lib, addressOf: ffi.getRawPointer };
}

function runWindow({ shared, title }: WindowOptions, tell: (notice: SessionNotice) => void): void {
  const functions = loadFunctions();
  const procedure = functions.lib.registerCallback(windowProcedure, (window, what, first, second) => {
    switch (what) {
      case windowMessages.queryEndSession:
        return 1n;
      case windowMessages.endSession:
        // Windows ends the process when this function returns.
        if (first !== 0n) {
          tell("session ends");
          Atomics.wait(shared, placeOf.ended, 0n);
        }
        return 0n;
      case windowMessages.close:
        tell("close");
        return 0n;
      default:
        return functions.DefWindowProcW(window, what, first, second);
    }
  });
  const window = openHiddenWindow(functions, title, procedure);
  Atomics.store(shared, placeOf.window, BigInt.asIntN(64, window));
  const message = Buffer.alloc(messageBytes);
  while (!hasEnded(shared) && functions.GetMessageW(message, 0n, 0, 0) > 0) functions.DispatchMessageW(message);
  functions.DestroyWindow(window);
}

const hasEnded = (shared: SharedWithWindow) => Atomics.load(shared, placeOf.ended) !== 0n;

/** Each side first says where it is, and then looks where the other one is: one of them sees the other. */
function useWindows(options: WindowOptions, tell: (notice: SessionNotice) => void): void {
  const { shared } = options;
  Atomics.store(shared, placeOf.begun, 1n);
  try {
    if (!hasEnded(shared)) runWindow(options, tell);
  } finally {
    Atomics.store(shared, placeOf.left, 1n);
    Atomics.notify(shared, placeOf.left);
  }
}

if (!isMainThread && parentPort !== null) {
  const main = parentPort;
  useWindows(workerData as WindowOptions, (notice) => main.postMessage(notice));
}
