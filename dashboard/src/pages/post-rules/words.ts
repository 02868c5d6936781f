// The rules' words for what the wire says in codes.
import type { Attachment, PostRule, PostVariable } from "@kit/contract";
import { t } from "../../language/language.ts";

type Choices<Value> = readonly { readonly value: Value; readonly says: string }[];

export const approvalChoices = (): Choices<PostRule["approval"]> => [
  { value: "ask", says: t("Ask me: nothing is sent before I approve it") },
  { value: "automatic", says: t("Send it without asking") },
];

export const withoutChoices = (): Choices<PostRule["without"]> => [
  { value: "ask", says: t("Ask me") },
  { value: "post", says: t("Post without it") },
];

/** What a variable is called on its chip, and what it holds. */
export function variableWord(variable: PostVariable): { readonly says: string; readonly about: string } {
  const words: Record<PostVariable, { says: string; about: string }> = {
    event: { says: t("event"), about: t("the event in words: my_game_boss_defeated is boss defeated") },
    game: { says: t("game"), about: t("the game's name in words") },
    eventId: { says: t("event id"), about: t("the event's id as the game sent it") },
    time: { says: t("time"), about: t("when it happened, hours and minutes on this machine's clock") },
    date: { says: t("date"), about: t("the day it happened") },
    clipLength: { says: t("clip length"), about: t("the clip's length such as 17 s; empty without one") },
  };
  return words[variable] ?? { says: variable, about: "" };
}

function attachWord(attach: Attachment): string {
  if (attach === "clip") return t("With the clip");
  return attach === "screenshot" ? t("With a screenshot") : t("Without a picture");
}

/** What a rule does, a few words each. */
export const ruleWords = ({ attach, approval, cooldownSeconds }: PostRule): string[] => [
  attachWord(attach),
  approval === "ask" ? t("Asks you first") : t("Sent without asking"),
  spanWord(cooldownSeconds),
];

function spanWord(seconds: number): string {
  if (seconds % 3_600 === 0)
    return t("At most every {{count, number}} hours", {
      count: seconds / 3_600,
      defaultValue_one: "At most every hour",
    });
  if (seconds % 60 === 0)
    return t("At most every {{count, number}} minutes", {
      count: seconds / 60,
      defaultValue_one: "At most every minute",
    });
  return t("At most every {{count, number}} seconds", { count: seconds, defaultValue_one: "At most every second" });
}
