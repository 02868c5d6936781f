// The Clips page: everything recording made, newest first, and the player for one of them.
import type { Clip } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { useCallback, useEffect, useMemo, useRef } from "react";
import { clipsAddress, replaceAddress, useFragment } from "../frame/address.ts";
import { useNow } from "../frame/use-now.ts";
import { useChanges } from "../live/use-changes.ts";
import { useGames } from "../live/use-games.ts";
import { StorageBanner } from "../storage/storage-banner.tsx";
import { everyClip, type GalleryFilter, galleryFilterIn, galleryQueryOf, isNarrowed } from "./clip-filter.ts";
import { ClipFilterBar, type GalleryChange } from "./clip-filter-bar.tsx";
import { ClipGrid } from "./clip-grid.tsx";
import { NoClips, NothingHere } from "./clips-empty.tsx";
import { Player } from "./player.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";
import { StorageLine } from "./storage-line.tsx";
import { Toast } from "./toast.tsx";
import { useClipList } from "./use-clips.ts";
import { useDoing } from "./use-doing.ts";
import "./clips.css";

function useGalleryFilter(): [GalleryFilter, (change: GalleryChange) => void] {
  const fragment = useFragment();
  const filter = useMemo(() => galleryFilterIn(fragment), [fragment]);
  const change = useCallback((members: GalleryChange) => {
    const next = { ...galleryFilterIn(location.hash), ...members } as GalleryFilter;
    replaceAddress(clipsAddress(undefined, galleryQueryOf(next)));
  }, []);
  return [filter, change];
}

/** After the player the focus goes back to the card it was opened from. */
function useFocusBack(open: string | undefined) {
  const last = useRef<string>(undefined);
  useEffect(() => {
    if (open === undefined && last.current !== undefined) {
      const card = document.querySelector<HTMLElement>(`[data-clip="${CSS.escape(last.current)}"]`);
      (card ?? document.querySelector<HTMLElement>('.clip-link[tabindex="0"]'))?.focus();
    }
    last.current = open;
  }, [open]);
}

export function ClipsPage({ open }: { open: string | undefined }) {
  useChanges();
  const [filter, change] = useGalleryFilter();
  const list = useClipList(filter);
  const nowMs = useNow();
  const query = galleryQueryOf(filter);
  const close = useCallback(() => {
    location.hash = clipsAddress(undefined, query);
  }, [query]);
  const { actions, done, forget, removing, error } = useDoing();
  useFocusBack(open);
  useEffect(() => {
    if (open === undefined) document.title = "Clips · Kit";
  }, [open]);

  const clips = useMemo(() => list.data?.pages.flatMap((page) => page.clips) ?? [], [list.data]);
  const first = list.data?.pages[0];
  const games = useGameNames(clips);
  return (
    <>
      <main className="clips">
        <StorageBanner />
        <div className="live-sticky">
          <div className="live-head">
            <h1>Clips</h1>
            {first && <StorageLine bytes={first.bytes} quotaBytes={first.quotaBytes} />}
          </div>
          <ClipFilterBar filter={filter} games={games} onChange={change} />
        </div>
        {(list.error ?? error) && (
          <p className="clips-trouble" role="alert">
            {(list.error ?? error)?.message}
          </p>
        )}
        {clips.length > 0 && <ClipGrid clips={clips} query={query} nowMs={nowMs} {...actions} />}
        {list.isSuccess && clips.length === 0 && <NoneShown filter={filter} onClear={() => change(nothing)} />}
        {list.hasNextPage && (
          <div className="notice-line">
            <Button variant="soft" color="gray" disabled={list.isFetching} onClick={() => void list.fetchNextPage()}>
              Show older
            </Button>
          </div>
        )}
      </main>
      {open !== undefined && <Player key={open} id={open} actions={actions} onClose={close} />}
      {removing && <RemoveDialog {...removing} />}
      <Toast done={done} onGone={forget} />
    </>
  );
}

const nothing: GalleryChange = { game: undefined, kind: undefined, ...everyClip };

function NoneShown({ filter, onClear }: { filter: GalleryFilter; onClear: () => void }) {
  return filter.bin || isNarrowed(filter) ? <NothingHere bin={filter.bin} onClear={onClear} /> : <NoClips />;
}

function useGameNames(clips: readonly Clip[]): string[] {
  const known = useGames().data?.games;
  return useMemo(() => {
    const seen = clips.flatMap(({ game }) => (game === null ? [] : [game]));
    const names = new Set([...(known ?? []).map(({ game }) => game), ...seen]);
    return [...names].sort((a, b) => a.localeCompare(b));
  }, [known, clips]);
}
