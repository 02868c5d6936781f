#!/usr/bin/env node
// The `kit` command in a checkout: the built launcher where it is newer than nothing, else the sources as they are.
import { existsSync } from "node:fs";

process.removeAllListeners("warning");
const built = new URL("../../dist/launcher/main.js", import.meta.url);
const source = new URL("../src/main.ts", import.meta.url);
await import((existsSync(source) ? source : built).href);
