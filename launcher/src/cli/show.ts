// `kit show ID`: prints an event and its receipt.
import { getReceipt, type Receipt } from "@kit/contract";
import type { Command } from "commander";
import { connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson, styled } from "./output.ts";

export function showCommand(): Command {
  return command("show", "Show an event and its receipt: every state that it reached")
    .helpGroup(helpGroups.developers)
    .argument("<id>", "an event's id, from `kit events` or from the response to the game")
    .action(async (id: string, flags: CommonFlags) => {
      const { client } = await connect(configFromFlags(flags));
      const receipt = await client.call(getReceipt, { params: { id } });
      if (flags.json) printJson(receipt);
      else printReceipt(receipt);
    });
}

function printReceipt({ event, states }: Receipt): void {
  const line = (name: string, value: string | null) => {
    if (value !== null) print(`${styled("bold", name.padEnd(10))} ${escapeInvisible(value)}`);
  };
  line("id", event.id);
  line("kind", event.kind);
  line("game", event.game ?? "unsorted");
  line("event id", event.eventId);
  line("message", event.payload.message ?? null);
  line("sent at", event.payload.timestamp);
  line("received", event.receivedAt);
  line("acts on", event.actsOn);
  line("origin", event.origin);
  line("client", event.client);
  for (const note of event.notes) line("note", note);
  if (!event.intact) line("damage", "the stored event does not match its checksum");
  for (const frame of event.payload.stackTrace?.split("\n").filter(Boolean) ?? []) line("stack", frame);
  print("");
  for (const { at, state, by, reason } of states) {
    print(
      `${at}  ${styled("green", state)} by ${escapeInvisible(by)}${reason === undefined ? "" : `: ${escapeInvisible(reason)}`}`,
    );
  }
}
