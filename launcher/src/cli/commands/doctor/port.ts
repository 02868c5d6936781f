// The checks of `kit doctor` on connections: the launcher on its port, or what keeps it from listening there, and proxies.

import { once } from "node:events";
import { proxySettings } from "../../../process/proxy.ts";
import { explainSilence, type LauncherIdentity, otherKit } from "../../connection.ts";
import { say } from "../../output.ts";
import { explainRefusedPort, findPortHolder } from "../../running-launcher.ts";
import { type DoctorCheck, failed, passed } from "./check.ts";

/** Returns the error code of listening on a port that nobody uses. Undefined if it works. */
async function tryPort(port: number): Promise<string | undefined> {
  const { createServer } = await import("node:net");
  const server = createServer();
  try {
    await once(server.listen({ host: "127.0.0.1", port, exclusive: true }), "listening");
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  } finally {
    server.close();
  }
}

export async function checkPort(identity: LauncherIdentity, tryListening = tryPort): Promise<DoctorCheck> {
  if (identity.who === "own") {
    const { state, detail = "" } = identity.health.storage;
    if (state === "failing")
      return failed("port", `Kit runs on port ${identity.port} but cannot store events`, say(detail));
    return passed("port", `Kit ${identity.health.version} runs on port ${identity.port}`);
  }
  if (identity.who === "silent") {
    const { detail, fix } = explainSilence(identity);
    return failed("port", detail, fix);
  }
  if (identity.who === "nobody") {
    const refused = await tryListening(identity.port);
    if (refused === undefined) return passed("port", `port ${identity.port} is free; Kit is not running`);
    if (refused === "EACCES") {
      const { detail, fix } = explainRefusedPort(identity.port);
      return failed("port", detail, fix);
    }
  }
  const holder = await findPortHolder(identity.port);
  const named = holder && `${holder.name} (process ${holder.pid})`;
  const elsewhere = "start Kit with --port N and set the same address in the game.";
  if (identity.who === "other-kit") {
    const detail = `port ${identity.port} is used by ${[otherKit, named].filter(Boolean).join(": ")}`;
    return failed("port", detail, `If it is yours, add its --data-dir to check it; otherwise ${elsewhere}`);
  }
  return failed("port", `port ${identity.port} is used by ${named ?? "another program"}`, `Close it, or ${elsewhere}`);
}

/** Kit works without a proxy. A user who can reach the internet only through one has to know why nothing is sent. */
export function checkProxy(env: NodeJS.ProcessEnv): DoctorCheck | undefined {
  const names = proxySettings(env);
  if (names.length === 0) return undefined;
  const what = `${names.join(" and ")} ${names.length === 1 ? "is" : "are"} set, but Kit connects directly`;
  return passed(
    "proxy",
    `${what}, because it sends only to addresses that it has checked, and a proxy looks them up itself`,
  );
}
