// `kit resolve ID` and `kit mute ID`: short forms of the most common issue changes.
import { type BodyOf, changeIssue } from "@kit/contract";
import type { Command } from "commander";
import { integerArgument, parseFutureTime } from "./arguments.ts";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson } from "./output.ts";

async function change(
  id: string,
  body: BodyOf<typeof changeIssue>,
  flags: CommonFlags,
  outcome: string,
): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const issue = await client.call(changeIssue, { params: { id }, body });
  if (flags.json) printJson(issue);
  else print(`“${escapeInvisible(issue.title)}” ${outcome} Undo: kit issue ${issue.id} --reopen`);
}

export function resolveCommand(): Command {
  return command("resolve", "Resolve an issue; you are alerted if it regresses")
    .helpGroup(helpGroups.developers)
    .argument("<id>", "an issue's id, from `kit issues`")
    .action((id: string, flags: CommonFlags) => change(id, { state: "resolved" }, flags, "is resolved."));
}

export function muteCommand(): Command {
  return command(
    "mute",
    "Mute an issue: keep counting, without alerts, until a time, for a number of reports, or indefinitely",
  )
    .helpGroup(helpGroups.developers)
    .argument("<id>", "an issue's id, from `kit issues`")
    .option("--until <when>", "a duration such as 8h or 7d, or a time", parseFutureTime)
    .option("--count <n>", "for this many more reports", integerArgument(1, 999_999_999))
    .action((id: string, { until, count, ...flags }: CommonFlags & { until?: string; count?: number }) => {
      const body = {
        state: "muted" as const,
        ...(until !== undefined && { mutedUntil: until }),
        ...(count !== undefined && { mutedForCount: count }),
      };
      return change(id, body, flags, "is muted.");
    });
}
