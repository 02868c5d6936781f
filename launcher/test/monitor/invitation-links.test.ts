// Tests of `kit team link` and `kit join` with a whole launcher: how the server is contacted, what is asked for, links that deceive, a
// launcher at another port than the link's, and the random id of a target.
import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  decodeInvitation,
  defaultPort,
  encodeInvitation,
  type ForwardTarget,
  type Invitation,
  invitationLink,
} from "@kit/contract";
import { type Event, type EventEnvelope, parseEnvelope } from "@sentry/core";
import { test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import { makeCertificates } from "../../src/social/networks/test/certificates.ts";
import { kit, kitOn } from "../support/kit-command.ts";
import { launcherOfFile } from "../support/own-launcher.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { until } from "../support/until.ts";
import { invitedKey as key, startForwardServer } from "./forwarding-server.ts";

const launcher = await launcherOfFile({ env: { KIT_SECRETS: "file" } });
const targets = async () => (await launcher.api("GET", "/api/forwarding")).json<{ targets: ForwardTarget[] }>().targets;
const tester = kitOn(launcher);

/** Runs `kit team link` with this address on standard input. */
const makeLink = (address: string, kind: "sentry" | "otlp", ...words: readonly string[]) =>
  kitOn(launcher, `${address}\n\n`).run("team", "link", kind, "--studio", "Lantern Games", ...words);
async function invitationOf(
  address: string,
  kind: "sentry" | "otlp",
  ...words: readonly string[]
): Promise<Invitation> {
  const made = await makeLink(address, kind, ...words, "--json");
  assert.equal(made.code, exitCodes.ok, made.stderr);
  return decodeInvitation(made.json<{ link: string }>().link) ?? assert.fail(made.stdout);
}

const notEncrypted = /^What Kit sends is not encrypted: others in the network can read it\.$/m;
const seesAddress = /^That server also sees the internet address of this computer\.$/m;
const foreignLetters =
  /^The name of a server contains letters that can look like others\. Ask the studio whether it is theirs\.$/m;
const ownAuthority =
  /^This invitation contains a certificate\. Kit trusts it only for the servers of this invitation\.$/m;

test("an invitation to a server without TLS needs the studio's explicit word and a private address, and tells the tester", async () => {
  const address = `http://${key}@192.168.1.5:9000/7`;
  const refused = await makeLink(address, "sentry");
  assert.deepEqual([refused.code, /plain http|https/i.test(refused.stderr)], [exitCodes.refused, true], refused.stderr);
  for (const outside of ["8.8.8.8", "172.32.0.1", "[2001:db8::1]"]) {
    const tried = await makeLink(`http://${key}@${outside}/7`, "sentry", "--without-tls");
    assert.equal(tried.code, exitCodes.refused, outside + tried.stdout);
  }
  const invitation = await invitationOf(address, "sentry", "--without-tls", "--asks", "nothing");
  assert.deepEqual([invitation.withoutTls, invitation.address], [true, address]);
  const shown = await tester.run("join", JSON.stringify(invitation));
  assert.match(shown.stdout, /They would go to 192\.168\.1\.5:9000, project 7\.\n/);
  assert.match(shown.stdout, notEncrypted);
  // What a hostile link says instead of what the studio's command refused.
  const { withoutTls: _, ...unsaid } = invitation;
  for (const hostile of [unsaid, { ...invitation, address: `http://${key}@8.8.8.8/7` }]) {
    const tried = await tester.run("join", JSON.stringify(hostile), "--agree");
    assert.equal(tried.code, exitCodes.refused, tried.stdout);
  }
  assert.deepEqual(await targets(), []);
  const agreed = await tester.succeeds("join", JSON.stringify(invitation), "--agree");
  assert.match(agreed.stdout, notEncrypted);
  const [{ id = "", host, enabled } = {}] = await targets();
  assert.deepEqual([host, enabled], ["192.168.1.5:9000", true]);
  await tester.succeeds("forward", "remove", id);
});

test("an invitation to a server with the studio's own authority carries its certificate, and reports of a tester arrive", {
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
  const file = join(temporaryFolder("authority"), "ca.pem");
  writeFileSync(file, "-----BEGIN CERTIFICATE-----\n");
  assert.equal((await makeLink(address, "sentry", "--certificate", file)).code, exitCodes.refused);
  writeFileSync(file, ca);
  const invitation = await invitationOf(address, "sentry", "--certificate", file, "--asks", "nothing");
  assert.equal(invitation.certificate, ca);
  const shown = await tester.run("join", JSON.stringify(invitation));
  assert.match(shown.stdout, ownAuthority);
  assert.doesNotMatch(shown.stdout, notEncrypted);
  const { certificate: _, ...unsaid } = invitation;
  const other = (await tester.succeeds("join", JSON.stringify(unsaid), "--agree", "--json")).json<ForwardTarget>();
  const tried = await tester.run("forward", "test", other.id);
  assert.match(tried.stdout, /certificate cannot be trusted/);
  await tester.succeeds("forward", "remove", other.id);
  assert.equal(bodies.length, 0);
  assert.match((await tester.succeeds("join", JSON.stringify(invitation), "--agree")).stdout, ownAuthority);
  const reported = (await launcher.report("The bell rings twice")).replaceAll("-", "");
  await until("the report at the server", () => bodies.some((body) => body.includes(reported)));
  await tester.succeeds("forward", "remove", (await targets())[0]?.id ?? "");
  server.closeAllConnections();
  server.close();
});

test("a link asks for what --asks names, and a tester can agree to nothing else", async () => {
  const [sentry, collector] = [`http://${key}@127.0.0.1:9/7`, "http://127.0.0.1:9"];
  const place = ["--endpoint", "http://127.0.0.1:9", "--bucket", "lantern-videos"];
  const cases: [string, "sentry" | "otlp", readonly string[], Invitation["asks"]][] = [
    [sentry, "sentry", [], ["earlierEvents", "installation", "videos"]],
    [sentry, "sentry", ["--asks", "installation"], ["installation"]],
    [sentry, "sentry", ["--asks", "earlierEvents", "installation"], ["earlierEvents", "installation"]],
    [sentry, "sentry", ["--asks", "nothing"], []],
    [collector, "otlp", [], ["installation"]],
    [collector, "otlp", place, ["installation", "videos"]],
    [collector, "otlp", ["--asks", "nothing"], []],
  ];
  for (const [address, kind, words, asks] of cases)
    assert.deepEqual((await invitationOf(address, kind, ...words)).asks, asks, words.join(" "));
  const unknown = await makeLink(sentry, "sentry", "--asks", "everything");
  assert.equal(unknown.code, exitCodes.usage);
  assert.match(unknown.stderr, /--asks takes earlierEvents, installation, videos, or nothing; not everything\./);
  for (const ask of ["earlierEvents", "videos"])
    assert.equal((await makeLink(collector, "otlp", "--asks", ask)).code, exitCodes.refused, ask);
  const [one, none] = [
    await invitationOf(sentry, "sentry", "--asks", "installation"),
    await invitationOf(sentry, "sentry", "--asks", "nothing"),
  ];
  assert.match(
    (await tester.succeeds("join", JSON.stringify(one))).stdout,
    /^Besides error reports, the studio asks for: a random id of this computer\.$/m,
  );
  assert.doesNotMatch((await tester.succeeds("join", JSON.stringify(none))).stdout, /Besides error reports/);
  for (const [invitation, flag] of [
    [one, "--videos"],
    [one, "--earlier-events"],
    [none, "--installation"],
  ] as const)
    assert.equal((await tester.run("join", JSON.stringify(invitation), "--agree", flag)).code, exitCodes.refused, flag);
  assert.deepEqual(await targets(), []);
});

test("a link to a server whose name imitates another shows its real name and a warning, and each link says what the server sees", async () => {
  const base = {
    version: 1,
    studio: "Sentry",
    text: "",
    kind: "sentry",
    game: null,
    environment: null,
    asks: [],
  } as const;
  // Cyrillic letters in three of them; the last is as a browser would write the first.
  const cases = [
    ["sentrу.io", "xn--sentr-ize.io"],
    ["о1.ingest.sentry.io", "xn--1-0tb.ingest.sentry.io"],
    ["sentry.іo", "sentry.xn--o-evb"],
    ["xn--sentr-ize.io", "xn--sentr-ize.io"],
  ] as const;
  for (const [name, real] of cases) {
    const link = invitationLink({ ...base, address: `https://${key}@${name}/1` } as never, defaultPort);
    const { stdout, code, stderr } = await tester.run("join", link);
    assert.equal(code, exitCodes.ok, stderr);
    assert.ok(stdout.includes(`They would go to ${new URL(`https://${name}`).host}, project 1.`), stdout);
    assert.equal(new URL(`https://${name}`).host, real);
    assert.ok(!stdout.replace(/#t=\S+/, "").includes(name) || name === real, stdout);
    assert.match(stdout, foreignLetters);
    assert.match(stdout, seesAddress);
  }
  const bucket = { region: "us-east-1", name: "lantern-videos", prefix: "", hostStyle: false };
  const toBucket = await tester.succeeds(
    "join",
    encodeInvitation({
      ...{ ...base, kind: "otlp", address: "https://collector.example.com", asks: ["videos"] },
      bucket: { ...bucket, endpoint: "https://sentrу.io" },
    }),
  );
  assert.match(toBucket.stdout, /at xn--sentr-ize\.io\.\n/);
  assert.match(toBucket.stdout, foreignLetters);
  const honest = await tester.run(
    "join",
    encodeInvitation({ ...base, asks: [], address: `https://${key}@sentry.io/1` }),
  );
  assert.doesNotMatch(honest.stdout, foreignLetters);
  assert.match(honest.stdout, seesAddress);
});

test("a link names Kit's usual port, says what to do at another one, and `kit join` finds a launcher there", async () => {
  assert.notEqual(launcher.port, defaultPort);
  const made = await makeLink(`http://${key}@127.0.0.1:9/7`, "sentry");
  const link = /^http:\/\/127\.0\.0\.1:9876\/#\/join\/[\w-]+$/m.exec(made.stdout)?.[0] ?? assert.fail(made.stdout);
  assert.match(made.stdout, /Anyone who runs Kit on another port, .* run npx kit join LINK\.\n/);
  const joined = await kit("join", link, "--data-dir", launcher.dataDir);
  assert.equal(joined.code, exitCodes.ok, joined.stderr);
  const page = /http:\/\/127\.0\.0\.1:(\d+)\/#t=[\w-]+&page=join\/([\w-]+)/.exec(joined.stdout);
  assert.deepEqual([Number(page?.[1]), decodeInvitation(page?.[2] ?? "")], [launcher.port, decodeInvitation(link)]);
});

test("a person sends a random id, renews it, and stops sending it; each report has the id of its time", async () => {
  await using server = await startForwardServer();
  const invitation = await invitationOf(`http://${key}@127.0.0.1:${server.port}/7`, "sentry");
  const { id } = (await tester.succeeds("join", JSON.stringify(invitation), "--agree", "--json")).json<ForwardTarget>();
  const ids: (string | null)[] = [];
  for (const [words, says] of [
    [["new"], /^Every report is sent with the random id (\S+)\.$/m],
    [["new"], /^Every report is sent with the random id (\S+)\.$/m],
    [["none"], /^No random id is sent\.$/m],
  ] as const) {
    const said = says.exec((await tester.succeeds("forward", "installation", id, ...words)).stdout) ?? assert.fail();
    ids.push(said[1] ?? null);
    assert.equal((await targets())[0]?.installation, ids.at(-1));
    const reported = (await launcher.report(`The bell rang ${"again ".repeat(ids.length)}`)).replaceAll("-", "");
    const { body } = await until("the report at the server", () =>
      server.received.find((request) => request.body.includes(reported)),
    );
    const [, [[, event] = assert.fail()]] = parseEnvelope(body) as EventEnvelope;
    assert.equal((event as Event).user?.id ?? null, ids.at(-1));
  }
  assert.equal(new Set(ids).size, 3);
  assert.equal((await tester.run("forward", "installation", id, "other")).code, exitCodes.usage);
  await tester.succeeds("forward", "remove", id);
});
