// `kit licences`: prints the licences of Kit and of the libraries in it.
import { existsSync, readFileSync } from "node:fs";
import { answer, command } from "../command.ts";
import { print } from "../output.ts";

export const licencesCommand = command("licences", "Print the licences of Kit and its libraries", {
  run({ config }) {
    const texts = config.licences.filter((file) => existsSync(file)).map((file) => readFileSync(file, "utf8").trim());
    if (texts.length === 0) throw new Error("The licence texts are collected when Kit is bundled. Run: npm run bundle");
    return answer({ texts }, () => {
      for (const text of texts) print(`${text}\n`);
    });
  },
}).alias("licenses");
