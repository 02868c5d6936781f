// Faults in the handling of responses, and of missing responses.
import type { IncomingMessage } from "node:http";
import type { Kit } from "../../reference/binding.ts";
import { change, type Faults } from "./change.ts";

/** Runs an action on each response before it is discarded. */
const beforehand = (kit: Kit, what: (answer: IncomingMessage, url: string, body: string) => void) =>
  change(kit, "onAnswer", (onAnswer) => (answer, url, body) => {
    what(answer, url, body);
    onAnswer(answer, url, body);
  });

export const answerFaults = {
  "shows-errors": (kit) =>
    change(
      kit,
      "onFailure",
      () =>
        ({ message }) =>
          console.error(message),
    ),
  crashes: (kit) =>
    change(kit, "onFailure", () => (error) => {
      throw error;
    }),
  "takes-answers-for-json": (kit) =>
    change(kit, "onAnswer", () => (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () => JSON.parse(Buffer.concat(chunks).toString()));
    }),
  "reads-without-end": (kit) => change(kit, "onAnswer", () => (answer) => void answer.resume()),
  "follows-redirects": (kit) =>
    beforehand(kit, ({ headers }, url, body) => {
      if (headers.location !== undefined && headers.location !== url) kit.post(headers.location, body);
    }),
  retries: (kit) =>
    beforehand(kit, ({ statusCode = 0 }, url, body) => {
      if (statusCode >= 500) kit.post(url, body);
    }),
  "resends-what-broke": (kit) => {
    const again = new Set<string>();
    change(kit, "onFailure", () => (_, url, body) => {
      if (again.has(body)) return;
      again.add(body);
      kit.post(url, body);
    });
  },
  "no-timeout": (kit) => change(kit, "timeoutMs", () => 60_000),
  "hasty-timeout": (kit) => change(kit, "timeoutMs", () => 1_000),
} satisfies Faults;
