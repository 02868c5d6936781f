// Controls the gallery by mouse and keyboard: focus, selection and deletion.
import type { Clip } from "@kit/contract";
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useShortcutSwitch } from "../../../ui/shortcuts.tsx";
import type { ClipCommands } from "../use-clip-commands.ts";
import type { ClipCardHandlers } from "./clip-card.tsx";
import { cardsIn, type GalleryRow, isMoveKey, nextCard } from "./gallery-rows.ts";
import type { Selection } from "./use-selection.ts";

type GridKeysDeps = { rows: readonly GalleryRow[]; commands: ClipCommands; selection: Selection };

const cardOf = (id: string) => document.querySelector<HTMLElement>(`[data-clip="${CSS.escape(id)}"]`);

const canDelete = ({ deletedAt, state }: Clip) => deletedAt === null && state !== "pending";

/** Moves the focus to the next card when the focused card disappears. */
function useFocusFallback(cards: readonly Clip[], visited: string | undefined, focus: (id: string) => void) {
  const before = useRef<readonly Clip[]>([]);
  useEffect(() => {
    const left = visited !== undefined && !cards.some(({ id }) => id === visited);
    if (left && document.activeElement === document.body) {
      const at = before.current.findIndex(({ id }) => id === visited);
      const next = [...before.current.slice(at + 1), ...before.current.slice(0, Math.max(0, at)).toReversed()];
      const heir = at === -1 ? undefined : next.find(({ id }) => cards.some((card) => card.id === id));
      if (heir) focus(heir.id);
    }
    before.current = cards;
  }, [cards, visited, focus]);
}

export function useGridKeys(needs: GridKeysDeps) {
  const { rows } = needs;
  const [visited, setVisited] = useState<string>();
  const [singleKeys] = useShortcutSwitch();
  const sought = useRef<string>(undefined);
  const cards = useMemo(() => cardsIn(rows), [rows]);
  const stop = cards.some(({ id }) => id === visited) ? visited : cards[0]?.id;
  const focus = useCallback((id: string) => {
    sought.current = id;
    setVisited(id);
  }, []);
  useFocusFallback(cards, visited, focus);

  // A ref instead of props, so that a change does not redraw the memoized cards.
  const newest = useRef({ ...needs, cards, singleKeys });
  useEffect(() => {
    newest.current = { ...needs, cards, singleKeys };
  });
  const on = useMemo((): ClipCardHandlers => eventsOf(newest, focus, setVisited), [focus]);

  return { stop, on, sought };
}

/** Focuses the requested card. If that card is not drawn yet, scrolls to its row first, by `show`. */
export function useFocusTarget(
  sought: RefObject<string | undefined>,
  rows: readonly GalleryRow[],
  show: (row: number) => void,
): void {
  useEffect(() => {
    const id = sought.current;
    if (id === undefined) return;
    const row = rows.findIndex((each) => each.is === "cards" && each.clips.some((clip) => clip.id === id));
    const card = row === -1 ? null : cardOf(id);
    if (row !== -1 && card === null) {
      show(row);
      return;
    }
    sought.current = undefined;
    card?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: "nearest" });
  });
}

type Newest = { readonly current: GridKeysDeps & { readonly cards: readonly Clip[]; readonly singleKeys: boolean } };

function eventsOf(newest: Newest, focus: (id: string) => void, onVisit: (id: string) => void): ClipCardHandlers {
  const order = () => newest.current.cards.map(({ id }) => id);
  const onSelect = (id: string, range: boolean) => {
    const { selection } = newest.current;
    if (range) selection.reach(id, order());
    else selection.toggle(id);
  };
  const remove = (clip: Clip) => {
    const { selection, commands } = newest.current;
    const meant = selection.ids.has(clip.id) ? selection.clips : [clip];
    const going = meant.filter(canDelete);
    if (going.length > 0) commands.discard(going);
  };
  const move = (event: KeyboardEvent, clip: Clip) => {
    const target = nextCard(newest.current.rows, clip.id, event.key);
    if (target === undefined) return;
    if (event.shiftKey) {
      const { selection } = newest.current;
      if (!selection.ids.has(clip.id)) selection.toggle(clip.id);
      selection.reach(target.id, order());
    }
    focus(target.id);
  };
  return {
    onVisit,
    onSelect,
    onPress: (event: MouseEvent, clip) => {
      if (!(event.ctrlKey || event.metaKey || event.shiftKey)) return;
      event.preventDefault();
      onSelect(clip.id, event.shiftKey);
    },
    onKeyDown: (event, clip) => {
      const { key } = event;
      const { selection, singleKeys } = newest.current;
      const command = event.ctrlKey || event.metaKey;
      if (command && key.toLowerCase() === "a") selection.all(order());
      else if (command || event.altKey) return;
      else if (isMoveKey(key)) move(event, clip);
      else if (key === "Delete") remove(clip);
      else if (key === " " || (key === "x" && singleKeys)) onSelect(clip.id, event.shiftKey);
      else if (key === "Escape" && selection.ids.size > 0) selection.clear();
      else return;
      event.preventDefault();
    },
  };
}
