// Tests of what Kit reads from the output of Windows programs. The German lines were written after its documentation.
import assert from "node:assert/strict";
import { test } from "vitest";
import { findListener } from "./running-launcher.ts";

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
