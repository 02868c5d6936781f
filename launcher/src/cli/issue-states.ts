// `kit resolve ID` and `kit mute ID`: what is done with an issue most often, in two words.
import { type BodyOf, changeIssue } from "@kit/contract";
import type { Command } from "commander";
import { readUntil, readWhole } from "./arguments.ts";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson } from "./output.ts";
import { visible } from "./visible.ts";

async function change(id: string, body: BodyOf<typeof changeIssue>, flags: CommonFlags, says: string): Promise<void> {
  const { client } = await connect(configOf(flags));
  const issue = await client.call(changeIssue, { params: { id }, body });
  if (flags.json) printJson(issue);
  else print(`“${visible(issue.title)}” ${says} Undo: kit issue ${issue.id} --reopen`);
}

export function resolveCommand(): Command {
  return command("resolve", "Mark an issue as mended; when it comes back, it says so")
    .argument("<id>", "an issue's id, from `kit issues`")
    .action((id: string, flags: CommonFlags) => change(id, { state: "resolved" }, flags, "is resolved."));
}

export function muteCommand(): Command {
  return command("mute", "Count an issue without a word: for ever, until a time, or for so many reports")
    .argument("<id>", "an issue's id, from `kit issues`")
    .option("--until <when>", "a length such as 8h or 7d, or a time", readUntil)
    .option("--count <n>", "so many more reports", readWhole(1, 999_999_999))
    .action((id: string, { until, count, ...flags }: CommonFlags & { until?: string; count?: number }) => {
      const body = {
        state: "muted" as const,
        ...(until !== undefined && { mutedUntil: until }),
        ...(count !== undefined && { mutedForCount: count }),
      };
      return change(id, body, flags, "is muted.");
    });
}
