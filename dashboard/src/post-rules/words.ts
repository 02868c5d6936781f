// The rules' words for what the wire says in codes.
import type { Attachment, PostRule, PostVariable } from "@kit/contract";

export const approvalChoices: readonly { readonly value: PostRule["approval"]; readonly says: string }[] = [
  { value: "ask", says: "Ask me: nothing is sent before I approve it" },
  { value: "automatic", says: "Send it without asking" },
];

export const withoutChoices: readonly { readonly value: PostRule["without"]; readonly says: string }[] = [
  { value: "ask", says: "Ask me" },
  { value: "post", says: "Post without it" },
];

/** What each variable is called on its chip; what it holds is said by the contract. */
export const variableWords: Record<PostVariable, string> = {
  event: "event",
  game: "game",
  eventId: "event id",
  time: "time",
  date: "date",
  clipLength: "clip length",
};

const attachWords: Record<Attachment, string> = {
  clip: "with the clip",
  screenshot: "with a screenshot",
  none: "without a picture",
};

/** What a rule does, in one line. */
export function ruleLine({ attach, approval, cooldownSeconds }: PostRule): string {
  const asks = approval === "ask" ? "asks you first" : "is sent without asking";
  return `${attachWords[attach] ?? attach}, ${asks}, at most every ${spanWord(cooldownSeconds)}`;
}

function spanWord(seconds: number): string {
  if (seconds % 3_600 === 0) return seconds === 3_600 ? "hour" : `${seconds / 3_600} hours`;
  if (seconds % 60 === 0) return seconds === 60 ? "minute" : `${seconds / 60} minutes`;
  return `${seconds} seconds`;
}
