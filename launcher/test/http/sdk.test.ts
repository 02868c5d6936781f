// Tests of the bindings' packages over HTTP: listed for signed-in clients, complete, and no other file is reachable.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type SdkIndex, textOf } from "@kit/contract";
import { test } from "vitest";
import { launcherOfFile } from "../support/own-launcher.ts";
import { openRaw, type RawAnswer, requestBytes, sendRaw } from "../support/raw-http.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("sdk");
const sdk = join(folder, "dist/sdk");
const bytes = Buffer.from("PK\u0003\u0004 not really a zip \u0000\u00ff");
const sha256 = createHash("sha256").update(bytes).digest("hex");

const index: SdkIndex = {
  packages: [
    { binding: "godot", name: "Add-on", version: "1.2.3", file: "kit.zip", bytes: bytes.length, sha256 },
    { binding: "rpgmaker", name: "Plugin", version: "1.2.3", file: "KitSDK.js", bytes: bytes.length, sha256 },
    { binding: "unity", name: "Unity package", version: "1.2.3", file: "kit.tgz", bytes: bytes.length, sha256 },
  ],
  missing: [{ binding: "monogame", name: "NuGet package", reason: "Needs the .NET SDK." }],
};

/** Writes the packages that the launcher serves; the tests may change them. */
function writeSdk(): void {
  rmSync(sdk, { recursive: true, force: true });
  mkdirSync(sdk, { recursive: true });
  for (const { file } of index.packages) writeFileSync(join(sdk, file), bytes);
  writeFileSync(join(sdk, "beside.zip"), "not in the list");
  writeFileSync(join(sdk, "index.json"), JSON.stringify(index));
}

writeFileSync(join(folder, "secret.txt"), "outside");
writeSdk();
const launcher = await launcherOfFile({ settings: { sdk } });

type Headers = Readonly<Record<string, string>>;

async function ask(target: string, headers: Headers = {}, method = "GET"): Promise<RawAnswer> {
  const answer = await sendRaw(
    launcher.port,
    requestBytes(launcher.port, { method, target, headers: Object.entries(headers) }),
  );
  assert.ok(answer);
  return answer;
}

const listed = async () => (await launcher.api("GET", "/api/sdk")).json<SdkIndex>();

test("the list names each package with version, size and checksum, and each missing package with the reason", async () => {
  assert.deepEqual(await listed(), index);
});

test("the list is for the dashboard and the command line only", async () => {
  assert.equal((await ask("/api/sdk")).status, 401);
  assert.equal((await ask("/api/sdk", { origin: "https://example.org" })).status, 403);
});

test("a package is sent completely as a download, with the headers of every answer", async () => {
  for (const [file, type] of [
    ["kit.zip", "application/zip"],
    ["KitSDK.js", "text/javascript; charset=utf-8"],
    ["kit.tgz", "application/gzip"],
  ] as const) {
    const response = await fetch(`http://127.0.0.1:${launcher.port}/sdk/${file}`);
    assert.equal(response.status, 200);
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
    const { headers } = response;
    assert.equal(headers.get("content-type"), type);
    assert.equal(headers.get("content-disposition"), `attachment; filename="${file}"`);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("cross-origin-resource-policy"), "same-origin");
    assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/);
    assert.equal(headers.get("cache-control"), "no-cache");
  }
});

test("HEAD gets the headers of GET without the bytes", async () => {
  const connection = openRaw(launcher.port);
  const headers = [["connection", "close"]] as const;
  connection.socket.write(requestBytes(launcher.port, { method: "HEAD", target: "/sdk/kit.zip", headers }));
  await connection.ended;
  const answer = connection.received().toString();
  assert.match(answer, /^HTTP\/1\.1 200 /);
  assert.match(answer, new RegExp(`\r\ncontent-length: ${bytes.length}\r\n`, "i"));
  assert.ok(answer.endsWith("\r\n\r\n"), "nothing after the head");
});

test("the dashboard's own link works, and a link on another site does not", async () => {
  const clicked = { "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  assert.equal((await ask("/sdk/kit.zip", { ...clicked, "sec-fetch-site": "same-origin" })).status, 200);
  assert.equal((await ask("/sdk/kit.zip", { ...clicked, "sec-fetch-site": "cross-site" })).status, 403);
  assert.equal((await ask("/sdk/kit.zip", { origin: "https://example.org" })).status, 403);
});

test("only listed packages are served: no index, no other file, no path out of the folder", async () => {
  for (const target of [
    "/sdk",
    "/sdk/",
    "/sdk/.",
    "/sdk/index.json",
    "/sdk/beside.zip",
    "/sdk/kit.zip/",
    "/sdk/KIT.ZIP",
    "/sdk/kit.zip%00",
    "/sdk/../secret.txt",
    "/sdk/../sdk/kit.zip",
    "/sdk/..%2f..%2fsecret.txt",
    "/sdk/%2e%2e/%2e%2e/secret.txt",
    "/sdk/..\\..\\secret.txt",
    `/sdk/${join(folder, "secret.txt")}`,
  ]) {
    const answer = await ask(target);
    assert.equal(answer.status, 404, target);
    assert.doesNotMatch(answer.body, /outside|not in the list/, target);
  }
});

test("every method except GET and HEAD is refused for packages", async () => {
  for (const method of ["POST", "PUT", "DELETE"]) {
    const answer = await ask("/sdk/kit.zip", { "content-length": "0" }, method);
    assert.equal(answer.status, 405, method);
    assert.equal(answer.headers.allow, "GET, HEAD");
  }
});

test("a file that differs from the list is not served, and the list reports it", async () => {
  writeFileSync(join(sdk, "kit.zip"), "changed");
  rmSync(join(sdk, "kit.tgz"));
  assert.equal((await ask("/sdk/kit.zip")).status, 404);
  assert.equal((await ask("/sdk/kit.tgz")).status, 404);
  const { packages, missing } = await listed();
  assert.deepEqual(
    packages.map(({ file }) => file),
    ["KitSDK.js"],
  );
  assert.deepEqual(
    missing.map(({ binding }) => binding),
    ["monogame", "godot", "unity"],
  );
  assert.match(textOf(missing[1]?.reason ?? ""), /npm run bundle/);
  writeSdk();
});

test("packages bundled during a run are available at once, and without packages the list is empty", async () => {
  rmSync(sdk, { recursive: true });
  assert.deepEqual(await listed(), { packages: [], missing: [] });
  assert.equal((await ask("/sdk/kit.zip")).status, 404);
  writeSdk();
  assert.equal((await listed()).packages.length, 3);
  assert.equal((await ask("/sdk/kit.zip")).status, 200);
});

test("a broken index, or one that names a file outside, counts as empty", async () => {
  const outside = { ...index, packages: index.packages.map((each) => ({ ...each, file: "../../secret.txt" })) };
  for (const text of [`{"packages":[{"file":`, "null", "{}", `{"packages":{},"missing":[]}`, JSON.stringify(outside)]) {
    writeFileSync(join(sdk, "index.json"), text);
    assert.deepEqual(await listed(), { packages: [], missing: [] }, text);
    assert.equal((await ask("/sdk/kit.zip")).status, 404, text);
    assert.equal((await ask("/sdk/../../secret.txt")).status, 404, text);
  }
  writeSdk();
});
