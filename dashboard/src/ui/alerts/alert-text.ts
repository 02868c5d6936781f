// Texts of alerts. Makes hidden characters in the data of games visible.
import { digestText, type Notice, type NoticeKind, noticeHeadline, type ShownAlert } from "@kit/contract";
import { t } from "../../language/language.ts";
import { gameName } from "../game-name.ts";
import { visibleLine } from "../visible-text.ts";

const titleCharsMax = 160;

export const alertKindLabels: Record<NoticeKind, string> = {
  new: t("New errors"),
  regressed: t("Regressed errors"),
  woke: t("Errors whose mute ended"),
  times: t("Ten times as many reports"),
};

export const alertGameName = (game: string | null): string => (game === null ? t("unsorted") : gameName(game));
export const alertTitle = ({ title }: Pick<Notice, "title">): string => visibleLine(title, titleCharsMax);

/** One line of a toast. `issue` is the id of the issue that the line links to, if any. */
export type AlertLine = { readonly says: string; readonly title: string; readonly issue?: string };

export function toAlertLine(saying: ShownAlert): AlertLine {
  if (saying.kind === "digest") return { says: digestText(saying, alertGameName), title: "" };
  const { notice } = saying;
  return {
    says: `${noticeHeadline(notice)} · ${alertGameName(notice.game)}`,
    title: alertTitle(notice),
    issue: notice.issue,
  };
}

/** Joins the lines into one text for screen readers. */
export const spokenAlerts = (lines: readonly AlertLine[]): string =>
  lines.map(({ says, title }) => (title === "" ? says : `${says}: ${title}`)).join(". ");

export const bellLabel = (unseen: number): string =>
  unseen === 0 ? t("Alerts") : t("Alerts: {{count, number}} unread", { count: unseen });
export const bellCountText = (unseen: number): string => (unseen > 99 ? "99+" : String(unseen));
