// `kit sdk`: lists the packages of the bindings, and saves those of one engine.
import { createHash } from "node:crypto";
import { join } from "node:path";
import { type Binding, bindings, errorOf, listSdk, type SdkPackage, sdkPath } from "@kit/contract";
import { Argument, type Command } from "commander";
import { type Connection, connect } from "./connection.ts";
import { type CommonFlags, command, configOf } from "./options.ts";
import { print, printJson, printTable } from "./output.ts";
import { writePassedOn } from "./passed-on.ts";
import { visible } from "./visible.ts";

type SdkFlags = CommonFlags & { out: string };

async function list({ client }: Connection, flags: SdkFlags): Promise<void> {
  const sdk = await client.call(listSdk);
  if (flags.json) return printJson(sdk);
  if (sdk.packages.length + sdk.missing.length === 0) {
    return print("No packages here. Make them with `npm run bundle` where Kit lies.");
  }
  printTable(
    ["engine", "what", "version", "file", "bytes", "sha256"],
    sdk.packages.map((each) => [
      each.binding,
      each.name,
      each.version,
      each.file,
      String(each.bytes),
      each.sha256.slice(0, 16),
    ]),
  );
  for (const { binding, name, reason } of sdk.missing) print(`${visible(`${binding}: no ${name}. ${reason}`)}`);
}

/** Saves a file that has the listed checksum. Throws when it has another one, or would replace a file. */
async function save({ baseUrl }: Connection, { file, sha256 }: SdkPackage, flags: SdkFlags): Promise<string> {
  const response = await fetch(`${baseUrl}${sdkPath}${file}`);
  if (!response.ok) throw await errorOf(response);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (createHash("sha256").update(bytes).digest("hex") !== sha256) {
    throw new Error(`${file} was replaced while it was read. Try again.`);
  }
  const path = join(flags.out, file);
  await writePassedOn(path, bytes, configOf(flags).umask).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? new Error(`${path} is there already. Move it away, or give another --out.`) : error;
  });
  return path;
}

async function saveAll(connection: Connection, engine: Binding, flags: SdkFlags): Promise<void> {
  const { packages, missing } = await connection.client.call(listSdk);
  const wanted = packages.filter(({ binding }) => binding === engine);
  if (wanted.length === 0) {
    const reason = missing.find(({ binding }) => binding === engine)?.reason;
    throw new Error(`No package for ${engine}: ${reason ?? "run `npm run bundle` where Kit lies."}`);
  }
  const saved: { path: string; bytes: number; sha256: string }[] = [];
  for (const each of wanted) {
    saved.push({ path: await save(connection, each, flags), bytes: each.bytes, sha256: each.sha256 });
  }
  if (flags.json) return printJson({ saved });
  for (const { path, bytes, sha256 } of saved) print(`${visible(path)}, ${bytes} bytes, SHA-256 ${sha256}`);
}

export function sdkCommand(): Command {
  return command("sdk", "List the packages of the bindings, or save those of one engine")
    .addArgument(new Argument("[engine]", "whose packages to save").choices(bindings))
    .option("--out <dir>", "where to save them", ".")
    .action(async (engine: Binding | undefined, flags: SdkFlags) => {
      const connection = await connect(configOf(flags));
      return engine === undefined ? list(connection, flags) : saveAll(connection, engine, flags);
    });
}
