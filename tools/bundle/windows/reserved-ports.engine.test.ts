// Tests under Wine what Kit says of a port that Windows reserves.
import assert from "node:assert/strict";
import { test } from "vitest";
import { pathOf, skipWithout } from "../../engines/locate.ts";
import { openWindows } from "../../engines/windows-computer.ts";
import { repositoryRoot } from "../../repository.ts";

test("of a port that Windows reserves, Kit says how to see such ports, and what to do", {
  skip: skipWithout("Wine", "Node.js for Windows"),
}, async (t) => {
  const windows = openWindows({ reservesLowPorts: true });
  t.onTestFinished(() => windows.close());
  const launcher = [`Z:${repositoryRoot}/dist/launcher/main.js`, "start", "--no-open"];
  const { code, output } = await windows.run(
    ...[pathOf("Node.js for Windows"), "--disable-warning=ExperimentalWarning"],
    ...[...launcher, "--port", "987", "--data-dir", "C:\\data"],
  );
  assert.equal(code, 1, output);
  assert.match(
    output,
    /port 987: Windows reserves it, .*`netsh int ipv4 show excludedportrange protocol=tcp` lists .*`net stop winnat`.* Or start Kit with --port N,/s,
  );
});
