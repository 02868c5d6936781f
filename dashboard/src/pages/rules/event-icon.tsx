// The icons that a person can choose for an event, drawn on a grid of 16 by 16.
import type { EventIcon as EventIconName } from "@kit/contract";
import { Icon, type IconName, PathIcon } from "../../ui/icon.tsx";
import type { EventIdRow } from "./rule-rows.ts";

const paths: Record<EventIconName, string> = {
  star: "M8 1.8l1.9 4 4.3.6-3.1 3.1.7 4.4L8 11.8l-3.8 2.1.7-4.4L1.8 6.4l4.3-.6L8 1.8Z",
  trophy: "M4.5 2.5h7v4.2a3.5 3.5 0 0 1-7 0V2.5Z M4.5 3.8H2.2v1.4a2.4 2.4 0 0 0 2.5 2.4 M11.5 3.8h2.3v1.4a2.4 2.4 0 0 1-2.5 2.4 M8 10.2v2.3 M5.3 13.5h5.4",
  sword: "M13.8 2.2 6.8 9.2 M13.8 2.2l-.4 2.6-5.7 5.7-1.8-1.8 5.7-5.7 2.2-.8Z M3.8 8.2l4 4 M5.5 10.5 2.3 13.7",
  skull: "M8 1.8a5.2 5.2 0 0 0-5.2 5.2c0 2 1 3.3 2.2 4v2.7h6V11c1.2-.7 2.2-2 2.2-4A5.2 5.2 0 0 0 8 1.8Z M5.8 7.2v.1 M10.2 7.2v.1 M8 9v.6 M7 13.7v-1.6 M9 13.7v-1.6",
  heart: "M8 13.6C4.2 10.9 1.9 8.7 1.9 6a3.1 3.1 0 0 1 6.1-1 3.1 3.1 0 0 1 6.1 1c0 2.7-2.3 4.9-6.1 7.6Z",
  flag: "M4 14V2.5 M4 3h8.5l-2 3 2 3H4",
  key: "M5.3 13.3a3 3 0 1 0 0-6 3 3 0 0 0 0 6Z M7.5 8.2l6-6 M11 4.7l2 2",
  map: "M2 4l4-1.6 4 1.6 4-1.6v9.6L10 13.6 6 12l-4 1.6V4Z M6 2.4V12 M10 4v9.6",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z M8 4.8V8l2.2 1.6",
  bolt: "M9 1.8 3.5 9H7.6L7 14.2 12.5 7H8.4L9 1.8Z",
  fire: "M8 14.2c2.7 0 4.6-1.8 4.6-4.3 0-3.1-2.8-4-2.6-7.9C7.7 2.9 6.8 4.7 7 6.6 6 6.2 5.6 5.3 5.6 4.5 4.2 5.8 3.4 7.6 3.4 9.9c0 2.5 1.9 4.3 4.6 4.3Z M8 14.2c1.1 0 1.9-.8 1.9-2 0-1.3-1.2-1.7-1.5-3-1.3.7-2.3 1.7-2.3 3 0 1.2.8 2 1.9 2Z",
  gift: "M2.5 5.5h11v3h-11v-3Z M3.5 8.5h9v5h-9v-5Z M8 5.5v8 M8 5.5C6.7 2.4 3.8 2.4 4.3 4.3 4.5 5 5.5 5.5 8 5.5Z M8 5.5c1.3-3.1 4.2-3.1 3.7-1.2C11.5 5 10.5 5.5 8 5.5Z",
  ghost: "M3 13.8V7a5 5 0 0 1 10 0v6.8l-1.7-1.3-1.7 1.3L8 12.5l-1.7 1.3-1.7-1.3L3 13.8Z M6.2 6.8v.1 M9.8 6.8v.1",
  bug: "M8 13.8a3.6 3.6 0 0 1-3.6-3.6V7.6a3.6 3.6 0 0 1 7.2 0v2.6A3.6 3.6 0 0 1 8 13.8Z M8 6v7.8 M5.9 4.7 4.6 2.6 M10.1 4.7l1.3-2.1 M4.4 8H1.8 M14.2 8h-2.6 M4.7 11.3l-2.3 1.3 M11.3 11.3l2.3 1.3 M4.6 6.3 2.7 5 M11.4 6.3 13.3 5",
}; // biome-ignore format: a path a line

const hasPath = (name: string): name is EventIconName => Object.hasOwn(paths, name);

/**
 * Hidden from screen readers, because the event's name is beside it. Draws nothing for an icon that only a newer
 * launcher knows.
 */
export function EventIcon({ name, size = 16 }: { name: string; size?: number }) {
  if (!hasPath(name)) return null;
  return <PathIcon path={paths[name]} size={size} />;
}

const kindIcons: Record<string, IconName> = { recording: "record", social: "megaphone" };

/** The icon that a person chose for the row's event, or else the default icon of its kind. */
export function RowIcon({ row: { icon, rules }, size = 18 }: { row: EventIdRow; size?: number }) {
  if (icon !== null && hasPath(icon)) return <EventIcon name={icon} size={size} />;
  return <Icon name={kindIcons[rules[0]?.kind ?? ""] ?? "record"} size={size} />;
}
