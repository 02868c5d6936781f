// Support: a simulated registry of Windows; the real reg.exe is not run.
import { writeFileSync } from "node:fs";
import type { RunProgram } from "../entry.ts";

export function openRegistry() {
  const values = new Map<string, string>();
  const run: RunProgram = async (_program, [verb = "", key = "", ...rest]) => {
    const after = (flag: string) => rest[rest.indexOf(flag) + 1] ?? "";
    if (verb === "add") values.set(`${key}\\${after("/v")}`, after("/d"));
    if (verb === "delete") return values.delete(`${key}\\${after("/v")}`) ? 0 : 1;
    if (verb !== "export") return 0;
    const inKey = [...values].filter(([name]) => name.startsWith(`${key}\\`));
    const escaped = (text: string) => text.replaceAll(/[\\"]/gu, "\\$&");
    const lines = inKey.map(([name, value]) => `"${escaped(name.slice(key.length + 1))}"="${escaped(value)}"`);
    writeFileSync(
      rest[0] ?? "",
      `\ufeffWindows Registry Editor Version 5.00\r\n\r\n${lines.join("\r\n")}\r\n`,
      "utf16le",
    );
    return inKey.length > 0 ? 0 : 1;
  };
  return { values, run };
}
