// The notices as the launcher lists them, fetched again whenever the feed says they changed.
import {
  changeNoticeSettings,
  getNoticeSettings,
  listNotices,
  type NoticeSettings,
  type NoticeSettingsReport,
  seeNotices,
  testNotice,
} from "@kit/contract";
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "./session-context.ts";

const pageNotices = 50;
/** For a page whose feed broke without a word. */
const everyMs = 60_000;
const settingsKey = ["notices", "settings"];

export function useNoticeList() {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: ["notices", "list"],
    queryFn: ({ pageParam: before }) =>
      client.call(listNotices, { query: { ...(before === undefined ? {} : { before }), limit: pageNotices } }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.more ? page.notices.at(-1)?.number : undefined),
    refetchInterval: everyMs,
    retry: false,
  });
}

export function useSeeing() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (upTo: number) => client.call(seeNotices, { body: { upTo } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["notices", "list"] }),
  });
}

export function useNoticeSettings() {
  const client = useClient();
  return useQuery({ queryKey: settingsKey, queryFn: () => client.call(getNoticeSettings), retry: false });
}

export function useNoticeSettingsChange() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Partial<NoticeSettings>) => client.call(changeNoticeSettings, { body }),
    onSuccess: (report: NoticeSettingsReport) => queryClient.setQueryData(settingsKey, report),
    onError: () => queryClient.invalidateQueries({ queryKey: settingsKey }),
  });
}

export function useTestNotice() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => client.call(testNotice),
    onSettled: () => queryClient.invalidateQueries({ queryKey: settingsKey }),
  });
}
