// Queries and mutations for alerts and their settings.
import {
  changeNoticeSettings,
  getNoticeSettings,
  listNotices,
  markNoticesSeen,
  type NoticeSettings,
  testNotice,
} from "@kit/contract";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "./session-context.ts";
import { useSettingsChange } from "./use-settings-change.ts";

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
