// `kit show ID`: one event's receipt.
import { getReceipt, type Receipt } from "@kit/contract";
import type { Command } from "commander";
import { connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, styled } from "./output.ts";
import { visible } from "./visible.ts";

export function showCommand(): Command {
  return command("show", "Show an event's receipt: every state it went through")
    .argument("<id>", "the id from the acknowledgement")
    .action(async (id: string, flags: CommonFlags) => {
      const { client } = await connect(configOf(flags));
      const receipt = await client.call(getReceipt, { params: { id } });
      if (flags.json) printJson(receipt);
      else printReceipt(receipt);
    });
}

function printReceipt({ event, states }: Receipt): void {
  const line = (name: string, value: string | null) => {
    if (value !== null) print(`${styled("bold", name.padEnd(10))} ${visible(value)}`);
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
  if (!event.intact) line("damage", "the stored payload does not match its checksum");
  for (const frame of event.payload.stackTrace?.split("\n").filter(Boolean) ?? []) line("stack", frame);
  print("");
  for (const { at, state, by, reason } of states) {
    print(`${at}  ${styled("green", state)} by ${visible(by)}${reason === undefined ? "" : `: ${visible(reason)}`}`);
  }
}
