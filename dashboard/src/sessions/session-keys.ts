// The keys of a session's page, as the help lists them.

import { t } from "../language/language.ts";

export const sessionKeys = () =>
  [
    { keys: ["←", "→"], says: t("On the track: what was before or after") },
    { keys: ["↑", "↓"], says: t("On the track: the lane above or below") },
    { keys: ["Home", "End"], says: t("On the track: the first or the last") },
    { keys: ["Enter"], says: t("Open it here; once more: its issue, post, clip or receipt") },
    { keys: ["+", "-"], says: t("Closer, or further away") },
    { keys: ["Space", "k"], says: t("Play or pause") },
    { keys: ["j", "l"], says: t("5 seconds back or on") },
    { keys: ["Esc"], says: t("Close what is open, then back to the list") },
    { keys: ["?"], says: t("This help") },
  ] as const;
