// `kit issues`: lists issues, which are error reports grouped by fingerprint.
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
import { integerArgument } from "./arguments.ts";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson, styled } from "./output.ts";

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
  const cells = [when, issue.id, count, escapeInvisible(issue.game ?? "unsorted"), escapeInvisible(issue.title)];
  return `${cells.join("  ")}  ${stateText(issue)}`;
}

async function list({ limit, sort, state, game, search, before, bin, ...flags }: IssuesFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const filter = { ...(state && { state }), ...(game && { game }), ...(search && { search }), ...(bin && { bin }) };
  const query = { limit, sort, ...filter, ...(before && { before }) };
  const { issues, more, forgotten } = await client.call(listIssues, { query });
  if (flags.json) return printJson(issues);
  for (const issue of issues) print(issueLine(issue));
  if (issues.length === 0) {
    const isAll = Object.keys(filter).length === 0 && !before;
    print(isAll ? 'No issues yet. Make one with `kit fire monitor "The door has no key"`.' : "No matching issues.");
  } else if (more) print(`… more: kit issues --sort ${sort} --before ${issues.at(-1)?.id}`);
  if (forgotten.issues > 0)
    print(
      styled(
        "dim",
        `${forgotten.issues} older issues with ${forgotten.reports} reports were removed to free up space.`,
      ),
    );
}

export function issuesCommand(): Command {
  return command("issues", "List issues (grouped error reports)")
    .helpGroup(helpGroups.developers)
    .option("--limit <n>", `how many to list, 1 to ${issuesPageMax}`, integerArgument(1, issuesPageMax), 20)
    .addOption(new Option("--sort <order>", "the order").choices(issueSorts).default("lastSeen"))
    .addOption(new Option("--state <state>", "only issues in this state").choices(issueStates))
    .option("--game <game>", "only this game; `unsorted` for issues without a game")
    .option("--search <text>", "only issues whose title, location or note contains this")
    .option("--before <id>", "continue after this issue")
    .option("--bin", "list the trash instead")
    .action(list);
}
