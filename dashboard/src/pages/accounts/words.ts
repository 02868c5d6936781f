// The accounts' words for what the wire says in codes.
import type { Account } from "@kit/contract";
import { locale, t, translateMessage } from "../../language/language.ts";

type AccountState = "on" | "off" | "stopped" | "waits";

export function accountStateOf({ enabled, stopped, waitsUntil }: Account): AccountState {
  if (!enabled) return "off";
  if (stopped !== null) return "stopped";
  return waitsUntil === null ? "on" : "waits";
}

const time = (instant: string) =>
  new Date(instant).toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });

export function accountStateWords(account: Account): string {
  const { stopped, waitsUntil, waitsBecause, waiting, lastSentAt } = account;
  const state = accountStateOf(account);
  if (state === "off") return t("Switched off: no post is prepared for it, and what waits for it waits.");
  if (state === "stopped") return translateMessage(stopped ?? "");
  if (state === "waits" && waitsUntil !== null)
    return waitsBecause === "rate-limit"
      ? t("The network asked for nothing before {{time}}.", { time: time(waitsUntil) })
      : t("The last try failed; the next one is at {{until}}.", { until: time(waitsUntil) });
  if (waiting > 0) return t("Sending.");
  return lastSentAt === null
    ? t("Ready. Nothing was sent yet.")
    : t("Ready. The last post was sent {{time}}.", { time: time(lastSentAt) });
}

/** A place of a newer launcher has no word here; its own name will do. */
export function secretStoreWord(kept: Account["kept"]): string {
  if (kept === "keyring") return t("In this system's keyring. Kit gives it to nobody but the network.");
  if (kept !== "file") return kept;
  return t("Sealed in a file, beside its key: this system has no keyring. Who can read your files can open it.");
}

const megabyte = 1_000_000;
const megabytes = (bytes: number) => {
  const maximumFractionDigits = bytes < 10 * megabyte ? 1 : 0;
  const size = (bytes / megabyte).toLocaleString(locale(), { maximumFractionDigits });
  return t("{{size}} MB", { size });
};

function videoWords(bytes: number, seconds: number | null): string {
  if (bytes === 0) return t("no video");
  const size = megabytes(bytes);
  if (seconds === null) return t("video to {{size}}", { size });
  return t("video to {{size}}, {{seconds}} s", { size, seconds: seconds.toLocaleString(locale()) });
}

/** What the network takes, in one line. */
export function limitWords({ limits }: Account): string {
  const { textMax, counts, imageBytesMax, videoBytesMax, videoSecondsMax } = limits;
  const number = textMax.toLocaleString(locale());
  const text = counts === "graphemes" ? t("{{number}} graphemes", { number }) : t("{{number}} characters", { number });
  const pictures = t("pictures to {{size}}", { size: megabytes(imageBytesMax) });
  const parts = [text, pictures, videoWords(videoBytesMax, videoSecondsMax)];
  return new Intl.ListFormat(locale() ?? "en", { type: "unit" }).format(parts);
}
