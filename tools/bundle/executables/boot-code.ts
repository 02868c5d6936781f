// Bundles the boot code into one CommonJS file, the only format that Node accepts as the entry of a single executable.
import { join } from "node:path";
import { rolldown } from "rolldown";

export async function bootCode(): Promise<string> {
  const bundle = await rolldown({ input: join(import.meta.dirname, "boot/boot.ts"), platform: "node" });
  const { output } = await bundle.generate({ format: "cjs" });
  await bundle.close();
  return output[0].code;
}
