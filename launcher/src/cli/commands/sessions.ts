// `kit sessions`: lists the sessions of games, or shows the timeline of one.
import {
  type Client,
  type GameSession,
  getTimeline,
  listSessions,
  sessionsPageMax,
  type Timeline,
  type TimelineEntry,
} from "@kit/contract";
import { answer, command, filterFlag, pageFlags, parameter } from "../command.ts";
import { fetchNames, type PrintedNames } from "../names.ts";
import { countWithNoun, escapeInvisible, formatLocalTime, kit, print, withStyle } from "../output.ts";

/** Formats milliseconds as hours, minutes and seconds, such as `1:02:03`. */
function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const h = Math.floor(seconds / 3_600);
  const m = Math.floor(seconds / 60) % 60;
  const s = seconds % 60;
  const two = (value: number) => String(value).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

const sinceStart = ({ startedAt }: GameSession, at: string) =>
  formatElapsed(Date.parse(at) - Date.parse(startedAt)).padStart(8);

function endText({ ending, exitCode, signal }: GameSession): string {
  if (ending === "running") return withStyle("green", "running");
  if (ending === "exited") return exitCode === 0 ? "exited" : withStyle("yellow", `exited with ${exitCode}`);
  if (ending === "crashed") return withStyle("red", `crashed (${signal ?? exitCode})`);
  if (ending === "killed") return `killed (${signal ?? exitCode})`;
  if (ending === "unseen") return "ended while no launcher ran";
  return ending === "quiet" ? "stopped sending events" : "ended";
}

function sessionCounts({ moments, errors, posts, events }: GameSession): string {
  const counts = { moment: moments, error: errors, "post trigger": posts };
  const texts = Object.entries(counts).flatMap(([one, count]) => (count === 0 ? [] : [countWithNoun(count, one)]));
  return texts.length === 0 ? `${events} events` : texts.join(", ");
}

function sessionLine(session: GameSession, { gameName }: PrintedNames): string {
  const { id, game, startedAt, endedAt, program } = session;
  const length = sinceStart(session, endedAt ?? new Date().toISOString());
  const name = gameName(game) + (program === null ? "" : ` (${escapeInvisible(program)})`);
  return [formatLocalTime(startedAt), id, length, name, sessionCounts(session), endText(session)].join("  ");
}

function entryLine(session: GameSession, entry: TimelineEntry): string {
  const { at, kind, label, count, state, clip, second, issue, post } = entry;
  const words = escapeInvisible(label);
  const cells = [
    sinceStart(session, at),
    kind.padEnd(9),
    `${kind === "monitor" ? withStyle("red", words) : words}${count > 1 ? ` × ${count}` : ""}`,
    state,
    ...(clip === null ? [] : [`clip ${clip} at ${(second ?? 0).toFixed(1)} s`]),
    ...(issue === null ? [] : [`issue ${issue}`]),
    ...(post === null ? [] : [`post ${post}`]),
  ];
  return cells.join("  ");
}

function printTimeline(timeline: Timeline, names: PrintedNames): void {
  const { session, entries, clips, gaps, until, forgotten, compared, issues } = timeline;
  print(sessionLine(session, names));
  print("");
  const lines = [
    ...entries.map((entry) => ({ at: Date.parse(entry.at), line: entryLine(session, entry) })),
    ...gaps.map(({ from, to }) => {
      const length = formatElapsed(Date.parse(to) - Date.parse(from));
      const line = withStyle("dim", `${sinceStart(session, from)}  … nothing for ${length}`);
      return { at: Date.parse(from), line };
    }),
  ];
  for (const { line } of lines.sort((one, other) => one.at - other.at)) print(line);
  if (forgotten > 0) print(withStyle("dim", `${forgotten} of its events have been removed.`));
  if (until !== null) print(`… more: ${kit(`sessions ${session.id} --after ${until}`)}`);
  for (const { issue, sessions } of issues) {
    if (sessions > 1)
      print(withStyle("dim", `Issue ${issue} occurred in ${sessions} of the last ${compared} sessions.`));
  }
  if (clips.length === 0) return;
  print("");
  for (const { id, kind, state, from, to, title } of clips) {
    const span = `${sinceStart(session, from)} to ${sinceStart(session, to).trimStart()}`;
    print(`${span}  ${kind} ${id}  ${escapeInvisible(title)}  ${state}`);
  }
}

async function list(client: Client, query: { limit: number; game?: string; before?: string }) {
  const { sessions, more, forgotten } = await client.call(listSessions, { query });
  return answer(sessions, async () => {
    const names = await fetchNames(client);
    for (const session of sessions) print(sessionLine(session, names));
    if (sessions.length === 0)
      print(`No sessions. A session starts with a game's first event, or with \`${kit("run -- COMMAND")}\`.`);
    else if (more) print(`… more: ${kit(`sessions --before ${sessions.at(-1)?.id}`)}`);
    if (forgotten > 0) print(withStyle("dim", `${forgotten} older sessions were removed to free up space.`));
  });
}

export const sessionsCommand = command("sessions", "List the sessions of games, or show the timeline of one", {
  group: "players",
  parameters: [parameter("[id]", "show the timeline of this session")],
  flags: {
    ...pageFlags("session", sessionsPageMax),
    after: filterFlag("--after <cursor>", "continue a timeline after this cursor"),
  },
  async run({ client, flags: { after, ...query } }, id) {
    if (id === undefined) return list(client, query);
    const timeline = await client.call(getTimeline, { params: { id }, query: after === undefined ? {} : { after } });
    return answer(timeline, async () => printTimeline(timeline, await fetchNames(client)));
  },
});
