// What a screen reader is told: rarely, and only in sums.
import { useEffect, useRef, useState } from "react";
import type { Feed } from "../../api/feed.ts";
import { t } from "../../language/language.ts";

const everyMs = 10_000;

/** The sentence for what arrived between two counts; empty when nothing did. */
export function announcementOf(before: Feed["arrived"], now: Feed["arrived"]): string {
  const events = now.events - before.events;
  const refusals = now.refusals - before.refusals;
  return [
    ...(events === 0 ? [] : [t("{{count}} new events", { count: events, defaultValue_one: "{{count}} new event" })]),
    ...(refusals === 0
      ? []
      : [t("{{count}} requests refused", { count: refusals, defaultValue_one: "{{count}} request refused" })]),
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
