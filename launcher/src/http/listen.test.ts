// Tests of listening on a computer whose OS lacks an address.
import assert from "node:assert/strict";
import { Server } from "node:net";
import { onTestFinished, test, vi } from "vitest";
import { freePort } from "../../../tools/engines/free-port.ts";
import { createConnectionLimiter } from "./connection-limiter.ts";
import { listenOnLoopback } from "./listen.ts";

for (const code of ["EAFNOSUPPORT", "EADDRNOTAVAIL"]) {
  test(`Kit listens on 127.0.0.1 alone if ::1 fails with ${code}`, async () => {
    const { listen } = Server.prototype;
    const spy = vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server, ...given: unknown[]) {
      if ((given[0] as { host?: string }).host !== "::1") return Reflect.apply(listen, this, given);
      process.nextTick(() => this.emit("error", Object.assign(new Error(code), { code })));
      return this;
    });
    onTestFinished(() => spy.mockRestore());
    const port = await freePort();
    const listeners = await listenOnLoopback(
      port,
      () => undefined,
      createConnectionLimiter(),
      () => undefined,
    );
    await listeners.close();
    assert.deepEqual(listeners.addresses, [`http://127.0.0.1:${port}`]);
  });
}
