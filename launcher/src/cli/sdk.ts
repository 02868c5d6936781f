// `kit sdk`: lists the packages of the bindings, or saves those of one engine.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Binding, bindings, errorOf, listSdk, type SdkPackage, sdkPath } from "@kit/contract";
import { Argument, type Command } from "commander";
import { type Connection, connect } from "./connection.ts";
import { escapeInvisible } from "./escape.ts";
import { type CommonFlags, command, configFromFlags, helpGroups } from "./options.ts";
import { print, printJson, printTable } from "./output.ts";
import { writeSharedFile } from "./shared-file.ts";

type SdkFlags = CommonFlags & { out: string };

async function list({ client }: Connection, flags: SdkFlags): Promise<void> {
  const sdk = await client.call(listSdk);
  if (flags.json) return printJson(sdk);
  if (sdk.packages.length + sdk.missing.length === 0) {
    return print("This Kit has no packages. Build them with `npm run bundle` in Kit's source folder.");
  }
  printTable(
    ["engine", "package", "version", "file", "bytes", "sha256"],
    sdk.packages.map((each) => [
      each.binding,
      each.name,
      each.version,
      each.file,
      String(each.bytes),
      each.sha256.slice(0, 16),
    ]),
  );
  for (const { binding, name, reason } of sdk.missing) print(`${escapeInvisible(`${binding}: no ${name}. ${reason}`)}`);
}

/** Downloads a package. Throws if its checksum differs from the listed one, or if the file already exists. */
async function save({ baseUrl }: Connection, { file, sha256 }: SdkPackage, flags: SdkFlags): Promise<string> {
  const response = await fetch(`${baseUrl}${sdkPath}${file}`);
  if (!response.ok) throw await errorOf(response);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (createHash("sha256").update(bytes).digest("hex") !== sha256) {
    throw new Error(`${file} changed during the download. Try again.`);
  }
  const path = join(flags.out, file);
  await writeSharedFile(path, bytes, configFromFlags(flags).umask).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? new Error(`${path} already exists. Move it, or use another --out.`) : error;
  });
  return path;
}

async function saveAll(connection: Connection, engine: Binding, flags: SdkFlags): Promise<void> {
  const { packages, missing } = await connection.client.call(listSdk);
  const wanted = packages.filter(({ binding }) => binding === engine);
  if (wanted.length === 0) {
    const reason = missing.find(({ binding }) => binding === engine)?.reason;
    throw new Error(`No package for ${engine}: ${reason ?? "run `npm run bundle` in Kit's source folder."}`);
  }
  const saved: { path: string; bytes: number; sha256: string }[] = [];
  for (const each of wanted) {
    saved.push({ path: await save(connection, each, flags), bytes: each.bytes, sha256: each.sha256 });
  }
  if (flags.json) return printJson({ saved });
  for (const { path, bytes, sha256 } of saved) print(`${escapeInvisible(path)}, ${bytes} bytes, SHA-256 ${sha256}`);
}

export function sdkCommand(): Command {
  return command("sdk", "List the packages of the bindings, or save those of one engine")
    .helpGroup(helpGroups.developers)
    .addArgument(new Argument("[engine]", "the engine whose packages to save").choices(bindings))
    .option("--out <dir>", "the folder to save them in", ".")
    .action(async (engine: Binding | undefined, flags: SdkFlags) => {
      const connection = await connect(configFromFlags(flags));
      return engine === undefined ? list(connection, flags) : saveAll(connection, engine, flags);
    });
}
