// `kit demo`: opens the demo, a small game on a page of the dashboard.
import { createTicket } from "@kit/contract";
import { openInBrowser, signInLink } from "../browser.ts";
import { answer, command } from "../command.ts";
import { launcherPort } from "../connection.ts";
import { print } from "../output.ts";

export const demoCommand = command("demo", "Open a small game that shows every feature of Kit", {
  async run({ client, config }) {
    const { ticket, expiresAt } = await client.call(createTicket);
    const link = signInLink(launcherPort(config), ticket, "demo");
    return answer({ link, expiresAt }, async () => {
      const page = `http://127.0.0.1:${launcherPort(config)}/#/demo`;
      print((await openInBrowser(config, link)) ? `The demo opens in your browser: ${page}` : link);
    });
  },
});
