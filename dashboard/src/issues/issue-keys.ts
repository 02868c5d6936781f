// The keys of the issues' pages, as the help lists them.

export const listKeys = [
  { keys: ["j", "k"], says: "Move through the issues" },
  { keys: ["Enter"], says: "Open the issue" },
  { keys: ["x"], says: "Select the issue" },
  { keys: ["r"], says: "Resolve what is selected, or the issue" },
  { keys: ["m"], says: "Mute what is selected, or the issue" },
  { keys: ["/"], says: "Go to the search" },
  { keys: ["Esc"], says: "Clear the selection" },
  { keys: ["?"], says: "This help" },
] as const;

export const issueKeys = [
  { keys: ["r"], says: "Resolve the issue" },
  { keys: ["m"], says: "Mute the issue" },
  { keys: ["Esc"], says: "Back to the list" },
  { keys: ["?"], says: "This help" },
] as const;
