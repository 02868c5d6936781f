// Tests of invitations with a whole launcher: how the server is contacted, names that deceive, and the random id of a target.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type ForwardTarget, type ForwardTestResult, hasForeignLetters, type Invitation, textOf } from "@kit/contract";
import { type Event, type EventEnvelope, parseEnvelope } from "@sentry/core";
import { test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { makeCertificates } from "../../src/social/networks/test/certificates.ts";
import { launcherOfFile } from "../support/own-launcher.ts";
import { until } from "../support/until.ts";
import { invitationTo, invitedKey as key, startForwardServer } from "./forwarding-server.ts";

const launcher = await launcherOfFile({ env: { KIT_SECRETS: "file" } });
const targets = async () => (await launcher.api("GET", "/api/forwarding")).json<{ targets: ForwardTarget[] }>().targets;
const inviting = (address: string, more: object = {}): Invitation => ({
  ...invitationTo(9),
  address,
  asks: [],
  ...more,
});
const check = (invitation: Invitation) => launcher.api("POST", "/api/invitations/check", { invitation });
const accept = (invitation: Invitation) => {
  const others = { earlierEvents: false, installation: false, videos: false };
  return launcher.api("POST", "/api/invitations/accept", { invitation, reports: true, ...others });
};
const remove = (id: string) => launcher.api("DELETE", `/api/forwarding/${id}`);

test("an invitation to a server without TLS needs the studio's explicit word and a private address", async () => {
  const address = `http://${key}@192.168.1.5:9000/7`;
  const refused = await check(inviting(address));
  assert.deepEqual([refused.status, /plain http|https/i.test(refused.text)], [422, true], refused.text);
  for (const outside of ["8.8.8.8", "172.32.0.1", "[2001:db8::1]"]) {
    const hostile = inviting(`http://${key}@${outside}/7`, { withoutTls: true });
    for (const call of [check, accept]) assert.equal((await call(hostile)).status, 422, outside);
  }
  assert.equal((await accept(inviting(address))).status, 422);
  assert.deepEqual(await targets(), []);
  const { host, enabled, id } = (await accept(inviting(address, { withoutTls: true }))).json<ForwardTarget>();
  assert.deepEqual([host, enabled], ["192.168.1.5:9000", true]);
  await remove(id);
});

test("an invitation to a server with the studio's own authority carries its certificate, and reports arrive", {
  skip: skipWithout("OpenSSL"),
}, async () => {
  const { ca, good } = makeCertificates();
  const bodies: string[] = [];
  const server = createServer(good, async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    if (request.method === "POST") bodies.push(body);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const address = `https://${key}@${host}/7`;
  assert.equal((await check(inviting(address, { certificate: "-----BEGIN CERTIFICATE-----\n" }))).status, 422);
  const other = (await accept(inviting(address))).json<ForwardTarget>();
  const tried = await launcher.api("POST", `/api/forwarding/${other.id}/test`);
  const { ok, says } = tried.json<ForwardTestResult>();
  assert.deepEqual([ok, /certificate cannot be trusted/.test(textOf(says))], [false, true]);
  await remove(other.id);
  assert.equal(bodies.length, 0);
  const { id } = (await accept(inviting(address, { certificate: ca }))).json<ForwardTarget>();
  const reported = (await launcher.report("The bell rings twice")).replaceAll("-", "");
  await until("the report at the server", () => bodies.some((body) => body.includes(reported)));
  await remove(id);
  server.closeAllConnections();
  server.close();
});

test("of a server whose name imitates another, its real name is shown", async () => {
  // Cyrillic letters in three of them; the last is as a browser would write the first.
  const cases = [
    ["sentrу.io", "xn--sentr-ize.io"],
    ["о1.ingest.sentry.io", "xn--1-0tb.ingest.sentry.io"],
    ["sentry.іo", "sentry.xn--o-evb"],
    ["xn--sentr-ize.io", "xn--sentr-ize.io"],
  ] as const;
  for (const [name, real] of cases) {
    const offer = (await check(inviting(`https://${key}@${name}/1`))).json<{ host: string; project: string }>();
    assert.deepEqual([offer.host, offer.project, hasForeignLetters(offer.host)], [real, "1", true]);
  }
  const place = {
    endpoint: "https://sentrу.io",
    region: "us-east-1",
    name: "lantern-videos",
    prefix: "",
    hostStyle: false,
  };
  const toBucket = inviting("https://collector.example.com", { kind: "otlp", asks: ["videos"], bucket: place });
  assert.equal((await check(toBucket)).json<{ bucketHost: string }>().bucketHost, "xn--sentr-ize.io");
  const honest = (await check(inviting(`https://${key}@sentry.io/1`))).json<{ host: string }>();
  assert.deepEqual([honest.host, hasForeignLetters(honest.host)], ["sentry.io", false]);
});

test("a person sends a random id, renews it, and stops sending it; each report has the id of its time", async () => {
  await using server = await startForwardServer();
  const { id } = (await accept(inviting(`http://${key}@127.0.0.1:${server.port}/7`))).json<ForwardTarget>();
  const ids: (string | null)[] = [];
  for (const installation of ["new", "new", "none"]) {
    const changed = await launcher.api("PUT", `/api/forwarding/${id}`, { installation });
    ids.push(changed.json<ForwardTarget>().installation);
    const reported = (await launcher.report(`The bell rang ${"again ".repeat(ids.length)}`)).replaceAll("-", "");
    const { body } = await until("the report at the server", () =>
      server.received.find((request) => request.body.includes(reported)),
    );
    const [, [[, event] = assert.fail()]] = parseEnvelope(body) as EventEnvelope;
    assert.equal((event as Event).user?.id ?? null, ids.at(-1));
  }
  assert.equal(new Set(ids).size, 3);
  assert.equal(ids[2], null);
  await remove(id);
});
