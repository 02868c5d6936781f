// `kit licences`: prints the licences of Kit and of the libraries in it.
import { existsSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson } from "./output.ts";

export function licencesCommand(): Command {
  return command("licences", "Print the licences of Kit and its libraries")
    .helpGroup(helpGroups.about)
    .alias("licenses")
    .action((flags: CommonFlags) => {
      const texts = configFromFlags(flags)
        .licences.filter((file) => existsSync(file))
        .map((file) => readFileSync(file, "utf8").trim());
      if (texts.length === 0)
        throw new Error("The licence texts are collected when Kit is bundled. Run: npm run bundle");
      if (flags.json) return printJson({ texts });
      for (const text of texts) print(`${text}\n`);
    });
}
