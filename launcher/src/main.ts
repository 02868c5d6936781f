// The process edge: arguments in, exit code out.
import { enableCompileCache } from "node:module";
import { runProgram } from "./cli/program.ts";

// Parsed code is kept between starts; the cache's place is the system's temporary folder.
enableCompileCache();
await runProgram(process.argv);
