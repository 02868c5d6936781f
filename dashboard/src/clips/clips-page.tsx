// The Clips page: everything recording made, searched and sorted, and the player for one of them.
import type { Clip } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type RefObject, useCallback, useEffect, useMemo, useRef } from "react";
import { clipsAddress, replaceAddress, useFragment } from "../frame/address.ts";
import { useNow } from "../frame/use-now.ts";
import { t } from "../language/language.ts";
import { useShortcutSwitch, useShortcuts } from "../live/shortcuts.ts";
import { useChanges } from "../live/use-changes.ts";
import { useGames } from "../live/use-games.ts";
import { StorageBanner } from "../storage/storage-banner.tsx";
import {
  type GalleryChange,
  type GalleryFilter,
  galleryFilterIn,
  galleryQueryOf,
  isNarrowed,
  nothingNarrowed,
} from "./clip-filter.ts";
import { ClipFilterBar } from "./clip-filter-bar.tsx";
import { ClipGrid } from "./clip-grid.tsx";
import { ClipSelectionBar } from "./clip-selection-bar.tsx";
import { NoClips, NothingHere } from "./clips-empty.tsx";
import { CopiesButton } from "./copies-button.tsx";
import { Player } from "./player.tsx";
import { RemoveDialog } from "./remove-dialog.tsx";
import { StorageLine } from "./storage-line.tsx";
import { Toast } from "./toast.tsx";
import { type ClipList, useClipList, useClipTags } from "./use-clips.ts";
import { useDoing } from "./use-doing.ts";
import { type Selection, useSelection } from "./use-selection.ts";
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

/** Another list begins at its beginning. */
function useScrolledUp(scroller: RefObject<HTMLElement | null>, query: string) {
  const last = useRef(query);
  useEffect(() => {
    if (last.current !== query) scroller.current?.scrollTo({ top: 0 });
    last.current = query;
  }, [scroller, query]);
}

/** Keys of the page, wherever the focus is but in a field or a dialog. */
function useKeys(searchField: RefObject<HTMLInputElement | null>, selection: Selection) {
  const [singleKeys] = useShortcutSwitch();
  useShortcuts(singleKeys, { "/": () => searchField.current?.focus(), Escape: selection.clear });
}

export function ClipsPage({ open }: { open: string | undefined }) {
  useChanges();
  const [filter, change] = useGalleryFilter();
  const list = useClipList(filter);
  const query = galleryQueryOf(filter);
  const scroller = useRef<HTMLElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const selection = useSelection(list.clips, query);
  const { doing, done, forget, removing, error } = useDoing();
  const close = useCallback(() => {
    location.hash = clipsAddress(undefined, query);
  }, [query]);
  useKeys(searchField, selection);
  useFocusBack(open);
  useScrolledUp(scroller, query);
  useEffect(() => {
    if (open === undefined) document.title = t("Clips · Kit");
  }, [open]);
  const games = useGameNames(list.clips);
  return (
    <>
      <main ref={scroller} className="clips" data-selecting={selection.clips.length > 0}>
        <StorageBanner />
        <div className="live-sticky">
          <div className="live-head">
            <h1>{t("Clips")}</h1>
            <CopiesButton />
            {list.disk && <StorageLine bytes={list.disk.bytes} quotaBytes={list.disk.quotaBytes} />}
          </div>
          <ClipFilterBar filter={filter} games={games} onChange={change} searchField={searchField} />
        </div>
        <Trouble list={list} error={error} />
        <Gallery {...{ list, filter, query, doing, selection, scroller }} onClear={() => change(nothingNarrowed)} />
      </main>
      {selection.clips.length > 0 && <ClipSelectionBar selection={selection} inBin={filter.bin} doing={doing} />}
      {open !== undefined && <Player key={open} id={open} doing={doing} onClose={close} />}
      {removing && <RemoveDialog {...removing} />}
      <Toast done={done} onGone={forget} />
    </>
  );
}

function Trouble({ list, error }: { list: ClipList; error: Error | undefined }) {
  const trouble = list.error ?? error;
  if (trouble === undefined) return null;
  return (
    <div className="clips-trouble" role="alert">
      {trouble.message}{" "}
      {list.error && (
        <Button size="1" variant="soft" color="gray" disabled={list.isFetching} onClick={list.again}>
          {t("Try again")}
        </Button>
      )}
    </div>
  );
}

type GalleryProps = Omit<Parameters<typeof ClipGrid>[0], "clips" | "more" | "nowMs" | "onLook"> & {
  list: ClipList;
  onClear: () => void;
};

function Gallery({ list, onClear, ...grid }: GalleryProps) {
  const nowMs = useNow();
  const { filter } = grid;
  // The tags stand above the clips: coming later they would push them down.
  if (useClipTags().isPending && list.error === undefined) return null;
  if (list.clips.length > 0) {
    return (
      <div className="gallery" data-old={list.isOld} aria-busy={list.isOld}>
        <ClipGrid {...grid} clips={list.clips} more={list.more} nowMs={nowMs} onLook={list.look} />
        {list.more && <p className="gallery-more">{t("Looking for more…")}</p>}
      </div>
    );
  }
  if (list.isOld) return list.error === undefined && <GalleryWait />;
  return filter.bin || isNarrowed(filter) ? <NothingHere filter={filter} onClear={onClear} /> : <NoClips />;
}

/** Cards that are not there yet, so that nothing moves when they come. */
function GalleryWait() {
  return (
    <div className="gallery-wait" role="status" aria-label={t("Looking for clips…")}>
      {["a", "b", "c", "d"].map((each) => (
        <span key={each} className="clip-picture" />
      ))}
    </div>
  );
}

function useGameNames(clips: readonly Clip[]): string[] {
  const known = useGames().data?.games;
  return useMemo(() => {
    const seen = clips.flatMap(({ game }) => (game === null ? [] : [game]));
    const names = new Set([...(known ?? []).map(({ game }) => game), ...seen]);
    return [...names].sort((a, b) => a.localeCompare(b));
  }, [known, clips]);
}
