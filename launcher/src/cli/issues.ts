// `kit issues`: what went wrong, put together by kind.
import {
  type Issue,
  type IssueSort,
  type IssueState,
  issueSorts,
  issueStates,
  issuesPageMax,
  listIssues,
} from "@kit/contract";
import { type Command, Option } from "commander";
import { readWhole } from "./arguments.ts";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, styled } from "./output.ts";
import { visible } from "./visible.ts";

type IssuesFlags = CommonFlags & {
  limit: number;
  sort: IssueSort;
  state?: IssueState;
  game?: string;
  search?: string;
  before?: string;
  bin?: true;
};

const tones = { open: "yellow", resolved: "green", muted: "dim", regressed: "red" } as const;
export const stateText = ({ state, isNew }: Issue): string => styled(tones[state], isNew ? `${state}, new` : state);

function issueLine(issue: Issue): string {
  const when = new Date(issue.lastSeen).toLocaleString("sv-SE");
  const count = `${issue.count.toLocaleString("en-US")} ×`.padStart(9);
  const cells = [when, issue.id, count, visible(issue.game ?? "unsorted"), visible(issue.title)];
  return `${cells.join("  ")}  ${stateText(issue)}`;
}

async function list({ limit, sort, state, game, search, before, bin, ...flags }: IssuesFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const filter = { ...(state && { state }), ...(game && { game }), ...(search && { search }), ...(bin && { bin }) };
  const query = { limit, sort, ...filter, ...(before && { before }) };
  const { issues, more, forgotten } = await client.call(listIssues, { query });
  if (flags.json) return printJson(issues);
  for (const issue of issues) print(issueLine(issue));
  if (issues.length === 0) {
    const isAll = Object.keys(filter).length === 0 && !before;
    print(isAll ? 'No issues yet. Make one with `kit fire monitor "The door has no key"`.' : "No such issues.");
  } else if (more) print(`… more: kit issues --sort ${sort} --before ${issues.at(-1)?.id}`);
  if (forgotten.issues > 0)
    print(styled("dim", `${forgotten.issues} issues with ${forgotten.reports} reports went to make room.`));
}

export function issuesCommand(): Command {
  return command("issues", "List issues: error reports put together by kind")
    .option("--limit <n>", `how many, 1 to ${issuesPageMax}`, readWhole(1, issuesPageMax), 20)
    .addOption(new Option("--sort <order>", "which come first").choices(issueSorts).default("lastSeen"))
    .addOption(new Option("--state <state>", "only these").choices(issueStates))
    .option("--game <game>", "only this game; `unsorted` for those without one")
    .option("--search <text>", "only those whose title, place or note holds this")
    .option("--before <id>", "only those after this one in the list")
    .option("--bin", "what lies in the bin")
    .action(list);
}
