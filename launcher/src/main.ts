// The entry point of the process.
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { join } from "node:path";
import "./process/umask.ts";
import { cacheFolder, ensurePrivateFolder } from "./private-folder.ts";
import { ignoreProxies } from "./process/proxy.ts";

/**
 * Makes Node cache compiled code for the next start. Node does not verify cached code, so the folder must be writable only by
 * the user; Node's own default is shared by all users.
 */
function keepCompiledCode(): void {
  // Node already uses a folder that the user chose with NODE_COMPILE_CACHE.
  if (getCompileCacheDir() !== undefined) return;
  try {
    enableCompileCache(ensurePrivateFolder(join(cacheFolder(process.env), "compiled"), 2));
  } catch {
    // Without the cache, Kit only starts slower.
  }
}

keepCompiledCode();
await ignoreProxies(process.env, process.execArgv);
const { runProgram } = await import("./cli/program.ts");
const { env, stdin, stdout, stderr } = process;
process.exitCode = await runProgram(process.argv.slice(2), { env, stdin, stdout, stderr });
