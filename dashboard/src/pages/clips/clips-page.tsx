// The Clips page: everything recording made, searched and sorted, and the player for one of them.
import "../../ui/clips/clips.css";
import type { Clip } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type RefObject, useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import {
  type GalleryChange,
  type GalleryFilter,
  galleryFilterIn,
  galleryQueryOf,
  isNarrowed,
  nothingNarrowed,
} from "../../api/clip-filter.ts";
import { useChanges } from "../../api/use-changes.ts";
import { type ClipList, useClipList, useClipTags } from "../../api/use-clips.ts";
import { useGames } from "../../api/use-games.ts";
import { Trans, t } from "../../language/language.ts";
import { clipsAddress, replaceAddress, useFragment } from "../../ui/address.ts";
import { CleanupDialog } from "../../ui/clips/cleanup-dialog.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { sizeOf } from "../../ui/measures.ts";
import { useShortcutSwitch, useShortcuts } from "../../ui/shortcuts.ts";
import { StorageBanner } from "../../ui/storage-banner.tsx";
import { Toast } from "../../ui/toast.tsx";
import { useNow } from "../../ui/use-now.ts";
import { visibleLine } from "../../ui/visible-text.ts";
import { ClipFilterBar } from "./clip-filter-bar.tsx";
import { ClipGrid } from "./clip-grid.tsx";
import { ClipSelectionBar } from "./clip-selection-bar.tsx";
import { NoClips, NothingHere } from "./clips-empty.tsx";
import { ExportList } from "./export-list.tsx";
import { OutsideText } from "./outside-text.tsx";
import { Player } from "./player.tsx";
import { useClipCommands } from "./use-clip-commands.ts";
import { isMoving, useExports } from "./use-exports.ts";
import { type Selection, useSelection } from "./use-selection.ts";

type Props = { clips: readonly Clip[]; onRemove: () => void; onClose: () => void };

/** Asks before the one step that cannot be taken back. */
function RemoveDialog({ clips, onRemove, onClose }: Props) {
  const title = useId();
  const [first] = clips;
  return (
    <Dialog className="panel" labelledBy={title} onClose={onClose}>
      <h2 id={title}>{t("Remove for good?")}</h2>
      <p>
        {clips.length === 1 ? (
          <Trans
            i18nKey="<title /> and its file will be gone. This cannot be undone."
            components={{ title: <OutsideText text={visibleLine(first?.title ?? "", 200)} /> }}
          />
        ) : (
          t("{{count}} clips and their files will be gone. This cannot be undone.", {
            count: clips.length,
            defaultValue_one: "{{count}} clip and its file will be gone. This cannot be undone.",
          })
        )}
      </p>
      <div className="panel-end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {clips.length === 1 ? t("Keep it") : t("Keep them")}
        </Button>
        <Button color="ruby" onClick={onRemove}>
          {t("Remove for good")}
        </Button>
      </div>
    </Dialog>
  );
}

/** All copies that were asked for since the launcher began: how many are being made, and the list of them. */
function CopiesButton() {
  const [open, setOpen] = useState(false);
  const title = useId();
  const exports = useExports().data ?? [];
  const moving = exports.filter(isMoving).length;
  if (exports.length === 0 && !open) return null;
  return (
    <>
      <Button size="1" variant="soft" color={moving > 0 ? "iris" : "gray"} onClick={() => setOpen(true)}>
        {moving > 0
          ? t("{{count}} copies in the making", { count: moving, defaultValue_one: "{{count}} copy in the making" })
          : t("{{count}} copies", { count: exports.length, defaultValue_one: "{{count}} copy" })}
      </Button>
      {open && (
        <Dialog className="panel copies" labelledBy={title} onClose={() => setOpen(false)}>
          <h2 id={title}>{t("Copies of clips")}</h2>
          {exports.length === 0 && <p>{t("None are left.")}</p>}
          <ExportList exports={exports} named />
          <div className="panel-end">
            <Button variant="soft" onClick={() => setOpen(false)}>
              {t("Close")}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}

/** From here on the oldest may soon go. */
const nearlyFull = 0.9;

/** How much of the disk the clips hold, and what would go first if room were needed. */
function StorageLine({ bytes, quotaBytes }: { bytes: number; quotaBytes: number }) {
  const [asking, setAsking] = useState(false);
  const part = quotaBytes > 0 ? Math.min(1, bytes / quotaBytes) : 1;
  return (
    <div className="storage-line" data-full={part >= nearlyFull}>
      <svg width="88" height="6" aria-hidden="true">
        <rect width="100%" height="6" rx="3" className="storage-all" />
        <rect width={`${Math.max(part * 100, bytes > 0 ? 2 : 0)}%`} height="6" rx="3" className="storage-held" />
      </svg>
      <p>{t("{{held}} of {{quota}}", { held: sizeOf(bytes), quota: sizeOf(quotaBytes) })}</p>
      <Button size="1" variant="ghost" color="gray" onClick={() => setAsking(true)}>
        {t("What would go first?")}
      </Button>
      {asking && <CleanupDialog quotaBytes={quotaBytes} bytes={bytes} onClose={() => setAsking(false)} />}
    </div>
  );
}

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
  const { doing, done, forget, removing, error } = useClipCommands();
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
