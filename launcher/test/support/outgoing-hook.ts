// Preloaded into a launcher: writes down every name that it looks up, and every address that it connects or sends to, in any thread.
// It sees the requests that Node makes to its own network layer, which no code of a library can bypass.
import { createHook } from "node:async_hooks";
import { appendFileSync } from "node:fs";

const requests = new Set([
  "TCPCONNECTWRAP",
  "PIPECONNECTWRAP",
  "UDPSENDWRAP",
  "GETADDRINFOREQWRAP",
  "GETNAMEINFOREQWRAP",
  "QUERYWRAP",
]);

createHook({
  init(_id, type, _trigger, made) {
    if (!requests.has(type)) return;
    // Node fills the request in after it made it.
    process.nextTick(() => {
      const { address, hostname = address, port } = made as { address?: string; hostname?: string; port?: number };
      const line = [type, hostname, port].filter((part) => part !== undefined).join(" ");
      appendFileSync(process.env.KIT_TEST_OUTGOING ?? "", `${line}\n`);
    });
  },
}).enable();
