// The accounts' words for what the wire says in codes.
import type { Account } from "@kit/contract";

type AccountState = "on" | "off" | "stopped" | "waits";

export function accountStateOf({ enabled, stopped, waitsUntil }: Account): AccountState {
  if (!enabled) return "off";
  if (stopped !== null) return "stopped";
  return waitsUntil === null ? "on" : "waits";
}

const time = (instant: string) =>
  new Date(instant).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });

export function accountStateWords(account: Account): string {
  const { stopped, waitsUntil, waitsBecause, waiting, lastSentAt } = account;
  const state = accountStateOf(account);
  if (state === "off") return "Switched off: no post is prepared for it, and what waits for it waits.";
  if (state === "stopped") return stopped ?? "";
  if (state === "waits" && waitsUntil !== null)
    return waitsBecause === "rate-limit"
      ? `The network asked for nothing before ${time(waitsUntil)}.`
      : `The last try failed; the next one is at ${time(waitsUntil)}.`;
  if (waiting > 0) return "Sending.";
  return lastSentAt === null ? "Ready. Nothing was sent yet." : `Ready. The last post was sent ${time(lastSentAt)}.`;
}

export const keptWords = {
  keyring: "In this system's keyring. Kit gives it to nobody but the network.",
  file: "Sealed in a file, beside its key: this system has no keyring. Who can read your files can open it.",
} as const satisfies Record<Account["kept"], string>;

const megabyte = 1_000_000;
const megabytes = (bytes: number) =>
  `${(bytes / megabyte).toFixed(bytes < 10 * megabyte ? 1 : 0).replace(/\.0$/u, "")} MB`;

/** What the network takes, in one line. */
export function limitWords({ limits }: Account): string {
  const { textMax, counts, imageBytesMax, videoBytesMax, videoSecondsMax } = limits;
  const long = videoSecondsMax === null ? "" : `, ${videoSecondsMax.toLocaleString("en-US")} s`;
  const video = videoBytesMax === 0 ? "no video" : `video to ${megabytes(videoBytesMax)}${long}`;
  return `${textMax.toLocaleString("en-US")} ${counts}, pictures to ${megabytes(imageBytesMax)}, ${video}`;
}
