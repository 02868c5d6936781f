// `kit sdk`: lists the packages of the bindings, or saves those of one engine.

import { createHash } from "node:crypto";
import { join } from "node:path";
import {
  type Binding,
  bindings,
  type Client,
  errorFromResponse,
  listSdk,
  type SdkPackage,
  sdkPath,
} from "@kit/contract";
import { answer, command, parameter, textFlag, withDefault } from "../command.ts";
import type { LauncherConnection } from "../connection.ts";
import { writeNewFile } from "../new-file.ts";
import { escapeInvisible, print, printTable, say } from "../output.ts";

async function list(client: Client) {
  return answer(await client.call(listSdk), ({ packages, missing }) => {
    if (packages.length + missing.length === 0)
      return print("This Kit has no packages. Build them with `npm run bundle` in Kit's source folder.");
    printTable(
      ["engine", "package", "version", "file", "bytes", "sha256"],
      packages.map(({ binding, name, version, file, bytes, sha256 }) => [
        binding,
        name,
        version,
        file,
        String(bytes),
        sha256.slice(0, 16),
      ]),
    );
    for (const { binding, name, reason } of missing) print(escapeInvisible(`${binding}: no ${name}. ${say(reason)}`));
  });
}

/** Downloads a package. Throws if its checksum is not the listed one. */
async function download({ baseUrl, fetch }: LauncherConnection, { file, sha256 }: SdkPackage): Promise<Buffer> {
  const response = await fetch(`${baseUrl}${sdkPath}${file}`);
  if (!response.ok) throw await errorFromResponse(response);
  const content = Buffer.from(await response.arrayBuffer());
  if (createHash("sha256").update(content).digest("hex") === sha256) return content;
  throw new Error(`${file} changed during the download. Try again.`);
}

async function saveAll(connection: LauncherConnection, engine: Binding, out: string, umask: number) {
  const { packages, missing } = await connection.client.call(listSdk);
  const wanted = packages.filter(({ binding }) => binding === engine);
  if (wanted.length === 0) {
    const reason = missing.find(({ binding }) => binding === engine)?.reason;
    throw new Error(`No package for ${engine}: ${reason ?? "run `npm run bundle` in Kit's source folder."}`);
  }
  const saved: { path: string; bytes: number; sha256: string }[] = [];
  for (const each of wanted) {
    const path = join(out, each.file);
    await writeNewFile(path, await download(connection, each), { advice: "use another --out", umask });
    saved.push({ path, bytes: each.bytes, sha256: each.sha256 });
  }
  return answer({ saved }, () => {
    for (const { path, bytes, sha256 } of saved) print(`${escapeInvisible(path)}, ${bytes} bytes, SHA-256 ${sha256}`);
  });
}

export const sdkCommand = command("sdk", "List the packages of the bindings, or save those of one engine", {
  group: "developers",
  parameters: [parameter("[engine]", "the engine whose packages to save", bindings)],
  flags: { out: withDefault(textFlag("--out <dir>", "the folder to save them in"), ".") },
  run: async ({ client, connect, config, flags }, engine) =>
    engine === undefined ? list(client) : saveAll(await connect(), engine, flags.out, config.umask),
});
