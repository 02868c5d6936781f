// The process edge: arguments in, exit code out.
import { enableCompileCache, getCompileCacheDir } from "node:module";
import { join } from "node:path";
import "./umask.ts";
import { cacheFolder, ensurePrivateFolder } from "./private-folder.ts";

/**
 * Node keeps what it compiles from here on for the next start. Node does not verify such code before it runs it, so it lies
 * where nobody but the user can put any; Node's own default is a folder that all users share.
 */
function keepCompiledCode(): void {
  // The user chose a folder by NODE_COMPILE_CACHE.
  if (getCompileCacheDir() !== undefined) return;
  try {
    enableCompileCache(ensurePrivateFolder(join(cacheFolder(process.env), "compiled"), 2));
  } catch {
    // Kit starts without it, only slower.
  }
}

keepCompiledCode();
const { runProgram } = await import("./cli/program.ts");
await runProgram(process.argv);
