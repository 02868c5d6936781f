// The recorder as every page shows it, and what a person can change about it.
import { type BodyOf, changeRecorder, getRecorder, type RecorderReport, testRecorder } from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useClient } from "./session-context.ts";

/** The feed tells of every change of state; only the sums (seconds held, frames a second) are asked for. */
const everyMs = 7_000;
const reportKey = ["recorder", "report"];

export function useRecorder() {
  const client = useClient();
  return useQuery({
    queryKey: reportKey,
    queryFn: () => client.call(getRecorder),
    refetchInterval: everyMs,
    retry: false,
  });
}

export type RecorderChange = BodyOf<typeof changeRecorder>;

export function useRecorderChange() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: RecorderChange) => client.call(changeRecorder, { body }),
    // One after the other: what was changed last is what stays.
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
