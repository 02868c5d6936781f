// `kit show ID`: prints an event and its receipt.

import { getReceipt, type Receipt } from "@kit/contract";
import { answer, command, parameter } from "../command.ts";
import { createFieldPrinter, escapeInvisible, print, say, withStyle } from "../output.ts";

function printReceipt({ event, states }: Receipt): void {
  const line = createFieldPrinter(10);
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
  for (const note of event.notes) line("note", say(note));
  if (!event.intact) line("damage", "the stored event does not match its checksum");
  for (const frame of event.payload.stackTrace?.split("\n") ?? []) line("stack", frame);
  print("");
  for (const { at, state, by, reason } of states) {
    print(
      `${at}  ${withStyle("green", state)} by ${escapeInvisible(by)}${reason === undefined ? "" : `: ${escapeInvisible(say(reason))}`}`,
    );
  }
}

export const showCommand = command("show", "Show an event and its receipt: every state that it reached", {
  group: "developers",
  parameters: [parameter("<id>", "an event's id, from `kit events` or from the response to the game")],
  async run({ client }, id) {
    return answer(await client.call(getReceipt, { params: { id } }), printReceipt);
  },
});
