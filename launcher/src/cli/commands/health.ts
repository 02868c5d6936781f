// `kit health`: prints the status of the running launcher.

import { answer, command } from "../command.ts";
import { escapeInvisible, print, say } from "../output.ts";

export const healthCommand = command("health", "Show the status of the running launcher", {
  group: "about",
  async run({ connect }) {
    const { health, baseUrl } = await connect();
    const { proof: _, ...shown } = health;
    return answer(shown, ({ version, storage, capabilities, dropped }) => {
      print(`Kit ${escapeInvisible(version)} on ${baseUrl}`);
      print(
        `storage: ${storage.state}${storage.detail === undefined ? "" : `: ${escapeInvisible(say(storage.detail))}`}`,
      );
      for (const notice of storage.notices) print(`notice: ${escapeInvisible(say(notice))}`);
      print(`capabilities: ${capabilities.map(escapeInvisible).join(", ")}`);
      print(
        `dropped: ${dropped.evicted} connections evicted, ${dropped.refusals} refusals no longer shown, ${dropped.events} oldest events removed`,
      );
    });
  },
});
