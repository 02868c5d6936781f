// Documentation examples for the demo.
import { type Demo, getDemo, startDemo, startDemoWebhook } from "@kit/contract";
import type { Show } from "./show.ts";

const none = { clip: null, issue: null, post: null } as const;

const demo: Demo = {
  state: "played",
  second: 60,
  seconds: 60,
  window: true,
  phase: null,
  says: "The demo is over, and this became of it.",
  failed: false,
  outcomes: [
    {
      part: "boss",
      event: "019ceb4c-1b4c-7c7a-9d2e-5f0a3b8e6c41",
      state: "saved",
      reason: "13.4 s, boss defeated",
      ...none,
      clip: "019ceb4c-2f7a-7d01-8c55-0c9b6a1f7e20",
    },
  ],
  session: "019ceb45-e6f5-7d21-8c30-7e1f9a0b4c62",
};

export function showDemo(show: Show): void {
  show(getDemo, { reply: demo });
  const says = "The game starts. Its first event tells Kit that there is something to record.";
  show(startDemo, {
    reply: { ...demo, state: "playing", second: 0, phase: "started", says, outcomes: [], session: null },
  });
  show(startDemoWebhook, { reply: { url: "http://localhost:40123/posts" } });
}
