// `kit fire`: sends an event exactly as a binding would: the same request, without credentials.
import {
  type EventKind,
  ingestOperations,
  KitError,
  type Problem,
  type ProblemCode,
  problemsByCode,
  requestTimeoutMs,
} from "@kit/contract";
import type { Config } from "../../config.ts";
import { answer, command, parameter } from "../command.ts";
import { launcherPort, Unreachable } from "../connection.ts";

type Response = { status: number; body: unknown };

async function post(port: number, path: string, payload: object): Promise<Response> {
  // Imported only here, because loading Node's HTTP client would slow every other command down.
  const { request } = await import("node:http");
  const body = Buffer.from(JSON.stringify(payload));
  const headers = { "content-type": "application/json", "content-length": body.length, "user-agent": "kit-fire" };
  return new Promise((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method: "POST", headers, timeout: requestTimeoutMs });
    sent.once("timeout", () => sent.destroy(new Error("no answer within 5 seconds")));
    sent.once("error", (error) =>
      reject(new Unreachable(`The launcher on port ${port} did not answer: ${error.message}.`)),
    );
    sent.once("response", async (response) => {
      const text = (await response.toArray()).join("");
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        value = undefined;
      }
      resolve({ status: response.statusCode ?? 0, body: value });
    });
    sent.end(body);
  });
}

async function fire(config: Config, kind: EventKind, event: object) {
  const payload = { ...event, timestamp: new Date().toISOString() };
  const { status, body } = await post(launcherPort(config), ingestOperations[kind].path, payload);
  if (status !== ingestOperations[kind].status) {
    const problem = body as Problem | undefined;
    const code = problem?.type?.replace("urn:kit:problem:", "") ?? "";
    throw new KitError(
      (code in problemsByCode ? code : "internal") as ProblemCode,
      problem?.detail ?? `The launcher answered ${status}.`,
    );
  }
  const { id, status: outcome, reason } = body as { id: string; status: string; reason?: string };
  return answer(body, `${outcome}${reason === undefined ? "" : ` (${reason})`}  ${id}`);
}

const trigger = (kind: "recording" | "social", summary: string) =>
  command(kind, summary, {
    parameters: [parameter("<event-id>", "by convention <game>_<event>, e.g. mygame_boss_defeated")],
    run: ({ config }, eventId) => fire(config, kind, { eventId }),
  });

const report = command("monitor", "Report an error", {
  parameters: [parameter("<message>", "the error message"), parameter("[stack-trace]", "the stack trace")],
  run: ({ config }, message, stackTrace = "") => fire(config, "monitor", { message, stackTrace }),
});

export const fireCommand = command("fire", "Send an event exactly as a game's binding would", {
  subcommands: [trigger("recording", "Trigger a recording event"), report, trigger("social", "Trigger a social event")],
});
