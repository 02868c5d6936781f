// What started this without a terminal is told once whether the game runs; then nothing ties the two together.

type Said = { readonly runs: true } | { readonly failed: string };

/** Does nothing where nobody listens. */
export function tellStarter(said: Said): void {
  if (process.send === undefined || !process.connected) return;
  process.send(said, undefined, {}, () => process.disconnect?.());
}
