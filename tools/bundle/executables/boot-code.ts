// Bundles what an executable runs first into one CommonJS text: Node takes no other form inside an executable that requires files.
import { join } from "node:path";
import { rolldown } from "rolldown";

export async function bootCode(): Promise<string> {
  const bundle = await rolldown({ input: join(import.meta.dirname, "boot/boot.ts"), platform: "node" });
  const { output } = await bundle.generate({ format: "cjs" });
  await bundle.close();
  return output[0].code;
}
