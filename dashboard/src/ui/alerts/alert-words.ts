// The words of a notice, with whatever games wrote made visible.
import { digestSays, type Notice, type NoticeKind, noticeSays, type Saying } from "@kit/contract";
import { t } from "../../language/language.ts";
import { gameWord as gameName } from "../game-name.ts";
import { visibleLine } from "../visible-text.ts";

const titleCharsMax = 160;

export const kindChoices: Record<NoticeKind, string> = {
  new: t("New errors"),
  regressed: t("Errors that came back"),
  woke: t("Errors after their mute"),
  times: t("Ten times as many reports"),
};

export const gameWord = (game: string | null): string => (game === null ? t("unsorted") : gameName(game));
export const titleWord = ({ title }: Pick<Notice, "title">): string => visibleLine(title, titleCharsMax);

/** One line of a toast. `issue` is where it leads, when it is about one. */
export type Line = { readonly says: string; readonly title: string; readonly issue?: string };

export function lineOf(saying: Saying): Line {
  if (saying.kind === "digest") return { says: digestSays(saying, gameWord), title: "" };
  const { notice } = saying;
  return { says: `${noticeSays(notice)} · ${gameWord(notice.game)}`, title: titleWord(notice), issue: notice.issue };
}

/** The same for who listens. */
export const spoken = (lines: readonly Line[]): string =>
  lines.map(({ says, title }) => (title === "" ? says : `${says}: ${title}`)).join(". ");

export const bellLabel = (unseen: number): string =>
  unseen === 0 ? t("Notices") : t("Notices: {{count, number}} not seen", { count: unseen });
export const bellCount = (unseen: number): string => (unseen > 99 ? "99+" : String(unseen));
