// `kit sessions`: the runs of games, and all that happened in one.
import {
  type GameSession,
  getTimeline,
  listSessions,
  sessionsPageMax,
  type Timeline,
  type TimelineEntry,
} from "@kit/contract";
import type { Command } from "commander";
import { readWhole } from "./arguments.ts";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { localTime, print, printJson, styled } from "./output.ts";
import { visible } from "./visible.ts";

type SessionsFlags = CommonFlags & { limit: number; game?: string; before?: string; after?: string };

/** 1:02:03 */
function lengthOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const h = Math.floor(seconds / 3_600);
  const m = Math.floor(seconds / 60) % 60;
  const s = seconds % 60;
  const two = (value: number) => String(value).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

const sinceStart = ({ startedAt }: GameSession, at: string) => Date.parse(at) - Date.parse(startedAt);

function endText({ ending, exitCode, signal }: GameSession): string {
  if (ending === "running") return styled("green", "goes on");
  if (ending === "exited") return exitCode === 0 ? "exited" : styled("yellow", `exited with ${exitCode}`);
  if (ending === "crashed") return styled("red", `crashed (${signal ?? exitCode})`);
  if (ending === "killed") return `was ended (${signal ?? exitCode})`;
  if (ending === "unseen") return "ended while no launcher ran";
  return ending === "quiet" ? "fell silent" : "ended";
}

const counted = (count: number, one: string) => (count === 0 ? [] : [`${count} ${one}${count === 1 ? "" : "s"}`]);

function countsOf({ moments, errors, posts, events }: GameSession): string {
  const counts = [...counted(moments, "moment"), ...counted(errors, "error"), ...counted(posts, "post trigger")];
  return counts.length === 0 ? `${events} events` : counts.join(", ");
}

function sessionLine(session: GameSession): string {
  const { id, game, startedAt, endedAt, program } = session;
  const length = lengthOf(sinceStart(session, endedAt ?? new Date().toISOString())).padStart(8);
  const name = visible(game ?? "unsorted") + (program === null ? "" : ` (${visible(program)})`);
  return `${localTime(startedAt)}  ${id}  ${length}  ${name}  ${countsOf(session)}  ${endText(session)}`;
}

function entryLine(session: GameSession, entry: TimelineEntry): string {
  const { kind, label, count, state, clip, second, issue, post } = entry;
  const times = count > 1 ? ` × ${count}` : "";
  const cells = [
    ...(clip === null ? [] : [`clip ${clip} at ${(second ?? 0).toFixed(1)} s`]),
    ...(issue === null ? [] : [`issue ${issue}`]),
    ...(post === null ? [] : [`post ${post}`]),
  ];
  const offset = lengthOf(sinceStart(session, entry.at)).padStart(8);
  const words = kind === "monitor" ? styled("red", visible(label)) : visible(label);
  return `${offset}  ${kind.padEnd(9)}  ${words}${times}  ${state}${cells.length > 0 ? `  ${cells.join("  ")}` : ""}`;
}

function printTimeline({ session, entries, clips, gaps, until, forgotten, compared, issues }: Timeline): void {
  print(sessionLine(session));
  print("");
  const lines = [
    ...entries.map((entry) => ({ at: Date.parse(entry.at), line: entryLine(session, entry) })),
    ...gaps.map(({ from, to }) => {
      const length = lengthOf(Date.parse(to) - Date.parse(from));
      const offset = lengthOf(sinceStart(session, from)).padStart(8);
      return { at: Date.parse(from), line: styled("dim", `${offset}  … nothing for ${length}`) };
    }),
  ];
  for (const { line } of lines.sort((one, other) => one.at - other.at)) print(line);
  if (forgotten > 0) print(styled("dim", `${forgotten} of its events are no longer kept.`));
  if (until !== null) print(`… more: kit sessions ${session.id} --after ${until}`);
  for (const { issue, sessions } of issues) {
    if (sessions > 1) print(styled("dim", `Issue ${issue} occurred in ${sessions} of the last ${compared} sessions.`));
  }
  if (clips.length === 0) return;
  print("");
  for (const { id, kind, state, from, to, title } of clips) {
    const span = `${lengthOf(sinceStart(session, from)).padStart(8)} to ${lengthOf(sinceStart(session, to))}`;
    print(`${span}  ${kind} ${id}  ${visible(title)}  ${state}`);
  }
}

async function show(id: string, { after, ...flags }: SessionsFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const timeline = await client.call(getTimeline, { params: { id }, query: after === undefined ? {} : { after } });
  if (flags.json) printJson(timeline);
  else printTimeline(timeline);
}

async function list({ limit, game, before, ...flags }: SessionsFlags): Promise<void> {
  const { client } = await connect(configOf(flags));
  const query = { limit, ...(game && { game }), ...(before && { before }) };
  const { sessions, more, forgotten } = await client.call(listSessions, { query });
  if (flags.json) return printJson(sessions);
  for (const session of sessions) print(sessionLine(session));
  if (sessions.length === 0) print("No sessions. One begins with a game's first event, or with `kit run -- COMMAND`.");
  else if (more) print(`… more: kit sessions --before ${sessions.at(-1)?.id}`);
  if (forgotten > 0) print(styled("dim", `${forgotten} older ones went to make room.`));
}

export function sessionsCommand(): Command {
  return command("sessions", "List the runs of games, or show all that happened in one")
    .argument("[id]", "a session's id: its timeline")
    .option("--limit <n>", `how many, 1 to ${sessionsPageMax}`, readWhole(1, sessionsPageMax), 20)
    .option("--game <game>", "only this game; `unsorted` for those without one")
    .option("--before <id>", "only those that began before this one")
    .option("--after <place>", "of a timeline: what comes behind the part that was shown")
    .action((id: string | undefined, flags: SessionsFlags) => (id === undefined ? list(flags) : show(id, flags)));
}
