// The icons: 16 × 16, all with the same stroke width, in the colour of the surrounding text.

export const iconPaths = {
  record: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z M8 10.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z",
  warning: "M8 2.2 14.6 13.6H1.4L8 2.2Z M8 6.5v3.2 M8 11.6v.1",
  megaphone: "M2 6.4v3.2h2.4L11 13V3L4.4 6.4H2Z M13.2 6.2a2.6 2.6 0 0 1 0 3.6 M5.4 9.9l.9 3.4",
  refused: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z M3.8 3.8l8.4 8.4",
  pause: "M5.5 3v10 M10.5 3v10",
  play: "M5 3v10l8-5-8-5Z",
  sun: "M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6Z M8 1.4v1.2 M8 13.4v1.2 M1.4 8h1.2 M13.4 8h1.2 M3.3 3.3l.9.9 M11.8 11.8l.9.9 M3.3 12.7l.9-.9 M11.8 4.2l.9-.9",
  moon: "M13.4 9.6A5.8 5.8 0 0 1 6.4 2.6a5.8 5.8 0 1 0 7 7Z",
  screen: "M2 3h12v8H2V3Z M5.5 13.5h5",
  copy: "M5.5 5.5h8v8h-8v-8Z M3.6 10.5H2.5v-8h8v1.1",
  check: "M3 8.5 6.5 12 13 4.5",
  close: "M3.5 3.5l9 9 M12.5 3.5l-9 9",
  download: "M8 2v8.5 M4.5 7.2 8 10.7l3.5-3.5 M2.5 13.5h11",
  back: "M9.5 3 4.5 8l5 5",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Z M10.7 10.7 14 14",
  help: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z M6.3 6.4a1.8 1.8 0 1 1 2.5 1.7c-.5.3-.8.6-.8 1.2 M8 11.3v.1",
  globe: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z M2.2 8h11.6 M8 2c2.2 2 2.2 10 0 12 M8 2c-2.2 2-2.2 10 0 12",
  film: "M2 3.5h12v9H2v-9Z M5 3.5v9 M11 3.5v9 M2 8h3 M11 8h3",
  picture: "M2 3h12v10H2V3Z M2.5 11.5 6 7.5l2.6 3 2-2 2.9 3 M10.8 6.2v.1",
  flag: "M4 14V2.5 M4 3h8.5l-2 3 2 3H4",
  pin: "M6 2.5h4 M6.8 2.5v4.2L4.5 9.5h7L9.2 6.7V2.5 M8 9.5V14",
  bin: "M3 4.5h10 M6.2 4.5v-2h3.6v2 M4.3 4.5l.6 9h6.2l.6-9 M6.8 7v4 M9.2 7v4",
  undo: "M3 6.5h6.5a3.5 3.5 0 0 1 0 7H6 M5.8 3.5l-3 3 3 3",
  pencil: "M3 13l.6-2.8 7.2-7.2 2.2 2.2-7.2 7.2L3 13Z M9.4 4.4l2.2 2.2",
  mute: "M4.2 11.2V7a3.8 3.8 0 0 1 7.6 0v4.2l1.2 1.3H3l1.2-1.3Z M6.6 14.4h2.8 M2.4 2.4l11.2 11.2",
  merge: "M4 2.5v4c0 2 1.5 3 4 3s4 1 4 3v1 M12 2.5v3c0 2-1.5 4-4 4 M10.2 11.8l1.8 1.8 1.8-1.8",
  gear: "M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z M8 1.6v1.9 M8 12.5v1.9 M1.6 8h1.9 M12.5 8h1.9 M3.5 3.5l1.3 1.3 M11.2 11.2l1.3 1.3 M3.5 12.5l1.3-1.3 M11.2 4.8l1.3-1.3",
  bell: "M8 2a4 4 0 0 0-4 4v2.6l-1.5 2.9h11L12 8.6V6a4 4 0 0 0-4-4Z M6.5 13.4a1.6 1.6 0 0 0 3 0",
  disk: "M2.5 4.5c0-3 11-3 11 0v7c0 3-11 3-11 0v-7Z M2.5 4.5c0 3 11 3 11 0 M2.5 8c0 3 11 3 11 0",
  plus: "M8 3v10 M3 8h10",
  eye: "M1.6 8S4 3.6 8 3.6 14.4 8 14.4 8 12 12.4 8 12.4 1.6 8 1.6 8Z M8 9.8a1.8 1.8 0 1 0 0-3.6 1.8 1.8 0 0 0 0 3.6Z",
  clock: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z M8 4.8V8l2.2 1.6",
  question: "M5.4 5.6A2.7 2.7 0 1 1 9.4 8C8.5 8.5 8 9 8 10 M8 12.6v.1",
  skip: "M3 3.5 9.5 8 3 12.5v-9Z M12.5 3.5v9",
  send: "M14 2 7.4 8.6 M14 2 9.8 14 7.4 8.6 2 6.2 14 2Z",
  scissors:
    "M4.2 6.2a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8Z M4.2 13.6a1.9 1.9 0 1 0 0-3.8 1.9 1.9 0 0 0 0 3.8Z M5.8 5.4 14 12 M5.8 10.6 14 4",
  tag: "M2.5 2.5h5.2l6 6-5.2 5.2-6-6V2.5Z M5.2 5.2v.1",
  folder: "M1.8 4h4.4l1.5 1.8h6.5v7.2H1.8V4Z",
  repeat: "M3 7.5V6a2 2 0 0 1 2-2h7.5 M10.5 2l2 2-2 2 M13 8.5V10a2 2 0 0 1-2 2H3.5 M5.5 14l-2-2 2-2",
  up: "M3 10.5 8 5.5l5 5",
  down: "M3 5.5 8 10.5l5-5",
  share: "M8 10V2 M5 4.8 8 2l3 2.8 M3.5 8v5.5h9V8",
} as const;

export type IconName = keyof typeof iconPaths;

/** An icon. Hidden from screen readers, because a label is always beside it. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return <PathIcon path={iconPaths[name]} size={size} />;
}

/** An icon made from any SVG path, drawn in the style of the others. */
export function PathIcon({ path, size }: { path: string; size: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={path} fill="none" stroke="currentColor" strokeWidth="1.4" strokeLinejoin="round" strokeLinecap="round" />
    </svg>
  );
}
