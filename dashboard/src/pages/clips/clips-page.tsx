// The Clips page: the searchable gallery and the player.
import "./clips.css";
import type { Clip } from "@kit/contract";
import { Button } from "@radix-ui/themes";
import { type RefObject, useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import { useChanges } from "../../api/changes.ts";
import { useGameNames } from "../../api/use-games.ts";
import { useRecorder, useTestRecording } from "../../api/use-recorder.ts";
import { Trans, t, translateMessage } from "../../language/language.ts";
import { clipsAddress, recorderAddress, replaceAddress, useFragment } from "../../ui/address.ts";
import { CleanupDialog } from "../../ui/clips/cleanup-dialog.tsx";
import { exampleClipCommand, testRecordingLabels } from "../../ui/clips/clip-text.ts";
import { CommandLine } from "../../ui/copy-button.tsx";
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx";
import { EmptyState, NoMatches } from "../../ui/empty.tsx";
import { formatBytes } from "../../ui/format.ts";
import { UntrustedText } from "../../ui/labels.tsx";
import { Page, PageHead, useTitle } from "../../ui/page.tsx";
import { useShortcutSwitch, useShortcuts } from "../../ui/shortcuts.tsx";
import { TestRecordingResult } from "../../ui/test-result.tsx";
import { Toast } from "../../ui/toast.tsx";
import { useNow } from "../../ui/use-now.ts";
import { visibleLine, visibleText } from "../../ui/visible-text.ts";
import {
  clearedGalleryFilter,
  type GalleryFilter,
  type GalleryFilterChange,
  isGalleryFiltered,
  parseGalleryFilter,
  toGalleryQuery,
} from "./clip-filter.ts";
import { ExportList, isExportRunning, useExports } from "./exports.tsx";
import { ClipFilterBar } from "./gallery/clip-filter-bar.tsx";
import { ClipGrid } from "./gallery/clip-grid.tsx";
import { ClipSelectionBar } from "./gallery/clip-selection-bar.tsx";
import { type ClipList, useClipList } from "./gallery/use-clip-list.ts";
import { type Selection, useSelection } from "./gallery/use-selection.ts";
import { Player } from "./player/player.tsx";
import { useClipTags } from "./tags.ts";
import { useClipCommands } from "./use-clip-commands.ts";

function NoClips() {
  const state = useRecorder().data?.state;
  const test = useTestRecording();
  const works = state?.state !== "broken" && state?.state !== "off";
  return (
    <EmptyState title={t("No clips yet")} isNew>
      <p>
        {works
          ? t(
              "A few seconds after a game triggers a moment, its clip appears here. It shows the screen before and after the moment.",
            )
          : t("Kit is not recording, so moments become markers without video.")}
      </p>
      {!works && state && (
        <p className="note">
          {visibleText(translateMessage(state.detail))} <a href={recorderAddress}>{t("Open the recorder")}</a>
        </p>
      )}
      <Button size="3" disabled={test.isPending} onClick={() => test.mutate()}>
        {test.isPending ? testRecordingLabels.busy : testRecordingLabels.ask}
      </Button>
      <TestRecordingResult test={test} />
      <p>{t("Or send a moment from a terminal:")}</p>
      <CommandLine command={exampleClipCommand} />
    </EmptyState>
  );
}

/** Shown if the trash is empty or no clip matches the filter. */
function NoMatchingClips({ filter, onClear }: { filter: GalleryFilter; onClear: () => void }) {
  const narrowed = isGalleryFiltered(filter);
  return (
    <NoMatches
      title={narrowed ? t("No clip matches these filters") : t("The trash is empty")}
      hint={
        narrowed
          ? t("Matching clips appear here automatically.")
          : t("Deleted clips stay here for 30 days, unless Kit needs the space.")
      }
      clearLabel={t("Show all clips")}
      onClear={onClear}
    />
  );
}

type Props = { clips: readonly Clip[]; onRemove: () => void; onClose: () => void };

/** Asks before clips are deleted permanently. */
function RemoveDialog({ clips, onRemove, onClose }: Props) {
  const [first] = clips;
  return (
    <ConfirmDialog
      title={t("Delete permanently?")}
      confirmLabel={t("Delete permanently")}
      onConfirm={onRemove}
      onClose={onClose}
    >
      <p>
        {clips.length === 1 ? (
          <Trans
            i18nKey="<title /> and its file will be deleted permanently. This cannot be undone."
            components={{ title: <UntrustedText text={visibleLine(first?.title ?? "", 200)} /> }}
          />
        ) : (
          t("{{count}} clips and their files will be deleted permanently. This cannot be undone.", {
            count: clips.length,
            defaultValue_one: "{{count}} clip and its file will be deleted permanently. This cannot be undone.",
          })
        )}
      </p>
    </ConfirmDialog>
  );
}

/** Shows how many copies are being made, with a list of all that were made since the launcher started. */
function ExportsButton() {
  const [open, setOpen] = useState(false);
  const title = useId();
  const exports = useExports().data ?? [];
  const moving = exports.filter(isExportRunning).length;
  if (exports.length === 0 && !open) return null;
  return (
    <>
      <Button size="1" variant="soft" color={moving > 0 ? "iris" : "gray"} onClick={() => setOpen(true)}>
        {moving > 0
          ? t("{{count}} copies in progress", { count: moving, defaultValue_one: "{{count}} copy in progress" })
          : t("{{count}} copies", { count: exports.length, defaultValue_one: "{{count}} copy" })}
      </Button>
      {open && (
        <Dialog className="panel roomy" labelledBy={title} onClose={() => setOpen(false)}>
          <h2 id={title}>{t("Copies of clips")}</h2>
          {exports.length === 0 && <p>{t("There are no copies.")}</p>}
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

/** From this fraction of the limit on, the bar of the disk usage is shown as nearly full. */
const nearlyFullFraction = 0.9;

/** Shows the disk usage of the clips, with a button to free space. */
function StorageLine({ bytes, quotaBytes }: { bytes: number; quotaBytes: number }) {
  const [asking, setAsking] = useState(false);
  const part = quotaBytes > 0 ? Math.min(1, bytes / quotaBytes) : 1;
  return (
    <div className="cluster small quiet end storage-line" data-full={part >= nearlyFullFraction}>
      <svg width="88" height="6" aria-hidden="true">
        <rect width="100%" height="6" rx="3" className="bar-all" />
        <rect width={`${Math.max(part * 100, bytes > 0 ? 2 : 0)}%`} height="6" rx="3" className="bar-done" />
      </svg>
      <p>{t("{{bytes}} of {{quota}}", { bytes: formatBytes(bytes), quota: formatBytes(quotaBytes) })}</p>
      <Button size="1" variant="ghost" color="gray" onClick={() => setAsking(true)}>
        {t("Free up space…")}
      </Button>
      {asking && <CleanupDialog usedBytes={bytes} onClose={() => setAsking(false)} />}
    </div>
  );
}

function useGalleryFilter(): [GalleryFilter, (change: GalleryFilterChange) => void] {
  const fragment = useFragment();
  const filter = useMemo(() => parseGalleryFilter(fragment), [fragment]);
  const change = useCallback((members: GalleryFilterChange) => {
    const next = { ...parseGalleryFilter(location.hash), ...members } as GalleryFilter;
    replaceAddress(clipsAddress(undefined, toGalleryQuery(next)));
  }, []);
  return [filter, change];
}

/** Moves the focus back to the card of a clip when its player closes. */
function useRestoredFocus(open: string | undefined) {
  const last = useRef<string>(undefined);
  useEffect(() => {
    if (open === undefined && last.current !== undefined) {
      const card = document.querySelector<HTMLElement>(`[data-clip="${CSS.escape(last.current)}"]`);
      (card ?? document.querySelector<HTMLElement>('.clip-link[tabindex="0"]'))?.focus();
    }
    last.current = open;
  }, [open]);
}

/** Scrolls to the top when the filter changes. */
function useScrollToTop(scroller: RefObject<HTMLElement | null>, query: string) {
  const last = useRef(query);
  useEffect(() => {
    if (last.current !== query) scroller.current?.scrollTo({ top: 0 });
    last.current = query;
  }, [scroller, query]);
}

/** Registers the page's keyboard shortcuts. They do nothing in fields and dialogs. */
function useKeys(searchField: RefObject<HTMLInputElement | null>, selection: Selection) {
  const [singleKeys] = useShortcutSwitch();
  useShortcuts(singleKeys, { "/": () => searchField.current?.focus(), Escape: selection.clear });
}

export function ClipsPage({ open }: { open: string | undefined }) {
  useChanges();
  const [filter, change] = useGalleryFilter();
  const list = useClipList(filter);
  const query = toGalleryQuery(filter);
  const scroller = useRef<HTMLElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const selection = useSelection(list.clips, query);
  const { commands, done, forget, removing, error } = useClipCommands();
  const close = useCallback(() => {
    location.hash = clipsAddress(undefined, query);
  }, [query]);
  useKeys(searchField, selection);
  useRestoredFocus(open);
  useScrollToTop(scroller, query);
  useTitle(open === undefined ? t("Clips · Kit") : undefined);
  const games = useGameNames(list.clips);
  const toast = <Toast done={done} onGone={forget} />;
  return (
    <>
      <Page ref={scroller} className="clips" data-selecting={selection.clips.length > 0}>
        <PageHead
          title={t("Clips")}
          beside={
            <>
              <ExportsButton />
              {list.disk && <StorageLine bytes={list.disk.bytes} quotaBytes={list.disk.quotaBytes} />}
            </>
          }
        >
          <ClipFilterBar filter={filter} games={games} onChange={change} searchField={searchField} />
        </PageHead>
        <Trouble list={list} error={error} />
        <Gallery
          {...{ list, filter, query, commands, selection, scroller }}
          onClear={() => change(clearedGalleryFilter)}
        />
      </Page>
      {selection.clips.length > 0 && <ClipSelectionBar selection={selection} inBin={filter.bin} commands={commands} />}
      {open !== undefined && <Player key={open} id={open} commands={commands} toast={toast} onClose={close} />}
      {removing && <RemoveDialog {...removing} />}
      {open === undefined && toast}
    </>
  );
}

function Trouble({ list, error }: { list: ClipList; error: Error | undefined }) {
  const trouble = list.error ?? error;
  if (trouble === undefined) return null;
  return (
    <div className="error" role="alert">
      {trouble.message}{" "}
      {list.error && (
        <Button size="1" variant="soft" color="gray" disabled={list.isFetching} onClick={list.refetch}>
          {t("Try again")}
        </Button>
      )}
    </div>
  );
}

type GalleryProps = Omit<Parameters<typeof ClipGrid>[0], "clips" | "more" | "nowMs" | "onVisible"> & {
  list: ClipList;
  onClear: () => void;
};

function Gallery({ list, onClear, ...grid }: GalleryProps) {
  const nowMs = useNow();
  const { filter } = grid;
  // Waits for the tags, which stand above the clips: if they came later, they would push the clips down.
  if (useClipTags().isPending && list.error === undefined) return null;
  if (list.clips.length > 0) {
    return (
      <div className="gallery" data-old={list.isStale} aria-busy={list.isStale}>
        <ClipGrid {...grid} clips={list.clips} more={list.more} nowMs={nowMs} onVisible={list.setVisible} />
        {list.more && <p className="list-end">{t("Loading more clips…")}</p>}
      </div>
    );
  }
  if (list.isStale) return list.error === undefined && <GalleryPlaceholder />;
  return filter.bin || isGalleryFiltered(filter) ? <NoMatchingClips filter={filter} onClear={onClear} /> : <NoClips />;
}

/** Placeholders as large as the cards, so that nothing moves when the clips arrive. */
function GalleryPlaceholder() {
  return (
    <div className="gallery-wait" role="status" aria-label={t("Loading clips…")}>
      {["a", "b", "c", "d"].map((each) => (
        <span key={each} className="clip-picture" />
      ))}
    </div>
  );
}
