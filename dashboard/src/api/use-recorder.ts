// Queries and mutations for the recorder.
import { type BodyOf, changeRecorder, getRecorder, type RecorderReport, testRecorder } from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "./session-context.ts";

/** Only numbers such as the buffered seconds need polling: the feed announces every change of the recorder's state. */
const refetchMs = 7_000;
const reportKey = ["recorder", "report"];

export function useRecorder() {
  const client = useClient();
  return useQuery({
    queryKey: reportKey,
    queryFn: () => client.call(getRecorder),
    refetchInterval: refetchMs,
    retry: false,
  });
}

export type RecorderChange = BodyOf<typeof changeRecorder>;

export function useRecorderChange() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: RecorderChange) => client.call(changeRecorder, { body }),
    // Requests run one after another, so that the last change a person makes is the one that stays.
    scope: { id: "recorder" },
    onSuccess: (report: RecorderReport) => queryClient.setQueryData(reportKey, report),
    onError: () => queryClient.invalidateQueries({ queryKey: reportKey }),
  });
}

export function useTestRecording() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => client.call(testRecorder),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: reportKey });
      return queryClient.invalidateQueries({ queryKey: ["clips"] });
    },
  });
}
