// Texts for an account: its state, its limits, and where its key is stored.
import type { Account } from "@kit/contract";
import { locale, t, translateMessage } from "../../language/language.ts";
import { formatDateAndMinute } from "../../ui/format.ts";

type AccountState = "on" | "off" | "stopped" | "waits";

export function accountState({ enabled, stopped, waitsUntil }: Account): AccountState {
  if (!enabled) return "off";
  if (stopped !== null) return "stopped";
  return waitsUntil === null ? "on" : "waits";
}

export function accountStateText(account: Account): string {
  const { stopped, waitsUntil, waitsBecause, waiting, lastSentAt } = account;
  const state = accountState(account);
  if (state === "off")
    return t("Switched off: Kit prepares no new posts for this account. Waiting posts stay in the queue.");
  if (state === "stopped") return translateMessage(stopped ?? "");
  if (state === "waits" && waitsUntil !== null)
    return waitsBecause === "rate-limit"
      ? t("The network asked Kit to wait until {{time}}.", { time: formatDateAndMinute(waitsUntil) })
      : t("The last attempt failed. The next one is at {{until}}.", { until: formatDateAndMinute(waitsUntil) });
  if (waiting > 0) return t("Sending.");
  return lastSentAt === null
    ? t("Ready. Nothing sent yet.")
    : t("Ready. Last post: {{time}}.", { time: formatDateAndMinute(lastSentAt) });
}

/** Says where the key is stored. A place that only a newer launcher knows is shown by its code. */
export function secretStoreText(kept: Account["kept"]): string {
  if (kept === "keyring") return t("In this system's keyring. Kit sends the key only to the network.");
  if (kept !== "file") return kept;
  return t(
    "Sealed in a file, with the sealing key beside it, because this system has no keyring. Anyone who can read your files can open it.",
  );
}

const megabyte = 1_000_000;
const formatMegabytes = (bytes: number) => {
  const maximumFractionDigits = bytes < 10 * megabyte ? 1 : 0;
  const size = (bytes / megabyte).toLocaleString(locale(), { maximumFractionDigits });
  return t("{{size}} MB", { size });
};

function videoText(bytes: number, seconds: number | null): string {
  if (bytes === 0) return t("no video");
  const size = formatMegabytes(bytes);
  if (seconds === null) return t("video up to {{size}}", { size });
  return t("video up to {{size}} and {{seconds}} s", { size, seconds: seconds.toLocaleString(locale()) });
}

/** Lists a network's limits in one line. */
export function networkLimitsText({ limits }: Account): string {
  const { textMax, counts, imageBytesMax, videoBytesMax, videoSecondsMax } = limits;
  const number = textMax.toLocaleString(locale());
  const text = counts === "graphemes" ? t("{{number}} characters", { number }) : t("{{number}} characters", { number });
  const size = formatMegabytes(imageBytesMax);
  const pictures = imageBytesMax === 0 ? t("no pictures") : t("pictures up to {{size}}", { size });
  const parts = [text, pictures, videoText(videoBytesMax, videoSecondsMax)];
  return new Intl.ListFormat(locale() ?? "en", { type: "unit" }).format(parts);
}
