// What a screen reader is told: rarely, and only in sums.
import { useEffect, useRef, useState } from "react";
import type { Feed } from "./feed.ts";

const everyMs = 10_000;

const counted = (count: number, one: string, many: string) =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

/** The sentence for what arrived between two counts; empty when nothing did. */
export function announcementOf(before: Feed["arrived"], now: Feed["arrived"]): string {
  return [
    ...counted(now.events - before.events, "new event", "new events"),
    ...counted(now.refusals - before.refusals, "request refused", "requests refused"),
  ].join(", ");
}

export function useAnnouncement(arrived: Feed["arrived"]): string {
  const newest = useRef(arrived);
  newest.current = arrived;
  const [said, setSaid] = useState("");
  useEffect(() => {
    let before = newest.current;
    const timer = setInterval(() => {
      const says = announcementOf(before, newest.current);
      before = newest.current;
      if (says !== "") setSaid(says);
    }, everyMs);
    return () => clearInterval(timer);
  }, []);
  return said;
}
