// The alerts and their settings: queries, mutations and texts.
import {
  changeNoticeSettings,
  digestMessage,
  getNoticeSettings,
  listNotices,
  markNoticesSeen,
  type Notice,
  type NoticeKind,
  type NoticeSettings,
  noticeHeadline,
  type ShownAlert,
  testNotice,
} from "@kit/contract";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "../../api/session.ts";
import { useSettingsChange } from "../../api/use-launcher.ts";
import { t, translateMessage } from "../../language/language.ts";
import { gameName } from "../names.ts";
import { visibleLine } from "../visible-text.ts";

const pageAlerts = 50;
/** How often the alerts are fetched even without a message of the feed, which may be disconnected. */
const refetchMs = 60_000;
const settingsKey = ["notices", "settings"];

export function useAlertList() {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: ["notices", "list"],
    queryFn: ({ pageParam: before }) =>
      client.call(listNotices, { query: { ...(before === undefined ? {} : { before }), limit: pageAlerts } }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.more ? page.notices.at(-1)?.number : undefined),
    refetchInterval: refetchMs,
    retry: false,
  });
}

export function useMarkAlertsSeen() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (upTo: number) => client.call(markNoticesSeen, { body: { upTo } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["notices", "list"] }),
  });
}

export function useAlertSettings() {
  const client = useClient();
  return useQuery({ queryKey: settingsKey, queryFn: () => client.call(getNoticeSettings), retry: false });
}

export const useAlertSettingsChange = () =>
  useSettingsChange(settingsKey, (client, body: Partial<NoticeSettings>) =>
    client.call(changeNoticeSettings, { body }),
  );

export function useTestAlert() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => client.call(testNotice),
    onSettled: () => queryClient.invalidateQueries({ queryKey: settingsKey }),
  });
}

const titleCharsMax = 160;

export const alertKindLabels: Record<NoticeKind, string> = {
  new: t("New errors"),
  regressed: t("Regressed errors"),
  woke: t("Errors no longer muted"),
  times: t("Ten times as many reports"),
};

export const alertHeadline = (notice: Pick<Notice, "kind" | "count">): string =>
  translateMessage(noticeHeadline(notice));

export const alertTitle = ({ title }: Pick<Notice, "title">): string => visibleLine(title, titleCharsMax);

/** One line of a toast. `issue` is the id of the issue that the line links to, if any. */
export type AlertLine = { readonly says: string; readonly title: string; readonly issue?: string };

export function toAlertLine(saying: ShownAlert): AlertLine {
  if (saying.kind === "digest") return { says: translateMessage(digestMessage(saying, gameName)), title: "" };
  const { notice } = saying;
  return {
    says: `${alertHeadline(notice)} · ${gameName(notice.game)}`,
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
