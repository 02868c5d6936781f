// Runs Bluesky's server with test accounts until the parent process ends. A separate process, because the server leaves timers and
// threads behind. Also runs a replacement for the account directory (https://plc.directory) with the directory's own library.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { pathOf } from "./locate.ts";
import type { PdsAccount, PdsWish } from "./pds-server.ts";

const wish = JSON.parse(process.argv[2] ?? "") as PdsWish;
const entry = pathOf("Bluesky's server");
/** The package is not a dependency of the project, so its types are declared here. */
const load = async (path: string) => import(pathToFileURL(path).href);
const { PDS, envToCfg, envToSecrets } = await load(entry);
const plc = await load(join(dirname(entry), "../../../@did-plc/lib/dist/index.js"));

async function startDirectory(): Promise<string> {
  const documents = new Map<string, unknown>();
  const server = createServer(async (request, response) => {
    const [did = "", part] = decodeURIComponent(request.url ?? "")
      .slice(1)
      .split("/");
    const say = (status: number, body: unknown) =>
      void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.method === "POST") {
      const operation = await json(request);
      try {
        documents.set(did, await plc.assureValidCreationOp(did, operation));
        say(200, {});
      } catch (error) {
        say(400, { message: String(error) });
      }
      return;
    }
    const data = documents.get(did);
    if (data === undefined) say(404, { message: `DID not registered: ${did}` });
    else say(200, part === "data" ? data : plc.formatDidDoc(data));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  // A host name, because the server rejects IP addresses.
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

const secret = () => randomBytes(32).toString("hex");

async function startServer() {
  const config = envToCfg({
    port: 0,
    hostname: "localhost",
    dataDirectory: wish.folder,
    blobstoreDiskLocation: join(wish.folder, "blobs"),
    blobUploadLimit: wish.blobBytesMax,
    didPlcUrl: await startDirectory(),
    inviteRequired: false,
    enableDidDocWithSession: true,
    rateLimitsEnabled: true,
    devMode: true,
  });
  const secrets = envToSecrets({
    jwtSecret: secret(),
    adminPassword: secret(),
    dpopSecret: secret(),
    plcRotationKeyK256PrivateKeyHex: secret(),
  });
  const pds = await PDS.create(config, secrets);
  // The public URL is that of a TLS proxy. Set afterwards, because the server's OAuth would reject it.
  pds.ctx.cfg.service.publicUrl = wish.publicUrl;
  const server = await pds.start();
  return { pds, port: (server.address() as AddressInfo).port };
}

async function call(port: number, method: string, input: object, token?: string) {
  const answer = await fetch(`http://127.0.0.1:${port}/xrpc/${method}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(input),
  });
  const said = (await answer.json()) as Record<string, string>;
  if (!answer.ok) throw new Error(`${method}: ${said.error} ${said.message}`);
  return said;
}

const { pds, port } = await startServer();
const accounts: PdsAccount[] = [];
for (const { handle, isConfirmed } of wish.accounts) {
  const password = secret();
  const { did = "", accessJwt } = await call(port, "com.atproto.server.createAccount", {
    handle,
    password,
    email: `${handle}@example.com`,
  });
  const made = await call(port, "com.atproto.server.createAppPassword", { name: "kit" }, accessJwt);
  if (isConfirmed) {
    const at = new Date().toISOString();
    await pds.ctx.accountManager.db.db
      .updateTable("account")
      .set({ emailConfirmedAt: at })
      .where("did", "=", did)
      .execute();
  }
  accounts.push({ handle, did, password, appPassword: made.password ?? "" });
}
console.log(JSON.stringify({ port, accounts }));
process.stdin.resume().on("end", () => process.exit(0));
