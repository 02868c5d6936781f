// Documentation examples for game sessions.
import {
  type GameSession,
  getSession,
  getTimeline,
  listSessions,
  type RunReport,
  reportRun,
  type Timeline,
} from "@kit/contract";
import type { Show } from "./show.ts";

const startedAt = "2026-03-14T09:20:02.117Z";

const gameSession: GameSession = {
  id: "019ceb45-e6f5-7d21-8c30-7e1f9a0b4c62",
  game: "my_game",
  knownBy: "run",
  program: "my_game",
  startedAt,
  lastEventAt: "2026-03-14T09:41:07.310Z",
  endedAt: "2026-03-14T09:41:07.310Z",
  ending: "crashed",
  exitCode: null,
  signal: "SIGSEGV",
  crash: "019ceb4c-4f00-7b1d-8e21-6a5c4d3b2f10",
  events: 2,
  errors: 1,
  moments: 1,
  posts: 0,
};

const runReport: RunReport = {
  run: "8f14e45f-ceea-467f-a0d6-3b1c2d9e5a70",
  game: "my_game",
  program: "my_game",
  likeness: "b1Yf3kq0T7mZpQxW8dJr5uVnCe2sLhGa",
  pid: 41_207,
  startedAt,
  ended: {
    at: "2026-03-14T09:41:07.310Z",
    exitCode: null,
    signal: "SIGSEGV",
    output: "Loading the vault\nERROR: Index p_index = 3 is out of bounds (size() = 3).",
  },
};

const clip = "019ceb4c-2f10-7a44-b1c2-0d9e8f7a6b5c";

const timeline: Timeline = {
  session: gameSession,
  entries: [
    {
      at: "2026-03-14T09:26:53.589Z",
      kind: "recording",
      id: "019ceb4c-1b4c-7c7a-9d2e-5f0a3b8e6c41",
      eventId: "my_game_boss_defeated",
      label: "boss defeated",
      state: "saved",
      count: 1,
      clip,
      second: 12,
      issue: null,
      post: null,
    },
    {
      at: "2026-03-14T09:41:07.310Z",
      kind: "monitor",
      id: "019ceb4c-4f00-7b1d-8e21-6a5c4d3b2f10",
      eventId: null,
      label: "my_game crashed: SIGSEGV, invalid memory access",
      state: "grouped",
      count: 1,
      clip: null,
      second: null,
      issue: "019ceb4c-31aa-7c3e-9a40-2d9f6b1c8e55",
      post: null,
    },
  ],
  clips: [
    {
      id: clip,
      kind: "clip",
      state: "saved",
      from: "2026-03-14T09:26:41.589Z",
      to: "2026-03-14T09:26:58.589Z",
      subject: "highlight",
      title: "Boss defeated",
      priority: 500,
      pinned: false,
      poster: true,
    },
  ],
  gaps: [
    { from: startedAt, to: "2026-03-14T09:26:41.589Z" },
    { from: "2026-03-14T09:26:58.589Z", to: "2026-03-14T09:41:07.310Z" },
  ],
  until: null,
  forgotten: 0,
  compared: 5,
  issues: [{ issue: "019ceb4c-31aa-7c3e-9a40-2d9f6b1c8e55", sessions: 1 }],
};

export function showSessions(show: Show): void {
  show(listSessions, { reply: { sessions: [gameSession], more: false, forgotten: 0 } });
  show(getSession, { reply: gameSession });
  show(getTimeline, { reply: timeline });
  show(reportRun, { body: runReport, reply: gameSession });
}
