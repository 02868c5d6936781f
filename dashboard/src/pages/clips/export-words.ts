// The words of copies: where they go, how far they are.
import { type ClipExport, type ExportTarget, exportTargets } from "@kit/contract";
import { t } from "../../language/language.ts";
import { sizeOf } from "../../ui/measures.ts";

export const targets = Object.keys(exportTargets) as ExportTarget[];

/** Networks have their own names in every language. */
export const targetWord = (target: ExportTarget): string =>
  target === "mail" ? t("Mail") : exportTargets[target].name;

export const forWord = ({ target, bytesMax }: ClipExport): string =>
  target === null ? t("Up to {{size}}", { size: sizeOf(bytesMax) }) : targetWord(target);

export const percent = (progress: number): number => Math.round(100 * Math.min(1, Math.max(0, progress)));

export function exportStateWord({ state, progress, bytes }: ClipExport): string {
  switch (state) {
    case "waiting":
      return t("Waiting for another one");
    case "encoding":
      return t("{{percent}} % made", { percent: percent(progress) });
    case "ready":
      return t("Ready, {{size}}", { size: sizeOf(bytes) });
    case "failed":
      return t("Failed");
  }
}

const megabyte = 1_000_000;
const ownBytes = { min: 500_000, max: 10_000_000_000 };

/** Megabytes as typed, in bytes; undefined while it is none the launcher takes. */
export function ownBytesOf(typed: string): number | undefined {
  const bytes = Math.round(Number(typed.trim().replace(",", ".")) * megabyte);
  return typed.trim() !== "" && bytes >= ownBytes.min && bytes <= ownBytes.max ? bytes : undefined;
}
