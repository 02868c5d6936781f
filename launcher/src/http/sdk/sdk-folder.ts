// The packages of the bindings as a bundle left them. Looked at anew for every question: a later bundle may replace them.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { SdkIndex, type SdkMissing, type SdkPackage } from "@kit/contract";
import { assertFits } from "../validation.ts";

export type SdkFolder = {
  /** What can be had. Nothing at all where no bundle was made. */
  list(): Promise<SdkIndex>;
  /** The bytes of a listed file; undefined for any other name. Never rejects. */
  read(file: string): Promise<Buffer | undefined>;
};

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const damaged = "The file is gone or damaged. Run `npm run bundle` where Kit lies.";

export function createSdkFolder(folder: string): SdkFolder {
  const index = async (): Promise<SdkIndex> => {
    try {
      const read: unknown = JSON.parse(await readFile(join(folder, "index.json"), "utf8"));
      assertFits(SdkIndex, read);
      return read as SdkIndex;
    } catch {
      return { packages: [], missing: [] };
    }
  };
  /** The checksum a person compares with is the one of the list: other bytes are not given out under it. */
  const bytesOf = async ({ file, sha256 }: SdkPackage): Promise<Buffer | undefined> => {
    const bytes = await readFile(join(folder, file)).catch(() => undefined);
    return bytes !== undefined && hashOf(bytes) === sha256 ? bytes : undefined;
  };
  return {
    async list() {
      const { packages, missing } = await index();
      const there: SdkPackage[] = [];
      const gone: SdkMissing[] = [];
      for (const each of packages) {
        if ((await bytesOf(each)) !== undefined) there.push(each);
        else gone.push({ binding: each.binding, name: each.name, reason: damaged });
      }
      return { packages: there, missing: [...missing, ...gone] };
    },
    async read(file) {
      // Compared as a whole: nothing of an address ever becomes part of a path.
      const listed = (await index()).packages.find((each) => each.file === file);
      return listed && bytesOf(listed);
    },
  };
}
