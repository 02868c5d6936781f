// Queries and mutations for the recorder, its settings and the recording rules.
import {
  type BodyOf,
  changeRecorder,
  getFfmpegInstall,
  getRecorder,
  installFfmpeg,
  listRecorderSources,
  listRecordingRules,
  type RecorderReport,
  saveRecording,
  testRecorder,
} from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { t } from "../language/language.ts";
import { useClient } from "./session.ts";
import { useRefetchClips } from "./use-clips.ts";

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

/** The monitors and windows as they are now. */
export function useRecorderSources() {
  const client = useClient();
  return useQuery({
    queryKey: ["recorder", "sources"],
    queryFn: () => client.call(listRecorderSources),
    retry: false,
    gcTime: 0,
  });
}

const installKey = ["recorder", "ffmpeg"];
const installRefetchMs = 1_000;

/** How ffmpeg is installed here. While it is being installed, its progress. */
export function useFfmpegInstall() {
  const client = useClient();
  return useQuery({
    queryKey: installKey,
    queryFn: () => client.call(getFfmpegInstall),
    refetchInterval: ({ state: { data } }) => (data?.state === "running" ? installRefetchMs : false),
    retry: false,
  });
}

export function useInstallFfmpeg() {
  const client = useClient();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: () => client.call(installFfmpeg),
    onSuccess: (install) => queryClient.setQueryData(installKey, install),
  });
}

type RecorderChange = BodyOf<typeof changeRecorder>;

function useRecorderChange() {
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
  const refetchClips = useRefetchClips();
  return useMutation({
    mutationFn: () => client.call(testRecorder),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: reportKey });
      return refetchClips();
    },
  });
}

/** Saves the last seconds of the running game as a clip. */
export function useSaveLast() {
  const client = useClient();
  const refetchClips = useRefetchClips();
  return useMutation({
    mutationFn: (seconds: number) => client.call(saveRecording, { body: { seconds } }),
    onSettled: refetchClips,
  });
}

type SettingName = keyof RecorderChange;

export function useRecorderSettingsForm() {
  const change = useRecorderChange();
  const [last, setLast] = useState<SettingName>();
  const [refused, setRefused] = useState<string>();
  const save = (body: RecorderChange) => {
    setRefused(undefined);
    setLast(Object.keys(body)[0] as SettingName);
    change.mutate(body);
  };
  /** Shows an error for input that is invalid, so that nothing is sent to the launcher. */
  const reject = (name: SettingName, why: string) => {
    change.reset();
    setLast(name);
    setRefused(why);
  };
  const errorFor = (name: SettingName) => (last === name ? (refused ?? errorMessage(change.error)) : undefined);
  return { save, reject, errorFor, isSaved: change.isSuccess && refused === undefined };
}

export type RecorderSettingsForm = ReturnType<typeof useRecorderSettingsForm>;

function errorMessage(error: Error | null): string | undefined {
  if (error === null) return undefined;
  const fields = "errors" in error && Array.isArray(error.errors) ? error.errors : [];
  const [first] = fields as { message?: unknown }[];
  return typeof first?.message === "string" ? t("Not saved: {{why}}", { why: first.message }) : error.message;
}

export function useRecordingRules() {
  const client = useClient();
  return useQuery({ queryKey: ["recorder", "rules"], queryFn: () => client.call(listRecordingRules) });
}
