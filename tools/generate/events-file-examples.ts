// Documentation examples for kit.events.json and rule previews.
import {
  type BodyOf,
  type EventsFile,
  exportEventsFile,
  importEventsFile,
  type Operation,
  previewRecordingRule,
  type ReplyOf,
  type RulePreview,
} from "@kit/contract";

type Show = <O extends Operation>(operation: O, example: { body?: BodyOf<O>; reply?: ReplyOf<O> }) => void;

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
