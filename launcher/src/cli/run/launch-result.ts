// Reports to the launcher that spawned `kit run` whether the game started, then disconnects.

type LaunchResult = { readonly runs: true } | { readonly failed: string };

/** Sends the result to the parent process, if it opened an IPC channel. */
export function sendLaunchResult(result: LaunchResult): void {
  if (process.send === undefined || !process.connected) return;
  process.send(result, undefined, {}, () => process.disconnect?.());
}
