// `kit open`: opens the dashboard of the running launcher.
import { createTicket } from "@kit/contract";
import { dashboardLink, openInBrowser } from "../browser.ts";
import { answer, command, toggleFlag } from "../command.ts";
import { launcherPort, whyStorageFails } from "../connection.ts";
import { print } from "../output.ts";

export const openCommand = command("open", "Open the dashboard of the running launcher", {
  flags: { print: toggleFlag("--print", "print the sign-in link instead of opening it") },
  async run({ connect, config, flags }) {
    const { client, health } = await connect();
    const { ticket, expiresAt } = await client.call(createTicket);
    const link = dashboardLink(launcherPort(config), ticket, whyStorageFails(health));
    return answer({ link, expiresAt }, async () => {
      const isOpen = !flags.print && (await openInBrowser(config, link));
      print(isOpen ? "The dashboard opens in your browser." : link);
    });
  },
});
