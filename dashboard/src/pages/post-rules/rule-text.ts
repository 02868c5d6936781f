// Names and descriptions of the choices and variables in a post rule.
import type { Attachment, PostRule, PostVariable } from "@kit/contract";
import { t } from "../../language/language.ts";

type Choices<Value> = readonly { readonly value: Value; readonly says: string }[];

export const approvalChoices = (): Choices<PostRule["approval"]> => [
  { value: "ask", says: t("Ask me: send nothing until I approve it") },
  { value: "automatic", says: t("Send without asking") },
];

export const missingFootageChoices = (): Choices<PostRule["without"]> => [
  { value: "ask", says: t("Ask me") },
  { value: "post", says: t("Post without an attachment") },
];

export function variableText(variable: PostVariable): { readonly says: string; readonly description: string } {
  const words: Record<PostVariable, { says: string; description: string }> = {
    event: { says: t("event"), description: t("the event in words: mygame_boss_defeated becomes Boss defeated") },
    game: { says: t("game"), description: t("the game's name") },
    eventId: { says: t("event id"), description: t("the event's id as the game sent it") },
    time: { says: t("time"), description: t("when the event happened, in hours and minutes on this computer's clock") },
    date: { says: t("date"), description: t("the day the event happened") },
    clipLength: {
      says: t("clip length"),
      description: t("the clip's length, for example 17 s; empty if there is no clip"),
    },
  };
  return words[variable] ?? { says: variable, description: "" };
}

function attachmentText(attach: Attachment): string {
  if (attach === "clip") return t("With the clip");
  return attach === "screenshot" ? t("With a screenshot") : t("Without an attachment");
}

/** Returns the main settings of a rule as a few short phrases. */
export const postRuleSummary = ({ attach, approval, cooldownSeconds }: PostRule): string[] => [
  attachmentText(attach),
  approval === "ask" ? t("Asks you first") : t("Sent without asking"),
  cooldownText(cooldownSeconds),
];

/** The cooldown counts for each event on its own: another event of the same rule is posted all the same. */
function cooldownText(seconds: number): string {
  if (seconds === 0) return t("Each event is posted");
  if (seconds % 3_600 === 0)
    return t("The same event at most every {{count, number}} hours", {
      count: seconds / 3_600,
      defaultValue_one: "The same event at most every hour",
    });
  if (seconds % 60 === 0)
    return t("The same event at most every {{count, number}} minutes", {
      count: seconds / 60,
      defaultValue_one: "The same event at most every minute",
    });
  return t("The same event at most every {{count, number}} seconds", {
    count: seconds,
    defaultValue_one: "The same event at most every second",
  });
}
