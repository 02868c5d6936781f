// Labels of exports: their target and their state.
import { type ClipExport, type ExportTarget, exportTargets } from "@kit/contract";
import { t } from "../../language/language.ts";
import { formatBytes } from "../../ui/format.ts";

export const exportTargetIds = Object.keys(exportTargets) as ExportTarget[];

/** Names of networks are the same in every language; only "Email" is translated. */
export const exportTargetName = (target: ExportTarget): string =>
  target === "mail" ? t("Email") : exportTargets[target].name;

export const clipExportTargetName = ({ target, bytesMax }: ClipExport): string =>
  target === null ? t("Up to {{size}}", { size: formatBytes(bytesMax) }) : exportTargetName(target);

export const toPercent = (progress: number): number => Math.round(100 * Math.min(1, Math.max(0, progress)));

export function exportStateText({ state, progress, bytes }: ClipExport): string {
  switch (state) {
    case "waiting":
      return t("Waiting for another copy");
    case "encoding":
      return t("{{percent}} % complete", { percent: toPercent(progress) });
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
  const bytes = Math.round(Number(typed.trim().replace(",", ".")) * megabyte);
  return typed.trim() !== "" && bytes >= ownBytes.min && bytes <= ownBytes.max ? bytes : undefined;
}
