// Tests of what Kit says of its port and addresses, and of what it reads from the output of Windows programs. The German lines were written
// after its documentation.
import assert from "node:assert/strict";
import { test } from "vitest";
import { checkPort } from "./commands/doctor/port.ts";
import { describeAddresses } from "./commands/start.ts";
import { explainRefusedPort, findListener } from "./running-launcher.ts";

const printed = [
  "Active Connections",
  "  Proto  Local Address          Foreign Address        State           PID",
  "  TCP    127.0.0.1:49987        127.0.0.1:9876         ESTABLISHED     11",
  "  TCP    127.0.0.1:9876         127.0.0.1:49987        ESTABLISHED     12",
  "  TCP    0.0.0.0:19876          0.0.0.0:0              LISTENING       13",
].join("\r\n");

test("the program that listens on a port is found in any language of Windows, over IPv4 and IPv6", () => {
  const listeners = {
    English: "  TCP    127.0.0.1:9876         0.0.0.0:0              LISTENING       4711",
    German: "  TCP    127.0.0.1:9876         0.0.0.0:0              ABH\ufffdREN         4711",
    IPv6: "  TCP    [::1]:9876             [::]:0                 LISTENING       4711",
  };
  for (const line of Object.values(listeners)) assert.equal(findListener(`${printed}\r\n${line}\r\n`, 9876), 4711);
});

test("connections to a port, and listeners on others, are not taken for its listener", () => {
  assert.equal(findListener(printed, 9876), undefined);
  assert.equal(findListener(printed, 49987), undefined);
});

test("a port that the OS refuses has its cause, both ways out, and where games send", async () => {
  const { detail, fix } = explainRefusedPort(9876, "win32");
  assert.match(detail, /^Kit may not listen on port 9876: Windows reserves it/);
  assert.match(
    fix,
    /^Either free the port: .*`net stop winnat`.* Or start Kit with --port N.* games send to port 9876/,
  );
  assert.match(explainRefusedPort(80, "linux").fix, /ports below 1024 .* Or start Kit with --port N/);
  const nobody = { who: "nobody", port: 9876 } as const;
  const refused = await checkPort(nobody, async () => "EACCES");
  assert.deepEqual([refused.ok, refused.detail], [false, explainRefusedPort(9876).detail]);
  assert.equal((await checkPort(nobody, async () => undefined)).detail, "port 9876 is free; Kit is not running");
});

test("a start without IPv6 says once that [::1] is missing", () => {
  assert.equal(describeAddresses(["http://127.0.0.1:1", "http://[::1]:1"]), "http://127.0.0.1:1 and http://[::1]:1");
  assert.match(describeAddresses(["http://127.0.0.1:1"]), /^http:\/\/127\.0\.0\.1:1\. IPv6 is off .* \[::1\]\.$/);
});
