// Tells screen readers how many events arrived, at most every 10 s.
import { useEffect, useRef, useState } from "react";
import type { FeedState } from "../../api/feed.ts";
import { t } from "../../language/language.ts";

const everyMs = 10_000;

/** Returns the text for the rows that arrived between two counts; empty if none did. */
export function announcementText(before: FeedState["arrived"], now: FeedState["arrived"]): string {
  const events = now.events - before.events;
  const refusals = now.refusals - before.refusals;
  return [
    ...(events === 0 ? [] : [t("{{count}} new events", { count: events, defaultValue_one: "{{count}} new event" })]),
    ...(refusals === 0
      ? []
      : [t("{{count}} requests refused", { count: refusals, defaultValue_one: "{{count}} request refused" })]),
  ].join(", ");
}

export function useAnnouncement(arrived: FeedState["arrived"]): string {
  const newest = useRef(arrived);
  newest.current = arrived;
  const [said, setSaid] = useState("");
  useEffect(() => {
    let before = newest.current;
    const timer = setInterval(() => {
      const says = announcementText(before, newest.current);
      before = newest.current;
      if (says !== "") setSaid(says);
    }, everyMs);
    return () => clearInterval(timer);
  }, []);
  return said;
}
