// Creates the autostart slice for this launcher's command and this system.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { autostartRoutes, createAutostart } from "../autostart/index.ts";
import type { Config } from "../config.ts";
import type { Route } from "../http/route.ts";

/** Timeout of system programs, so that a person never waits longer. */
const programTimeoutMs = 5_000;

const run = (program: string, args: readonly string[]): Promise<number | undefined> =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: programTimeoutMs, windowsHide: true }, (error) => {
      if (error === null) resolve(0);
      else resolve(typeof error.code === "number" ? error.code : undefined);
    });
  });

/** Names the data folder, clips folder and port of this launcher, because the system may start Kit in another environment. */
function startCommand({ ownCommand, dataDir, clipsDir, port }: Config): string[] {
  const clips = clipsDir === join(dataDir, "clips") ? [] : ["--clips-dir", clipsDir];
  return [...ownCommand, "start", "--no-open", "--port", String(port), "--data-dir", dataDir, ...clips];
}

export function wireAutostart(config: Config): readonly Route[] {
  const { configHome, display, isWayland } = config;
  const hasDesktop = display !== undefined || isWayland;
  const usesSystemd = existsSync("/run/systemd/system");
  const system = { platform: process.platform, configHome, usesSystemd, hasDesktop, run };
  return autostartRoutes(createAutostart({ system, command: startCommand(config) }));
}
