// Labels of exports: their preset and their state.
import { type ClipExport, type ExportPreset, exportPresets } from "@kit/contract";
import { t } from "../../language/language.ts";
import { formatBytes, formatClock } from "../../ui/format.ts";
import { clearNumber } from "../../ui/numbers.ts";

export const exportPresetIds = Object.keys(exportPresets) as ExportPreset[];

/** Names of networks and formats are the same in every language. */
export function exportPresetName(preset: ExportPreset): string {
  if (preset === "email") return t("Email");
  return preset === "vertical" ? t("Vertical 9:16") : exportPresets[preset].name;
}

export const clipExportName = ({ preset, bytesMax }: ClipExport): string =>
  preset === null ? t("Up to {{size}}", { size: formatBytes(bytesMax) }) : exportPresetName(preset);

/** The limits of a preset, e.g. "up to 10 MB, 15 s". */
export function exportLimits(preset: ExportPreset): string {
  const { bytesMax, secondsMax: seconds } = exportPresets[preset];
  const size = formatBytes(bytesMax);
  return seconds === undefined ? t("up to {{size}}", { size }) : t("up to {{size}}, {{seconds}} s", { size, seconds });
}

export const toPercent = (progress: number): number => Math.round(100 * Math.min(1, Math.max(0, progress)));

export function exportStateText({ state, progress, secondsLeft, bytes }: ClipExport): string {
  switch (state) {
    case "waiting":
      return t("Waiting for another copy");
    case "encoding": {
      const percent = toPercent(progress);
      return secondsLeft === null
        ? t("{{percent}} % complete", { percent })
        : t("{{percent}} % complete, {{time}} left", { percent, time: formatClock(secondsLeft) });
    }
    case "ready":
      return t("Ready, {{size}}", { size: formatBytes(bytes) });
    case "failed":
      return t("Failed");
  }
}

const megabyte = 1_000_000;
const ownBytes = { min: 500_000, max: 10_000_000_000 };

/**
 * Parses a number of megabytes that a person typed. Returns undefined for a size that the launcher would not accept.
 */
export function parseCustomBytes(typed: string): number | undefined {
  const bytes = Math.round((clearNumber(typed) ?? 0) * megabyte);
  return bytes >= ownBytes.min && bytes <= ownBytes.max ? bytes : undefined;
}
