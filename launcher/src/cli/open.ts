// `kit open`: opens the dashboard of the running launcher.
import { createTicket } from "@kit/contract";
import { type Command, Option } from "commander";
import { dashboardLink, openInBrowser } from "./browser.ts";
import { connect, launcherPort, storageFailure } from "./connection.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson } from "./output.ts";

export function openCommand(): Command {
  return command("open", "Open the dashboard of the running launcher")
    .helpGroup(helpGroups.everyday)
    .addOption(new Option("--print", "print the sign-in link instead of opening it"))
    .action(async (flags: CommonFlags & { print?: boolean }) => {
      const config = configFromFlags(flags);
      const { client, health } = await connect(config);
      const { ticket, expiresAt } = await client.call(createTicket);
      const link = dashboardLink(launcherPort(config), ticket, storageFailure(health));
      if (flags.json) return printJson({ link, expiresAt });
      if (!flags.print && (await openInBrowser(config, link))) return print("The dashboard opens in your browser.");
      print(link);
    });
}
