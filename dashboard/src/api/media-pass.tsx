// Pictures, videos and downloads. A browser cannot send the session's token for them, so their address carries what
// opens them beside the cookie: a pass, or a link that is good once. Nothing else makes such an address.
import { addressOf, createDownloadLink, createMediaPass, type Operation, passMember } from "@kit/contract";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, type RefObject, use, useCallback, useMemo, useRef, useState } from "react";
import { useClient, useSession, useSessionState } from "./session-context.ts";

/** What the launcher sends as a file: which, but not yet by which address. */
export type LauncherFile = {
  readonly operation: Operation & { readonly file: string };
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | boolean | undefined>>;
};

export const passKey = ["media-pass"];
/** A pass lasts an hour. */
const renewEveryMs = 30 * 60_000;
/** A file that cannot be opened at all must not make the page ask for passes without end. */
const retryEveryMs = 60_000;

const addressWith = ({ operation, params, query }: LauncherFile, pass: string) =>
  addressOf(operation, { params: { ...params }, query: { ...query, [passMember]: pass } });

type Media = {
  /** Undefined until the first pass is there, some milliseconds after the page was opened. */
  readonly addressFor: (file: LauncherFile) => string | undefined;
  /** The address with a new pass; undefined when none is to be had. */
  readonly renewedFor: (file: LauncherFile) => Promise<string | undefined>;
  /** Something could not be loaded: when its pass may be why, everything gets a new one. */
  readonly onBroken: () => void;
};

const MediaContext = createContext<Media | undefined>(undefined);

/** Keeps a pass for everything in it. */
export function MediaPass({ children }: { children: ReactNode }) {
  const client = useClient();
  const queryClient = useQueryClient();
  const isOpen = useSessionState(useSession()).state === "open";
  const timing = { staleTime: renewEveryMs, refetchInterval: renewEveryMs };
  const queryFn = useCallback(async () => (await client.call(createMediaPass)).pass, [client]);
  const { data: pass, dataUpdatedAt } = useQuery({ queryKey: passKey, queryFn, enabled: isOpen, ...timing });
  const media = useMemo(
    (): Media => ({
      addressFor: (file) => (pass === undefined ? undefined : addressWith(file, pass)),
      renewedFor: (file) =>
        queryClient.fetchQuery({ queryKey: passKey, queryFn, staleTime: 0 }).then(
          (fresh) => addressWith(file, fresh),
          () => undefined,
        ),
      onBroken() {
        if (Date.now() - dataUpdatedAt > retryEveryMs) void queryClient.invalidateQueries({ queryKey: passKey });
      },
    }),
    [pass, dataUpdatedAt, queryClient, queryFn],
  );
  return <MediaContext value={media}>{children}</MediaContext>;
}

export function useMedia(): Media {
  const media = use(MediaContext);
  if (media === undefined) throw new Error("no pass around this component");
  return media;
}

/** What an <img> needs to show a file, and whether it cannot. A new pass is a new try. */
export function usePicture(file: LauncherFile) {
  const { addressFor, onBroken } = useMedia();
  const [brokenAt, setBrokenAt] = useState<string>();
  const src = addressFor(file);
  const onError = () => {
    setBrokenAt(src);
    onBroken();
  };
  return { src, onError, broken: src !== undefined && src === brokenAt };
}

type Interrupted = { readonly at: number; readonly rate: number; readonly plays: boolean };

/** A video keeps its address, since a new one would begin it anew, until it cannot go on: then a new pass takes it on from there. */
export function useVideo(file: LauncherFile, video: RefObject<HTMLVideoElement | null>) {
  const { addressFor, renewedFor } = useMedia();
  const plain = addressWith(file, "");
  const [held, setHeld] = useState<{ plain: string; src: string }>();
  const [failed, setFailed] = useState(false);
  const interrupted = useRef<Interrupted>(undefined);
  const triedMs = useRef(Number.NEGATIVE_INFINITY);
  const src = held?.plain === plain ? held.src : addressFor(file);
  if (src !== undefined && held?.plain !== plain) {
    setHeld({ plain, src });
    setFailed(false);
  }
  const onError = async () => {
    const element = video.current;
    if (element === null || performance.now() - triedMs.current < retryEveryMs) return setFailed(true);
    triedMs.current = performance.now();
    interrupted.current = { at: element.currentTime, rate: element.playbackRate, plays: !element.paused };
    const fresh = await renewedFor(file);
    if (fresh === undefined) setFailed(true);
    else setHeld({ plain, src: fresh });
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

/** Saves a file by a link that is good once: its address opens nothing again, wherever it is kept. */
export function useDownload() {
  const client = useClient();
  return useMutation({
    mutationFn: async ({ operation, params, query }: LauncherFile) => {
      const asked = addressOf(operation, { params: { ...params }, query: { ...query } });
      const { address } = await client.call(createDownloadLink, { body: { address: asked } });
      const link = document.createElement("a");
      link.href = address;
      link.download = "";
      link.click();
    },
  });
}
