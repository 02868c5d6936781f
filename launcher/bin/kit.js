#!/usr/bin/env node
// The `kit` command: the sources as they are in a checkout, so that nothing has to be built first; else the built launcher.
import { existsSync } from "node:fs";

// Node's notes on its own experimental parts are not for whoever runs a command.
process.removeAllListeners("warning");
const built = new URL("../../dist/launcher/main.js", import.meta.url);
const source = new URL("../src/main.ts", import.meta.url);
await import((existsSync(source) ? source : built).href);
