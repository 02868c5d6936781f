// Documentation examples for the game library, kit.events.json and rule previews.
import {
  addLibraryGame,
  allSwitchesOn,
  changeLibraryGame,
  type EventsFile,
  exportEventsFile,
  importEventsFile,
  type LibraryGame,
  listLibrary,
  playGame,
  previewRecordingRule,
  type RulePreview,
  setCover,
} from "@kit/contract";
import type { Show } from "./show.ts";

const eventId = "my_game_boss_defeated";

const file: EventsFile = {
  kitEvents: 1,
  game: "my_game",
  name: "My Game",
  events: {
    [eventId]: {
      label: "Boss defeated",
      icon: "sword",
      recording: { preSeconds: 20, priority: 900 },
      post: { text: "{{event}} in {{game}}!" },
    },
    my_game_secret_found: { label: "Secret found", recording: { action: "screenshot" } },
  },
};

const preview: RulePreview = {
  moments: [
    {
      id: "019ceb4c-1b4c-7c7a-9d2e-5f0a3b8e6c41",
      at: "2026-03-14T09:26:53.589Z",
      became: "clip",
      reason: null,
      clip: 0,
    },
  ],
  clips: [{ from: "2026-03-14T09:26:33.589Z", to: "2026-03-14T09:26:58.589Z", seconds: 25, moments: 1, others: 0 }],
};

export function showEventsFile(show: Show): void {
  show(exportEventsFile, { reply: file });
  show(importEventsFile, {
    body: file,
    reply: {
      changes: [{ eventId, what: "recording.preSeconds", from: "12 s", to: "20 s" }],
      before: { kitEvents: 1, game: "my_game", name: null, events: { [eventId]: {}, my_game_secret_found: {} } },
    },
  });
  show(previewRecordingRule, { body: { eventId, preSeconds: 20 }, reply: preview });
}

const command = {
  program: "/home/ada/games/my_game/my_game.x86_64",
  arguments: ["--windowed"],
  folder: "/home/ada/games/my_game",
};

const game: LibraryGame = {
  game: "my_game",
  name: "My Game",
  named: true,
  registered: true,
  switches: allSwitchesOn,
  cover: "picture",
  coverVersion: "Jq0yJ1rW3dVbq5oUuYHnLA",
  icon: "b1wQm7sTz0pX4nUeYh2RkA",
  command,
  commandFrom: "person",
  playing: false,
  session: "019ceb45-e6f5-7d21-8c30-7e1f9a0b4c62",
  lastPlayedAt: "2026-03-14T09:20:02.117Z",
  sessions: 14,
  playedSeconds: 31_260,
  clips: 22,
  issues: 3,
  drafts: 1,
};

export function showLibrary(show: Show): void {
  show(listLibrary, { reply: { games: [game] } });
  show(addLibraryGame, { body: { pid: 41_188, name: "My Game" }, reply: game });
  show(changeLibraryGame, { body: { game: "my_game", name: "My Game", command }, reply: game });
  show(playGame, { reply: { pid: 41_190 } });
  show(setCover, { body: { clip: "019ceb4c-2f10-7a44-b1c2-0d9e8f7a6b5c" }, reply: game });
}
