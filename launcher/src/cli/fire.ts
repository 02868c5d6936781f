// `kit fire`: sends an event exactly as a binding would: the same request, without credentials.
import {
  type EventKind,
  ingestOperations,
  KitError,
  type Problem,
  type ProblemCode,
  problems,
  requestTimeoutMs,
} from "@kit/contract";
import type { Command } from "commander";
import { launcherPort, Unreachable } from "./connection.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson } from "./output.ts";

type Answer = { status: number; body: unknown };

async function post(port: number, path: string, payload: object): Promise<Answer> {
  // Imported on demand, because loading Node's HTTP client would slow down every other command.
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

async function fire(kind: EventKind, payload: object, flags: CommonFlags): Promise<void> {
  const { status, body } = await post(launcherPort(configFromFlags(flags)), ingestOperations[kind].path, payload);
  if (status !== ingestOperations[kind].status) {
    const problem = body as Problem | undefined;
    const code = problem?.type?.replace("urn:kit:problem:", "") ?? "";
    throw new KitError(
      (code in problems ? code : "internal") as ProblemCode,
      problem?.detail ?? `The launcher answered ${status}.`,
    );
  }
  if (flags.json) return printJson(body);
  const { id, status: outcome, reason } = body as { id: string; status: string; reason?: string };
  print(`${outcome}${reason === undefined ? "" : ` (${reason})`}  ${id}`);
}

const timestamp = () => new Date().toISOString();

export function fireCommand(): Command {
  const trigger = (kind: "recording" | "social", description: string) =>
    command(kind, description)
      .argument("<event-id>", "by convention <game>_<event>, e.g. mygame_boss_defeated")
      .action((eventId: string, flags: CommonFlags) => fire(kind, { eventId, timestamp: timestamp() }, flags));
  const report = command("monitor", "Report an error")
    .argument("<message>", "the error message")
    .argument("[stack-trace]", "the stack trace", "")
    .action((message: string, stackTrace: string, flags: CommonFlags) =>
      fire("monitor", { message, stackTrace, timestamp: timestamp() }, flags),
    );
  return command("fire", "Send an event exactly as a game's binding would")
    .helpGroup(helpGroups.developers)
    .addCommand(trigger("recording", "Trigger a recording event"))
    .addCommand(report)
    .addCommand(trigger("social", "Trigger a social event"));
}
