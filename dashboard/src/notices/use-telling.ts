// What is said aloud of new notices: a few one by one, a flood in sums, and nothing of what was there when the page opened.
import { digest, type Notice, nothingTold } from "@kit/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import { type Line, lineOf, spoken } from "./words.ts";

const shownMs = 10_000;
const linesMax = 6;

export type ToldLine = Line & { readonly key: number };

export function useTelling(notices: readonly Notice[] | undefined) {
  const toldUpTo = useRef<number>(undefined);
  const told = useRef(nothingTold);
  const keys = useRef(0);
  const [dueMs, setDueMs] = useState<number | null>(null);
  const [lines, setLines] = useState<readonly ToldLine[]>([]);
  const [announcement, setAnnouncement] = useState("");
  const [isHeld, setHeld] = useState(false);

  const tell = useCallback((news: readonly Notice[]) => {
    const { told: after, says } = digest(told.current, news, Date.now());
    told.current = after;
    setDueMs(after.dueMs);
    if (says.length === 0) return;
    const said = says.map((saying): ToldLine => {
      keys.current += 1;
      return { ...lineOf(saying), key: keys.current };
    });
    setLines((before) => [...before, ...said].slice(-linesMax));
    setAnnouncement(spoken(said));
  }, []);

  useEffect(() => {
    if (notices === undefined) return;
    const newest = notices[0]?.number ?? 0;
    const before = toldUpTo.current ?? newest;
    toldUpTo.current = Math.max(before, newest);
    const news = notices.filter(({ number, quiet, seen }) => number > before && !quiet && !seen);
    if (news.length > 0) tell(news.reverse());
  }, [notices, tell]);
  useEffect(() => {
    if (dueMs === null) return;
    const timer = setTimeout(() => tell([]), Math.max(0, dueMs - Date.now()));
    return () => clearTimeout(timer);
  }, [dueMs, tell]);
  useEffect(() => {
    // Whoever reaches for them must not see them vanish.
    if (lines.length === 0 || isHeld) return;
    const timer = setTimeout(() => setLines([]), shownMs);
    return () => clearTimeout(timer);
  }, [lines, isHeld]);

  const dismiss = useCallback(() => {
    setLines([]);
    setHeld(false);
  }, []);
  return { lines, announcement, dismiss, setHeld };
}
