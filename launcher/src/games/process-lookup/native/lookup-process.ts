// A process that asks the system about other processes. A fault in a function of the system ends this process, not the launcher.
// Started by ./lookup-client.ts.
import { openMacProcesses } from "./macos.ts";
import type { SystemProcesses } from "./system-processes.ts";
import { openWindowsProcesses } from "./windows.ts";

export type Question = {
  readonly [Name in keyof SystemProcesses]: {
    readonly name: Name;
    readonly about: Parameters<SystemProcesses[Name]>[0];
  };
}[keyof SystemProcesses];
export type Request = { readonly id: number; readonly question: Question };
export type Reply =
  | { readonly isReady: true }
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failed: string };

let processes: SystemProcesses | undefined;

function answer({ name, about }: Question): unknown {
  processes ??= process.platform === "darwin" ? openMacProcesses() : openWindowsProcesses();
  if (processes === undefined) throw new Error("this Node cannot ask the system about processes");
  return (processes[name] as (about: unknown) => unknown)(about);
}

process.on("message", ({ id, question }: Request) => {
  let reply: Reply;
  try {
    reply = { id, answer: answer(question) };
  } catch (error) {
    reply = { id, failed: (error as Error).message };
  }
  process.send?.(reply);
});
// Ends with the launcher, however that ends.
process.once("disconnect", () => process.exit());
process.send?.({ isReady: true } satisfies Reply);
