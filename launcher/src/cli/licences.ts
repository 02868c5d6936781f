// `kit licences`: prints the licences of Kit and of everything it holds.
import { existsSync, readFileSync } from "node:fs";
import type { Command } from "commander";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson } from "./output.ts";

export function licencesCommand(): Command {
  return command("licences", "Print the licences of Kit and of the libraries it holds")
    .alias("licenses")
    .action((flags: CommonFlags) => {
      const texts = configOf(flags)
        .licences.filter((file) => existsSync(file))
        .map((file) => readFileSync(file, "utf8").trim());
      if (texts.length === 0)
        throw new Error("This Kit was not bundled, so the texts are not gathered. Run: npm run bundle");
      if (flags.json) return printJson({ texts });
      for (const text of texts) print(`${text}\n`);
    });
}
