// Queries for one clip, the clips of one event or of sessions, and the cleanup plan; and the files of a clip.

import {
  type CleanupRequest,
  type Client,
  type Clip,
  type ClipExport,
  type GameSession,
  getClip,
  getClipExportFile,
  getClipPoster,
  getClipPreview,
  getClipVideo,
  listClips,
  oneClipPerMoment,
  planCleanup,
} from "@kit/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import type { LauncherFile } from "./media-pass.ts";
import { useClient } from "./session.ts";

/** Maximum clips shown for one event. */
const clipsOfEventMax = 5;
const pendingMs = 1_000;

/** Returns a function that fetches all shown clips again. */
export function useRefetchClips(): () => Promise<void> {
  const queryClient = useQueryClient();
  return useCallback(() => queryClient.invalidateQueries({ queryKey: ["clips"] }), [queryClient]);
}

export function useClip(id: string) {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "one", id],
    queryFn: () => client.call(getClip, { params: { id } }),
    // The feed announces changes, but the progress of a pending clip is polled.
    refetchInterval: ({ state }) => (state.data?.state === "pending" ? pendingMs : false),
  });
}

/**
 * Fetches the clips of an event. `state` is part of the query key, so that a new state of the event causes a refetch.
 */
export function useClipsOfEvent(event: string, state: string) {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "event", event, state],
    queryFn: () => client.call(listClips, { query: { event, limit: clipsOfEventMax } }),
    placeholderData: (before, query) => (query?.queryKey[2] === event ? before : undefined),
  });
}

/** Fetches which clips Kit would remove for a request. Undefined fetches nothing. */
export function useCleanupPlan(request: CleanupRequest | undefined) {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "cleanup", request],
    enabled: request !== undefined,
    queryFn: () => client.call(planCleanup, { query: request ?? {} }),
    placeholderData: (before) => before,
  });
}

/** More than pages show, because reels and trims of the same moments are among them. */
const bestClipsMax = 40;

/** Times of clips, `to` not included. Without `to`, until now. */
export type Span = { readonly from: string; readonly to?: string; readonly game?: string };

/** Returns the time of a session; without an end while it runs. */
function spanOf({ startedAt, endedAt, game }: GameSession): Span {
  // A session without a game may have clips of several games.
  return { from: startedAt, ...(endedAt !== null && { to: endedAt }), ...(game !== null && { game }) };
}

/** Fetches the saved highlights of a session, the best first, each moment once. */
export const useBestClipsOf = (session: GameSession | undefined) => useBestClipsIn(session && spanOf(session));

const highlights = { kind: "clip", state: "saved", subject: "highlight" } as const;

async function fetchBestClips(client: Client, span: Span | undefined): Promise<Clip[]> {
  const query = { ...highlights, sort: "best", limit: bestClipsMax, ...span } as const;
  return oneClipPerMoment((await client.call(listClips, { query })).clips);
}

/** Fetches the saved highlights of a time, the best first, each moment once; nothing without a time. */
export function useBestClipsIn(span: Span | undefined) {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "best", span],
    enabled: span !== undefined,
    queryFn: () => fetchBestClips(client, span),
  });
}

/** An evening ends with the newest highlight and is at most this long. */
const eveningMs = 12 * 3_600_000;

/** Fetches the best highlights of the last evening over all games, in the same order as those of a session. */
export function useBestClipsOfEvening(enabled: boolean) {
  const client = useClient();
  return useQuery({
    queryKey: ["clips", "best", "evening"],
    enabled,
    queryFn: async () => {
      const [newest] = (await client.call(listClips, { query: { ...highlights, sort: "newest", limit: 1 } })).clips;
      if (newest === undefined) return [];
      return fetchBestClips(client, { from: new Date(Date.parse(newest.startedAt) - eveningMs).toISOString() });
    },
  });
}

type Id = Pick<Clip, "id">;

export const clipVideoFile = ({ id }: Id): LauncherFile => ({ operation: getClipVideo, params: { id } });
export const clipDownloadFile = ({ id }: Id): LauncherFile => ({ ...clipVideoFile({ id }), query: { download: true } });
export const clipPosterFile = ({ id }: Id): LauncherFile => ({ operation: getClipPoster, params: { id } });
/** A smaller version of the poster, for lists of many clips. */
export const clipSmallPosterFile = ({ id }: Id): LauncherFile => ({
  ...clipPosterFile({ id }),
  query: { small: true },
});
export const clipPreviewFile = ({ id }: Id): LauncherFile => ({ operation: getClipPreview, params: { id } });
export const clipExportFile = ({ id }: Pick<ClipExport, "id">): LauncherFile => ({
  operation: getClipExportFile,
  params: { id },
});
