// A process that takes hotkeys and shows Kit's icon on Windows. A fault in a function of the system ends this process, not the
// launcher. Windows calls its second thread, which therefore waits for Windows; the first one waits for the launcher. Started by
// ./windows-shortcuts.ts.
import { fileURLToPath } from "node:url";
import { isMainThread, type MessagePort, parentPort, receiveMessageOnPort, Worker } from "node:worker_threads";
import { openWaker, type RefusedHotkey, runWindow, type WantedOnWindows, type WindowNotice } from "./windows-window.ts";

export type WindowsRequest = { readonly id: number; readonly wanted: WantedOnWindows };
export type WindowsReply = { readonly id: number; readonly refused: readonly RefusedHotkey[] } | WindowNotice;
type FromThread = WindowsReply | { readonly window: bigint };

const endsWithinMs = 2_000;

function waitForWindows(launcher: MessagePort): void {
  const say = (what: FromThread) => launcher.postMessage(what);
  runWindow({
    opened: (window) => say({ window }),
    say,
    woken(apply) {
      for (let next = receiveMessageOnPort(launcher); next !== undefined; next = receiveMessageOnPort(launcher)) {
        const request = next.message as WindowsRequest | "end";
        if (request === "end") apply(request);
        else say({ id: request.id, refused: apply(request.wanted) });
      }
    },
  });
}

function waitForLauncher(): void {
  const wakeWindow = openWaker();
  const thread = new Worker(fileURLToPath(import.meta.url));
  let window: bigint | undefined;
  const wake = () => {
    if (window !== undefined) wakeWindow(window);
  };
  const pass = (request: WindowsRequest | "end") => {
    thread.postMessage(request);
    wake();
  };
  thread.on("message", (said: FromThread) => {
    if ("window" in said) {
      window = said.window;
      wake();
    } else if (process.connected) process.send?.(said);
  });
  thread.once("error", () => process.exit(1));
  thread.once("exit", (code) => process.exit(code));
  process.on("message", pass);
  // Removes the icon when the launcher has ended, however it ended. exit() would wait for a thread that Windows keeps.
  process.once("disconnect", () => {
    pass("end");
    setTimeout(() => process.kill(process.pid, "SIGKILL"), endsWithinMs);
  });
}

if (isMainThread) waitForLauncher();
else if (parentPort !== null) waitForWindows(parentPort);
