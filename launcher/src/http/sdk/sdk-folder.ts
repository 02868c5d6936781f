// Lists and reads the bindings' packages. Reads the folder on every call, because a later bundle may replace the files.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { SdkIndex, type SdkMissing, type SdkPackage } from "@kit/contract";
import { assertValid } from "../validation.ts";

export type SdkFolder = {
  /** Lists the available packages; empty if no bundle was built. */
  list(): Promise<SdkIndex>;
  /** Returns the bytes of a listed file, or undefined for any other name. Never rejects. */
  read(file: string): Promise<Buffer | undefined>;
};

const hashOf = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
const damaged = "The file is missing or damaged. Run `npm run bundle` in Kit's folder.";

export function createSdkFolder(folder: string): SdkFolder {
  const index = async (): Promise<SdkIndex> => {
    try {
      const read: unknown = JSON.parse(await readFile(join(folder, "index.json"), "utf8"));
      assertValid(SdkIndex, read);
      return read as SdkIndex;
    } catch {
      return { packages: [], missing: [] };
    }
  };
  /** Returns undefined if the bytes do not match the checksum in the list. */
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
      // Only a listed name is used as a path, never text from the request.
      const listed = (await index()).packages.find((each) => each.file === file);
      return listed && bytesOf(listed);
    },
  };
}
