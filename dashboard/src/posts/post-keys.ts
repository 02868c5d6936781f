// The keys of the posts' page, as the help lists them.

export const postKeys = [
  { keys: ["j", "k"], says: "Move through the posts; the arrow keys as well" },
  { keys: ["a"], says: "Approve the draft, and go to the next" },
  { keys: ["e"], says: "Edit the draft" },
  { keys: ["s"], says: "Skip the draft, and go to the next" },
  { keys: ["u"], says: "Undo for the post, or the last step" },
  { keys: ["A"], says: "Approve all drafts shown, after a question" },
  { keys: ["Esc"], says: "Leave the editor, where nothing was typed" },
  { keys: ["?"], says: "This help" },
] as const;
