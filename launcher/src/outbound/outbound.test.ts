// Tests of outbound requests: they reach only allowed servers, have limits of time and size, and follow no redirects.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createPlainServer, isIP, type LookupFunction, type Socket } from "node:net";
import { KitError } from "@kit/contract";
import type { buildConnector } from "undici";
import { test } from "vitest";
import { freePort } from "../../../tools/engines/free-port.ts";
import { parseServerUrl } from "./address.ts";
import { AddressRefused, failureMessage, isNothingSent, isRequestCutShort, ServerNotReached } from "./failure.ts";
import { createConnector, createOutbound } from "./outbound.ts";
import { readJsonObject, readResponseText } from "./response.ts";
import { resolvedTo, spellings } from "./test/spellings.ts";

/** Counts the connections. */
async function startListener(host: string, port = 0) {
  const server = createPlainServer((socket) => {
    listener.connections += 1;
    socket.destroy();
  });
  server.listen(port, host);
  await once(server, "listening");
  const listener = {
    port: (server.address() as AddressInfo).port,
    connections: 0,
    [Symbol.asyncDispose]: async () => void (await once(server.close(), "close")),
  };
  return listener;
}

async function startServer(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

const lookupOf =
  (addresses: readonly string[]): LookupFunction =>
  (_host, options, callback) => {
    const found = addresses.map((address) => ({ address, family: isIP(address.replace(/%.*/, "")) }));
    const [first] = found;
    if (options.all || first === undefined) callback(null, found);
    else callback(null, first.address, first.family);
  };

const failureOf = async (asked: Promise<Response>) =>
  asked.then(
    ({ status }) => assert.fail(`unexpected answer: ${status}`),
    (error: unknown) => error,
  );

test("however an address is spelled, nothing on this computer or in its networks is connected to", async () => {
  const port = await freePort();
  await using listener = await startListener("127.0.0.1", port);
  await using other = await startListener("::1", port);
  // Each name except localhost resolves to this.
  const reach = createOutbound({ lookup: lookupOf(["127.0.0.1"]) });
  assert.ok(spellings.length >= 200, `${spellings.length}`);
  for (const host of spellings)
    for (const scheme of ["https", "http"]) {
      const url = `${scheme}://${host}:${listener.port}/`;
      const error = await failureOf(reach.clientFor("https://example.com").fetch(url));
      assert.ok(isNothingSent(error), url);
      assert.match(failureMessage(error).text, /private or reserved|Plain http|is not a URL|must not contain a name/);
    }
  assert.deepEqual([listener.connections, other.connections], [0, 0]);
  await reach.close();
});

test("a server on this computer allows only this computer, not the networks around it", async () => {
  await using listener = await startListener("127.0.0.1");
  const reach = createOutbound({ lookup: lookupOf(["10.0.0.1"]) });
  const server = `http://localhost:${listener.port}`;
  for (const host of [...spellings.filter((each) => !/^(\D*127|local)/i.test(each)), "localhost", "a.example"]) {
    const url = `https://${host}:${listener.port}/`;
    const literal = URL.canParse(url) ? new URL(url).hostname : "";
    if (literal.startsWith("127.") || literal === "[::1]") continue;
    assert.ok((await failureOf(reach.clientFor(server).fetch(url))) instanceof Error, url);
  }
  assert.equal(listener.connections, 0);
  await failureOf(reach.clientFor(server).fetch(`https://127.0.0.1:${listener.port}/`));
  assert.equal(listener.connections, 1, "the listener counts connections");
  await reach.close();
});

test("a name is refused if any address that it resolves to is refused", async () => {
  for (const addresses of resolvedTo)
    for (const host of ["a.example", "localhost.example", "127.0.0.1.example", "localtest.example"]) {
      const reach = createOutbound({ lookup: lookupOf(addresses) });
      const error = await failureOf(reach.clientFor(`https://${host}`).fetch(`https://${host}:9/x`)).finally(
        reach.close,
      );
      assert.ok(isNothingSent(error), `${addresses}`);
    }
});

test("the connection uses the checked address: a name is looked up once for each connection", async () => {
  const answers = [["198.41.0.4"], ["127.0.0.1"]];
  let asked = 0;
  const connectedTo: unknown[] = [];
  const lookup: LookupFunction = (host, options, callback) => lookupOf(answers[asked++] ?? [])(host, options, callback);
  const build = ((options: { lookup: LookupFunction }) =>
    (to: { hostname: string }, callback: buildConnector.Callback) =>
      options.lookup(to.hostname, { all: true }, (error, found) => {
        if (error === null) connectedTo.push(found);
        callback(error ?? new Error("far enough"), null);
      })) as unknown as typeof buildConnector;
  const connect = createConnector({ build, lookup, isOwnAllowed: false, connectWithinMs: 1_000 });
  const errors: unknown[] = [];
  for (const _ of answers)
    connect({ hostname: "a.example", protocol: "https:", port: "443" }, (...[error]) => void errors.push(error));
  assert.deepEqual(connectedTo, [[{ address: "198.41.0.4", family: 4 }]]);
  assert.equal(asked, 2);
  assert.ok(errors.every((error) => error instanceof ServerNotReached) && isNothingSent(errors[1]));
  assert.match(failureMessage(errors[1]).text, /private or reserved/);
});

test("servers on the internet can be reached, also by IPv6 addresses that embed IPv4", () => {
  const allowed = [
    "1.1.1.1",
    "198.41.0.4",
    "172.32.0.1",
    "100.128.0.1",
    "2606:4700::1",
    "2001:4860:4860::8888",
    "64:ff9b::101:101",
  ];
  let tried = 0;
  const build = (() => (_: unknown, callback: buildConnector.Callback) => {
    tried += 1;
    callback(new Error("far enough"), null);
  }) as unknown as typeof buildConnector;
  const connect = createConnector({ build, lookup: lookupOf([]), isOwnAllowed: false, connectWithinMs: 1_000 });
  for (const hostname of allowed) connect({ hostname, protocol: "https:", port: "" }, () => {});
  assert.equal(tried, allowed.length);
});

test("a redirect is returned as it is, and its target is not contacted", async () => {
  await using listener = await startListener("127.0.0.1");
  for (const status of [301, 302, 303, 307, 308]) {
    await using server = await startServer((_, response) => {
      response.writeHead(status, { location: `http://127.0.0.1:${listener.port}/` }).end("there");
    });
    const reach = createOutbound();
    const answer = await reach
      .clientFor(server.url)
      .fetch(server.url, { method: "POST", body: "x", redirect: "follow" });
    assert.deepEqual([answer.status, await answer.text()], [status, "there"]);
    await reach.close();
  }
  assert.equal(listener.connections, 0);
});

test("an answer is read within the limits of size and time", async () => {
  await using server = await startServer((request, response) => {
    if (request.url === "/huge") for (let part = 0; part < 400; part += 1) response.write("x".repeat(1_024));
    else if (request.url === "/drip") response.write(`{"begun": `);
    else if (request.url === "/head")
      response.writeHead(200, { long: "x".repeat(15_000), longer: "x".repeat(15_000) }).end();
    else if (request.url === "/object") response.end(`{"is": "whole"}`);
  });
  const reach = createOutbound();
  const ask = (path: string, init = {}) => reach.clientFor(server.url).fetch(server.url + path, init);
  assert.equal((await readResponseText(await ask("huge"))).length, 65_536);
  assert.equal((await readResponseText(await ask("huge", { bytesMax: 70_000 }))).length, 70_000);
  assert.deepEqual(await readJsonObject(await ask("object")), { is: "whole" });
  const drips = await Promise.all([1, 2].map(() => ask("drip", { withinMs: 2_000 })));
  const [text, object] = await Promise.all([
    readResponseText(drips[0] as Response),
    readJsonObject(drips[1] as Response),
  ]);
  assert.deepEqual([text, object], [`{"begun": `, undefined], "the part that arrived");
  const silent = await failureOf(ask("silent", { withinMs: 2_000 }));
  assert.match(failureMessage(silent).text, /did not answer in time/);
  const endless = await failureOf(ask("head"));
  assert.match(failureMessage(endless).text, /headers of the server's answer are too long/);
  const given = new AbortController();
  const stopped = ask("silent", { signal: given.signal });
  given.abort();
  assert.match(failureMessage(await failureOf(stopped)).text, /was cancelled/);
  assert.ok(![silent, endless].some(isNothingSent), "the requests may have been processed");
  await reach.close();
});

test("a server's URL must be https, or plain http to this computer, and a refusal names the remedy", () => {
  for (const url of [
    "https://example.com/a?b",
    "http://localhost:80/",
    "http://127.0.0.1:1/",
    "http://[::1]/",
    " https://a.example ",
  ])
    assert.equal(parseServerUrl(url, "/fields/url").href, new URL(url.trim()).href);
  for (const [url, says] of [
    ["example.com", /complete URL/],
    ["ftp://example.com", /https/],
    ["http://example.com", /plain http is only allowed for this computer/],
    ["https://ana:secret@example.com", /before the @/],
    ["https://10.1.2.3/", /private or reserved/],
    ["https://[fe80::1]/", /private or reserved/],
    ["https://169.254.169.254/", /private or reserved/],
    ["https://[::ffff:7f00:1]/", /private or reserved/],
  ] as const)
    assert.throws(
      () => parseServerUrl(url, "/fields/url"),
      (error) =>
        error instanceof KitError &&
        error.errors[0]?.path === "/fields/url" &&
        says.test(error.message) &&
        !error.message.includes("secret"),
      url,
    );
});

test("a request that was cut off before its end is recognized", async () => {
  const sockets: Socket[] = [];
  // Reads nothing, so that only the buffers of the system are filled.
  const server = createPlainServer((socket) => void sockets.push(socket.pause())).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const reach = createOutbound();
  const body = new Blob([new Uint8Array(64 * 1024 * 1024)]);
  const cut = await failureOf(reach.clientFor(url).fetch(url, { method: "POST", body, withinMs: 2_000 }));
  assert.deepEqual([isRequestCutShort(cut), isNothingSent(cut)], [true, false]);
  assert.match(failureMessage(cut).text, /could not be sent in time/);
  const whole = await failureOf(reach.clientFor(url).fetch(url, { method: "POST", body: "short", withinMs: 2_000 }));
  assert.deepEqual([isRequestCutShort(whole), isNothingSent(whole)], [false, false]);
  await reach.close();
  for (const socket of sockets) socket.destroy();
  await once(server.close(), "close");
});

test("errors are described in words without the address", async () => {
  const reach = createOutbound();
  const nobody = await failureOf(
    reach.clientFor("http://localhost").fetch(`http://127.0.0.1:${await freePort()}/secret`),
  );
  assert.equal(failureMessage(nobody).text, "Nothing answers at this address (ECONNREFUSED).");
  assert.ok(isNothingSent(nobody));
  await using resets = await startServer(({ socket }) => void socket.resetAndDestroy());
  const reset = await failureOf(reach.clientFor(resets.url).fetch(`${resets.url}secret`));
  assert.match(failureMessage(reset).text, /closed the connection/);
  assert.equal(isNothingSent(reset), false);
  for (const error of [
    nobody,
    reset,
    new Error("https://a/secret"),
    "secret",
    null,
    new TypeError("x", { cause: { code: "secret://" } }),
  ])
    assert.doesNotMatch(failureMessage(error).text, /secret|127\.0/);
  const words: [unknown, RegExp][] = [
    [{ code: "ENOTFOUND" }, /No server has this name/],
    [{ cause: { code: "CERT_HAS_EXPIRED" } }, /expired/],
    [{ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }, /cannot be trusted/],
    [{ code: "ERR_TLS_CERT_ALTNAME_INVALID" }, /another name/],
    [{ code: "HPE_INVALID_CONSTANT" }, /is not HTTP/],
    [{ code: "EWHATEVER" }, /failed \(EWHATEVER\)/],
    [new AddressRefused({ text: "Not there.", code: "test" }), /^Not there\.$/],
  ];
  for (const [error, says] of words) assert.match(failureMessage(error).text, says);
  await reach.close();
});
