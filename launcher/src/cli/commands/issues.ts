// `kit issues`: lists issues, which are error reports grouped by fingerprint.
import { type Issue, issueSorts, issueStates, issuesPageMax, listIssues } from "@kit/contract";
import {
  answer,
  choiceFlag,
  command,
  filterFlag,
  isUnfiltered,
  pageFlags,
  toggleFlag,
  withDefault,
} from "../command.ts";
import { fetchNames, type PrintedNames } from "../names.ts";
import { escapeInvisible, formatLocalTime, print, withStyle } from "../output.ts";

const tones = { open: "yellow", resolved: "green", muted: "dim", regressed: "red" } as const;
export const issueStateText = ({ state, isNew }: Issue): string =>
  withStyle(tones[state], isNew ? `${state}, new` : state);

function issueLine(issue: Issue, { gameName }: PrintedNames): string {
  const count = `${issue.count.toLocaleString("en-US")} ×`.padStart(9);
  const texts = [gameName(issue.game), escapeInvisible(issue.title)];
  return [formatLocalTime(issue.lastSeen), issue.id, count, ...texts, issueStateText(issue)].join("  ");
}

export const issuesCommand = command("issues", "List issues (grouped error reports)", {
  group: "developers",
  flags: {
    ...pageFlags("issue", issuesPageMax),
    sort: withDefault(choiceFlag("--sort <order>", "the order", issueSorts), "lastSeen"),
    state: choiceFlag("--state <state>", "only issues in this state", issueStates),
    search: filterFlag("--search <text>", "only issues whose title, location or note contains this"),
    bin: toggleFlag("--bin", "list the trash instead"),
  },
  async run({ client, flags }) {
    const { issues, more, forgotten } = await client.call(listIssues, { query: flags });
    return answer(issues, async () => {
      const names = await fetchNames(client);
      for (const issue of issues) print(issueLine(issue, names));
      const first = 'No issues yet. Make one with `kit fire monitor "The door has no key"`.';
      if (issues.length === 0) print(isUnfiltered(flags) ? first : "No matching issues.");
      else if (more) print(`… more: kit issues --sort ${flags.sort} --before ${issues.at(-1)?.id}`);
      const removed = `${forgotten.issues} older issues with ${forgotten.reports} reports`;
      if (forgotten.issues > 0) print(withStyle("dim", `${removed} were removed to free up space.`));
    });
  },
});
