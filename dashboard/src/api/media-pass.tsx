// Addresses of pictures, videos and downloads. The browser cannot send the session token when it loads them, so their
// addresses contain a pass or a single-use link. Both are valid only together with the session cookie.
import { callAddress, createDownloadLink, createMediaPass, type Operation, passParameter } from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, type RefObject, use, useCallback, useMemo, useRef, useState } from "react";
import { useClient, useSessionState, useSignInSession } from "./session.ts";

/** A file that the launcher serves. Its address is made later, because that contains a pass. */
export type LauncherFile = {
  readonly operation: Operation & { readonly file: string };
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | boolean | undefined>>;
};

export const mediaPassQueryKey = ["media-pass"];
/** Half of the hour for which a pass is valid. */
const renewEveryMs = 30 * 60_000;
/**
 * Minimum time between two retries. Otherwise a file that can never be loaded would cause endless requests for passes.
 */
const retryEveryMs = 60_000;

const addressWithPass = ({ operation, params, query }: LauncherFile, pass: string) =>
  callAddress(operation, { params: { ...params }, query: { ...query, [passParameter]: pass } });

type MediaAccess = {
  /** Returns undefined until the first pass has been fetched, a few milliseconds after the page was opened. */
  readonly addressFor: (file: LauncherFile) => string | undefined;
  /** Fetches a new pass and resolves to the file's address with it; undefined if the launcher gives none. */
  readonly renewAddress: (file: LauncherFile) => Promise<string | undefined>;
  /** Fetches a new pass if the load may have failed because the pass has expired. */
  readonly onLoadError: () => void;
};

const MediaContext = createContext<MediaAccess | undefined>(undefined);

/** Provides a pass to the components inside it. */
export function MediaPass({ children }: { children: ReactNode }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const isOpen = useSessionState(useSignInSession()).state === "open";
  const timing = { staleTime: renewEveryMs, refetchInterval: renewEveryMs };
  const queryFn = useCallback(async () => (await client.call(createMediaPass)).pass, [client]);
  const { data: pass, dataUpdatedAt } = useQuery({ queryKey: mediaPassQueryKey, queryFn, enabled: isOpen, ...timing });
  const media = useMemo(
    (): MediaAccess => ({
      addressFor: (file) => (pass === undefined ? undefined : addressWithPass(file, pass)),
      renewAddress: (file) =>
        queryClient.fetchQuery({ queryKey: mediaPassQueryKey, queryFn, staleTime: 0 }).then(
          (fresh) => addressWithPass(file, fresh),
          () => undefined,
        ),
      onLoadError() {
        if (Date.now() - dataUpdatedAt > retryEveryMs)
          void queryClient.invalidateQueries({ queryKey: mediaPassQueryKey });
      },
    }),
    [pass, dataUpdatedAt, queryClient, queryFn],
  );
  return <MediaContext value={media}>{children}</MediaContext>;
}

export function useMedia(): MediaAccess {
  const media = use(MediaContext);
  if (media === undefined) throw new Error("no pass around this component");
  return media;
}

/** Returns the props of an `<img>` that shows a file, and whether loading failed. A new pass makes it try again. */
export function usePicture(file: LauncherFile) {
  const { addressFor, onLoadError: onBroken } = useMedia();
  const [brokenAt, setBrokenAt] = useState<string>();
  const src = addressFor(file);
  const onError = () => {
    setBrokenAt(src);
    onBroken();
  };
  return { src, onError, broken: src !== undefined && src === brokenAt };
}

type Interruption = { readonly at: number; readonly rate: number; readonly plays: boolean };

/**
 * Returns the address of a video, and keeps it when the pass is renewed, because a new address would restart the video.
 * After an error, the video continues at the same position with a new pass.
 */
export function useVideo(file: LauncherFile, video: RefObject<HTMLVideoElement | null>) {
  const { addressFor, renewAddress: renewedFor } = useMedia();
  const fileKey = addressWithPass(file, "");
  const [loaded, setLoaded] = useState<{ fileKey: string; src: string }>();
  const [failed, setFailed] = useState(false);
  const interrupted = useRef<Interruption>(undefined);
  const lastRetryMs = useRef(Number.NEGATIVE_INFINITY);
  const src = loaded?.fileKey === fileKey ? loaded.src : addressFor(file);
  if (src !== undefined && loaded?.fileKey !== fileKey) {
    setLoaded({ fileKey, src });
    setFailed(false);
  }
  const onError = async () => {
    const element = video.current;
    if (element === null || performance.now() - lastRetryMs.current < retryEveryMs) return setFailed(true);
    lastRetryMs.current = performance.now();
    interrupted.current = { at: element.currentTime, rate: element.playbackRate, plays: !element.paused };
    const fresh = await renewedFor(file);
    if (fresh === undefined) setFailed(true);
    else setLoaded({ fileKey, src: fresh });
  };
  const onLoadedMetadata = () => {
    const element = video.current;
    if (element === null || interrupted.current === undefined) return;
    const { at, rate, plays } = interrupted.current;
    interrupted.current = undefined;
    element.currentTime = at;
    element.playbackRate = rate;
    if (plays) element.play().catch(() => undefined);
  };
  return { src, failed, onError: () => void onError(), onLoadedMetadata };
}

/**
 * Returns a function that downloads a file through a single-use link, so that nobody can reuse the address in the
 * browser's history.
 */
export function useDownload() {
  const client = useClient();
  return useMutation({
    mutationFn: async ({ operation, params, query }: LauncherFile) => {
      const asked = callAddress(operation, { params: { ...params }, query: { ...query } });
      const { address } = await client.call(createDownloadLink, { body: { address: asked } });
      const link = document.createElement("a");
      link.href = address;
      link.download = "";
      link.click();
    },
  });
}
