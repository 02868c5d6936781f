// Documentation examples for forwarding.
import type { ForwardTarget, ForwardTestResult } from "@kit/contract";

export const forwardTarget: ForwardTarget = {
  id: "019ceb4c-6c20-7e11-8a33-4b1f0c9d2e77",
  kind: "sentry",
  game: "my_game",
  host: "errors.example.com",
  project: "4",
  environment: "playtest",
  installation: "0b9c6c0e-2f5b-4c0e-9d0a-6f1b1f4f7f21",
  videos: false,
  enabled: true,
  createdAt: "2026-03-14T09:20:11.040Z",
  delivered: 41,
  lastDeliveredAt: "2026-03-14T09:41:07.310Z",
  waiting: 3,
  waitingBytes: 9_120,
  dropped: 0,
  lastError: "The server asks for fewer requests (429).",
  lastErrorAt: "2026-03-14T09:41:08.002Z",
  stopped: null,
  waitsUntil: "2026-03-14T09:42:08.002Z",
  waitsBecause: "rate-limit",
};

export const forwardTest: ForwardTestResult = {
  ok: true,
  says: "The server took the test report (200).",
  status: 200,
  answer: '{"id":"019ceb4c77107a2bb0c45d8e9f102233"}',
  report: "019ceb4c-7710-7a2b-b0c4-5d8e9f102233",
};
