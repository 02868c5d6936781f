// Documentation examples for forwarding.
import type { ForwardBucketTest, ForwardTarget, ForwardTestResult, Invitation, SentRequest } from "@kit/contract";

export const forwardTarget: ForwardTarget = {
  id: "019ceb4c-6c20-7e11-8a33-4b1f0c9d2e77",
  kind: "sentry",
  game: "my_game",
  host: "errors.example.com",
  project: "4",
  environment: "playtest",
  installation: "0b9c6c0e-2f5b-4c0e-9d0a-6f1b1f4f7f21",
  videos: true,
  bucket: {
    endpoint: "https://s3.eu-central-1.amazonaws.com",
    region: "eu-central-1",
    name: "lantern-videos",
    prefix: "playtest/",
    hostStyle: true,
    hasKeys: true,
  },
  earlierEvents: true,
  consent: null,
  decisions: [{ at: "2026-03-14T09:30:52.418Z", switch: "videos", on: true }],
  enabled: true,
  createdAt: "2026-03-14T09:20:11.040Z",
  delivered: 41,
  lastDeliveredAt: "2026-03-14T09:41:07.310Z",
  waiting: 3,
  waitingBytes: 9_120,
  dropped: 0,
  videoQueue: {
    sent: 2,
    lastSentAt: "2026-03-14T09:41:12.114Z",
    waiting: 1,
    unsent: 0,
    unsentBecause: null,
    unsentAt: null,
    lastError: null,
    lastErrorAt: null,
    stopped: null,
    waitsUntil: null,
    waitsBecause: null,
  },
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

export const forwardBucketTest: ForwardBucketTest = {
  ok: true,
  says: "The bucket took a file, and the link to it worked.",
};

export const invitation: Invitation = {
  version: 1,
  studio: "Lantern Games",
  text: "For the playtest of My Game until June. We keep reports for 90 days. Questions: tests@example.com",
  kind: "sentry",
  address: "https://0123456789abcdef0123456789abcdef@errors.example.com/4",
  game: "my_game",
  environment: "playtest",
  asks: ["earlierEvents", "installation", "videos"],
  bucket: {
    endpoint: "https://s3.eu-central-1.amazonaws.com",
    region: "eu-central-1",
    name: "lantern-videos",
    prefix: "playtest/",
    hostStyle: false,
  },
};

export const invitedTarget: ForwardTarget = {
  ...forwardTarget,
  consent: {
    studio: invitation.studio,
    text: invitation.text,
    version: "5f1d7a84db00d2fce00b31a7fc73224f9c1c9fd1a6b3a5b5b0d0c9a7c2f0d6e1",
    decidedAt: "2026-03-14T09:20:11.040Z",
    switches: { reports: true, earlierEvents: true, installation: true, videos: false },
  },
};

export const sentRequest: SentRequest = {
  sentAt: "2026-03-14T09:41:07.310Z",
  messages: 1,
  reports: 1,
  accepted: true,
  body: '{"event_id":"019ceb4c77107a2bb0c45d8e9f102233"}\n{"type":"event"}\n{"level":"error"}',
  chars: 81,
};
