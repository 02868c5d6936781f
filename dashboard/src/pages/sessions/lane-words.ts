// The words and icons of a track's lanes.

import { t } from "../../language/language.ts";
import type { IconName } from "../../ui/icon.tsx";
import type { Lane } from "../../ui/sessions/session-items.ts";

export const laneIcons: Record<Lane, IconName> = {
  clips: "film",
  moments: "record",
  errors: "warning",
  posts: "megaphone",
};

export function laneWord(lane: Lane): string {
  if (lane === "clips") return t("Clip");
  if (lane === "moments") return t("Moment");
  return lane === "errors" ? t("Error") : t("Post");
}

export function lanesWord(lane: Lane): string {
  if (lane === "clips") return t("Clips");
  if (lane === "moments") return t("Moments");
  return lane === "errors" ? t("Errors") : t("Posts");
}
