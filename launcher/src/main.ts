// The process edge: arguments in, exit code out.
import { enableCompileCache } from "node:module";

// Parsed code is kept between starts, in the system's temporary folder: of what is loaded from here on.
enableCompileCache();
const { runProgram } = await import("./cli/program.ts");
await runProgram(process.argv);
