// `kit sessions`: lists the sessions of games, or shows the timeline of one.
import {
  type GameSession,
  getTimeline,
  listSessions,
  sessionsPageMax,
  type Timeline,
  type TimelineEntry,
} from "@kit/contract";
import type { Command } from "commander";
import { integerArgument } from "./arguments.ts";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { localTime, print, printJson, styled } from "./output.ts";

type SessionsFlags = CommonFlags & { limit: number; game?: string; before?: string; after?: string };

/** Formats milliseconds as e.g. `1:02:03`. */
function formatElapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const h = Math.floor(seconds / 3_600);
  const m = Math.floor(seconds / 60) % 60;
  const s = seconds % 60;
  const two = (value: number) => String(value).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

const sinceStart = ({ startedAt }: GameSession, at: string) => Date.parse(at) - Date.parse(startedAt);

function endText({ ending, exitCode, signal }: GameSession): string {
  if (ending === "running") return styled("green", "running");
  if (ending === "exited") return exitCode === 0 ? "exited" : styled("yellow", `exited with ${exitCode}`);
  if (ending === "crashed") return styled("red", `crashed (${signal ?? exitCode})`);
  if (ending === "killed") return `killed (${signal ?? exitCode})`;
  if (ending === "unseen") return "ended while no launcher ran";
  return ending === "quiet" ? "stopped sending events" : "ended";
}

const countText = (count: number, one: string) => (count === 0 ? [] : [`${count} ${one}${count === 1 ? "" : "s"}`]);

function sessionCounts({ moments, errors, posts, events }: GameSession): string {
  const counts = [...countText(moments, "moment"), ...countText(errors, "error"), ...countText(posts, "post trigger")];
  return counts.length === 0 ? `${events} events` : counts.join(", ");
}

function sessionLine(session: GameSession): string {
  const { id, game, startedAt, endedAt, program } = session;
  const length = formatElapsed(sinceStart(session, endedAt ?? new Date().toISOString())).padStart(8);
  const name = escapeInvisible(game ?? "unsorted") + (program === null ? "" : ` (${escapeInvisible(program)})`);
  return `${localTime(startedAt)}  ${id}  ${length}  ${name}  ${sessionCounts(session)}  ${endText(session)}`;
}

function entryLine(session: GameSession, entry: TimelineEntry): string {
  const { kind, label, count, state, clip, second, issue, post } = entry;
  const times = count > 1 ? ` × ${count}` : "";
  const cells = [
    ...(clip === null ? [] : [`clip ${clip} at ${(second ?? 0).toFixed(1)} s`]),
    ...(issue === null ? [] : [`issue ${issue}`]),
    ...(post === null ? [] : [`post ${post}`]),
  ];
  const offset = formatElapsed(sinceStart(session, entry.at)).padStart(8);
  const words = kind === "monitor" ? styled("red", escapeInvisible(label)) : escapeInvisible(label);
  return `${offset}  ${kind.padEnd(9)}  ${words}${times}  ${state}${cells.length > 0 ? `  ${cells.join("  ")}` : ""}`;
}

function printTimeline({ session, entries, clips, gaps, until, forgotten, compared, issues }: Timeline): void {
  print(sessionLine(session));
  print("");
  const lines = [
    ...entries.map((entry) => ({ at: Date.parse(entry.at), line: entryLine(session, entry) })),
    ...gaps.map(({ from, to }) => {
      const length = formatElapsed(Date.parse(to) - Date.parse(from));
      const offset = formatElapsed(sinceStart(session, from)).padStart(8);
      return { at: Date.parse(from), line: styled("dim", `${offset}  … nothing for ${length}`) };
    }),
  ];
  for (const { line } of lines.sort((one, other) => one.at - other.at)) print(line);
  if (forgotten > 0) print(styled("dim", `${forgotten} of its events have been removed.`));
  if (until !== null) print(`… more: kit sessions ${session.id} --after ${until}`);
  for (const { issue, sessions } of issues) {
    if (sessions > 1) print(styled("dim", `Issue ${issue} occurred in ${sessions} of the last ${compared} sessions.`));
  }
  if (clips.length === 0) return;
  print("");
  for (const { id, kind, state, from, to, title } of clips) {
    const span = `${formatElapsed(sinceStart(session, from)).padStart(8)} to ${formatElapsed(sinceStart(session, to))}`;
    print(`${span}  ${kind} ${id}  ${escapeInvisible(title)}  ${state}`);
  }
}

async function show(id: string, { after, ...flags }: SessionsFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const timeline = await client.call(getTimeline, { params: { id }, query: after === undefined ? {} : { after } });
  if (flags.json) printJson(timeline);
  else printTimeline(timeline);
}

async function list({ limit, game, before, ...flags }: SessionsFlags): Promise<void> {
  const { client } = await connect(configFromFlags(flags));
  const query = { limit, ...(game && { game }), ...(before && { before }) };
  const { sessions, more, forgotten } = await client.call(listSessions, { query });
  if (flags.json) return printJson(sessions);
  for (const session of sessions) print(sessionLine(session));
  if (sessions.length === 0)
    print("No sessions. A session starts with a game's first event, or with `kit run -- COMMAND`.");
  else if (more) print(`… more: kit sessions --before ${sessions.at(-1)?.id}`);
  if (forgotten > 0) print(styled("dim", `${forgotten} older sessions were removed to free up space.`));
}

export function sessionsCommand(): Command {
  return command("sessions", "List the sessions of games, or show the timeline of one")
    .helpGroup(helpGroups.players)
    .argument("[id]", "show the timeline of this session")
    .option("--limit <n>", `how many to list, 1 to ${sessionsPageMax}`, integerArgument(1, sessionsPageMax), 20)
    .option("--game <game>", "only this game; `unsorted` for sessions without a game")
    .option("--before <id>", "continue after this session")
    .option("--after <cursor>", "continue a timeline after this cursor")
    .action((id: string | undefined, flags: SessionsFlags) => (id === undefined ? list(flags) : show(id, flags)));
}
