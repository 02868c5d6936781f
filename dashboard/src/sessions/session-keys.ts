// The keys of a session's page, as the help lists them.

export const sessionKeys = [
  { keys: ["←", "→"], says: "On the track: what was before or after" },
  { keys: ["↑", "↓"], says: "On the track: the lane above or below" },
  { keys: ["Home", "End"], says: "On the track: the first or the last" },
  { keys: ["Enter"], says: "Open it here; once more: its issue, post, clip or receipt" },
  { keys: ["+", "-"], says: "Closer, or further away" },
  { keys: ["Space", "k"], says: "Play or pause" },
  { keys: ["j", "l"], says: "5 seconds back or on" },
  { keys: ["Esc"], says: "Close what is open, then back to the list" },
  { keys: ["?"], says: "This help" },
] as const;
