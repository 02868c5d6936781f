// Starts a process of Kit's own for functions of the system: a fault in one of them ends that process, not the launcher.
import { type ChildProcess, fork } from "node:child_process";

type ProcessEvents<Message> = {
  readonly received: (message: Message) => void;
  /** Called once for an end, and perhaps before it for a failure. */
  readonly ended: (process: ChildProcess, why: string) => void;
};

/** It inherits the launcher's environment, perhaps with secrets, because it belongs to the launcher. It does not keep the launcher from ending. */
export function startSeparateProcess<Message>(
  program: string,
  { received, ended }: ProcessEvents<Message>,
): ChildProcess {
  const started = fork(program, [], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    execArgv: ["--disable-warning=ExperimentalWarning", "--max-semi-space-size=1"],
    windowsHide: true,
  });
  started.on("message", (message) => received(message as Message));
  started.once("error", (error) => ended(started, `failed: ${error.message}`));
  started.once("exit", (code, signal) => ended(started, `ended with ${code ?? signal}`));
  started.unref();
  started.channel?.unref();
  return started;
}
