// What starting with the system is made with: the command of this launcher, and the system it runs on.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createAutostart } from "../autostart/autostart.ts";
import { autostartRoutes } from "../autostart/routes.ts";
import type { Config } from "../config.ts";
import type { Route } from "../http/route.ts";

/** A system's own program that does not answer must not hold up a person. */
const answerWithinMs = 5_000;

const run = (program: string, args: readonly string[]): Promise<number | undefined> =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: answerWithinMs, windowsHide: true }, (error) => {
      if (error === null) resolve(0);
      else resolve(typeof error.code === "number" ? error.code : undefined);
    });
  });

/** The same data, clips and port as now, whatever the environment of the next start says. */
function startCommand({ ownCommand, dataDir, clipsDir, port }: Config): string[] {
  const clips = clipsDir === join(dataDir, "clips") ? [] : ["--clips-dir", clipsDir];
  return [...ownCommand, "start", "--no-open", "--port", String(port), "--data-dir", dataDir, ...clips];
}

export function autostartRoutesFor(config: Config): readonly Route[] {
  const { configHome, display, wayland } = config;
  const desktop = display !== undefined || wayland;
  const systemd = existsSync("/run/systemd/system");
  const system = { platform: process.platform, configHome, systemd, desktop, run };
  return autostartRoutes(createAutostart({ system, command: startCommand(config) }));
}
