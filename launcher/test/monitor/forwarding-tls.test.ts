// Tests of forwarding to a server in the local network: a certificate of the studio's own authority, and plain http.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type ForwardTarget, KitError, textOf } from "@kit/contract";
import { test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { makeCertificates } from "../../src/social/networks/test/certificates.ts";
import { key, openForwardFolder } from "./forwarding-folder.ts";
import { reportWith } from "./monitor-folder.ts";

const certificates = skipWithout("OpenSSL") === false ? makeCertificates() : undefined;

test("a server with a certificate of an own authority gets reports once a person named the authority", {
  skip: skipWithout("OpenSSL"),
}, async () => {
  assert.ok(certificates);
  const { ca, good } = certificates;
  let requests = 0;
  const server = createServer(good, (request, response) => {
    requests += Number(request.method === "POST");
    request.resume().on("end", () => response.end());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  await using folder = await openForwardFolder();
  const address = `https://${key}@127.0.0.1:${(server.address() as AddressInfo).port}/7`;
  const { id } = await folder.add({ kind: "sentry", address, game: null });
  assert.match(textOf((await folder.test(id)).says), /certificate cannot be trusted/);
  await assert.rejects(folder.change(id, { certificate: "-----BEGIN CERTIFICATE-----" }), KitError);
  await folder.change(id, { certificate: ca });
  await folder.take([reportWith("No key")]);
  await folder.target(({ delivered }) => delivered === 1);
  assert.equal(requests, 1);
  server.closeAllConnections();
  server.close();
});

/** By this computer's clock, both are wrong, and the clock may be. */
const wrongDates = [
  {
    name: "expired",
    says: /certificate has expired, or this computer's date is wrong \(CERT_HAS_EXPIRED\)\. Check the date and time/,
  },
  {
    name: "notYetValid",
    says: /certificate is not valid yet, or this computer's date is wrong \(CERT_NOT_YET_VALID\)\. Check the date and time/,
  },
] as const;

for (const { name, says } of wrongDates)
  test(`reports wait while a server's certificate is ${name}, nothing of them is sent, and they arrive once it is renewed`, {
    skip: skipWithout("OpenSSL"),
  }, async () => {
    assert.ok(certificates);
    const { ca, [name]: wrong, good } = certificates;
    let requests = 0;
    const server = createServer(wrong, (request, response) => {
      requests += 1;
      request.resume().on("end", () => response.end());
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    await using folder = await openForwardFolder();
    const address = `https://${key}@127.0.0.1:${(server.address() as AddressInfo).port}/7`;
    const { id } = await folder.add({ kind: "sentry", address, game: null, certificate: ca });
    await folder.take([reportWith("No key")]);
    const { lastError, waiting, waitsBecause } = await folder.target((target) => target.lastError !== null);
    assert.match(textOf(lastError ?? ""), says);
    assert.deepEqual([waiting, waitsBecause, requests, await folder.sent(id)], [1, "failure", 0, []]);
    server.setSecureContext(good);
    await folder.change(id, { enabled: true });
    await folder.target(({ delivered }) => delivered === 1);
    server.closeAllConnections();
    server.close();
  });

test("plain http to a private address needs an explicit word, and to any other address it is refused", async () => {
  await using folder = await openForwardFolder();
  const attempt = (address: string, withoutTls: boolean) =>
    folder.add({ kind: "sentry", address: `http://${key}@${address}/1`, game: null, withoutTls }).then(
      ({ host }: ForwardTarget) => host,
      (error: unknown) => (error as KitError).code,
    );
  assert.equal(await attempt("192.168.1.5:9000", false), "payload_invalid");
  assert.equal(await attempt("192.168.1.5:9000", true), "192.168.1.5:9000");
  assert.equal(await attempt("[fd00::5]:9000", true), "[fd00::5]:9000");
  for (const address of ["8.8.8.8", "172.32.0.1", "169.254.169.254", "[2001:db8::1]"])
    assert.equal(await attempt(address, true), "payload_invalid", address);
});
