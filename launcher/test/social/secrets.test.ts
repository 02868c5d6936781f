// Tests that forty secrets, which servers repeat in their answers, are found in the secret store and nowhere else.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "vitest";
import { cannot } from "../../../tools/engines/cannot.ts";
import { createBackup } from "../../src/storage/backup.ts";
import { kit, placeOf } from "../support/kit-command.ts";
import { type LauncherProcess, startLauncherProcess } from "../support/own-launcher.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { postingOf } from "./social-launcher.ts";

type EchoServer = {
  readonly origin: string;
  /** If true, it refuses everything and repeats the credentials in its answer. */
  isRefusing: boolean;
  /** All credentials that it received. */
  readonly given: Set<string>;
  [Symbol.asyncDispose](): Promise<void>;
};

const jsonOf = (text: string): Record<string, string> => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

/** Answers like each network, as far as this test needs it. */
function acceptingAnswer(path: string, method: string, body: Record<string, string>): object {
  if (path.startsWith("/api/v10/webhooks/"))
    return method === "GET"
      ? { type: 1, name: "Hook", guild_id: "1".repeat(18), channel_id: "2".repeat(18) }
      : { id: "3".repeat(18) };
  if (path === "/api/v1/accounts/verify_credentials") return { username: "mika", url: "https://social.example/@mika" };
  if (path === "/api/v1/apps/verify_credentials") return { scopes: ["write"] };
  if (path === "/api/v1/statuses") return { id: "1", url: "https://social.example/@mika/1" };
  const did = "did:plc:krv5owm7mdexltyeylgqfjkj";
  if (path.startsWith("/xrpc/com.atproto.server"))
    return {
      accessJwt: "a.b.c",
      refreshJwt: "a.b.d",
      handle: body.identifier ?? "mika.bsky.social",
      did,
      active: true,
    };
  const cid = "bafkreid6bofletv25thj5hv727fldcelk5r7hz6a7g42v7g7d5wqkwaeeu";
  return { uri: `at://${did}/app.bsky.feed.post/1`, cid, validationStatus: "valid" };
}

async function startEchoServer(): Promise<EchoServer> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { url = "", method = "", headers } = request;
    const text = Buffer.concat(await request.toArray()).toString();
    const { pathname } = new URL(url, echo.origin);
    const body = jsonOf(text);
    const opened = [pathname, headers.authorization ?? "", headers["x-key"], body.password ?? ""].join(" ");
    echo.given.add(opened);
    response.setHeader("content-type", "application/json");
    response.setHeader("x-said", opened.replace(/[^\x20-\x7e]/g, ""));
    if (echo.isRefusing) {
      const said = `No. You are ${opened}`;
      response.statusCode = 400;
      return response.end(JSON.stringify({ message: said, error: said, error_description: said, code: 50035 }));
    }
    return response.end(JSON.stringify(acceptingAnswer(pathname, method, body)));
  };
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const echo: EchoServer = {
    origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    isRefusing: false,
    given: new Set(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
  return echo;
}

/** Forty secrets, each in the form that its field requires. */
function plantedSecrets() {
  const planted: string[] = [];
  const plant = (text: string) => {
    planted.push(text);
    return text;
  };
  return {
    planted,
    token: () => plant(`t0ken_${randomBytes(24).toString("hex")}`),
    hex: () => plant(randomBytes(16).toString("hex")),
    signing: () => `whsec_${plant(randomBytes(24).toString("base64"))}`,
  };
}

type Secrets = ReturnType<typeof plantedSecrets>;

async function giveAll(
  launcher: LauncherProcess,
  echo: EchoServer,
  { token, hex, signing }: Secrets,
): Promise<string[]> {
  const posting = postingOf(launcher);
  const { origin } = echo;
  const times = (count: number) => Array.from({ length: count }, (_, at) => at);
  const accounts: string[] = [];
  const connect = async (...[body]: Parameters<typeof posting.connect>) => {
    accounts.push((await posting.connect(body)).account.id);
  };
  for (const at of times(7)) {
    const url = `${origin}/api/webhooks/${"1".repeat(17)}${at}/${token()}`;
    await connect({ network: "discord", fields: { url } });
  }
  for (const _ of times(7))
    await connect({ network: "webhook", fields: { url: `${origin}/hooks/${token()}`, secret: signing() } });
  await connect({ network: "mastodon", fields: { server: origin, token: token() } });
  await connect({ network: "bluesky", fields: { handle: "mika.bsky.social", password: token(), service: origin } });
  const forward = async (body: object) =>
    assert.equal((await launcher.api("POST", "/api/forwarding", body)).status, 201);
  for (const _ of times(4))
    await forward({ kind: "sentry", address: `http://${hex()}@${new URL(origin).host}/7`, game: null });
  for (const _ of times(4)) {
    const headers = { authorization: `Bearer ${token()}`, "x-key": token(), "x-other": token() };
    await forward({ kind: "otlp", address: `${origin}/v1/logs`, headers, game: null });
  }
  const obs = await launcher.api("PUT", "/api/recorder", { obsPassword: token() });
  assert.equal(obs.status, 200, obs.text);
  return accounts;
}

/** Every file below a folder except those of the secret store. */
const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.startsWith(join(folder, "secrets")) && path !== join(folder, "obs-password"));

const isProcess = (name: string) => /^\d+$/.test(name);
/** What `ps` shows of every process: its arguments, and its environment for its owner. */
function shownByPs(): string {
  const read = (path: string) => {
    try {
      return readFileSync(path, "utf8");
    } catch {
      return "";
    }
  };
  const own = String(process.pid);
  const others = readdirSync("/proc").filter((name) => isProcess(name) && name !== own);
  return others.map((pid) => read(`/proc/${pid}/cmdline`) + read(`/proc/${pid}/environ`)).join("\n");
}

const variantsOf = (secret: string) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString("hex")];

test("forty secrets are in no file outside the store, no answer, no log, no backup and no process arguments", {
  skip: cannot.readProc,
}, async (t) => {
  const folder = temporaryFolder("secrets", t);
  const log = join(folder, "log");
  const within = (command: readonly string[]) => ["/bin/sh", "-c", `exec "$@" 2>>"$0"`, log, ...command];
  await using echo = await startEchoServer();
  await using launcher = await startLauncherProcess({ dataDir: join(folder, "data"), within });
  const posting = postingOf(launcher);
  const secrets = plantedSecrets();
  const accounts = await giveAll(launcher, echo, secrets);
  assert.ok(secrets.planted.length >= 40, `${secrets.planted.length}`);

  const answers: string[] = [];
  const ask = async (method: string, path: string, body?: object) => {
    answers.push((await launcher.api(method, path, body)).text);
  };
  await posting.set({ undoSeconds: 0 });
  const rule = { attach: "none", approval: "automatic", accounts } as const;
  await posting.addRule({ ...rule, accounts, pattern: "calm", text: "calm" });
  const calm = await posting.trigger("calm");
  await posting.postOf(calm, ({ deliveries }) => deliveries.every(({ state }) => state === "sent"));
  echo.isRefusing = true;
  await posting.addRule({ ...rule, accounts, pattern: "angry", text: "angry" });
  const angry = await posting.trigger("angry");
  await launcher.report("No key");
  await posting.postOf(angry, ({ deliveries }) => deliveries.every(({ tries }) => tries > 0));
  const extra = `${echo.origin}/api/webhooks/${"4".repeat(18)}/${secrets.token()}`;
  await ask("POST", "/api/accounts", { network: "discord", fields: { url: extra } });
  await ask("POST", "/api/accounts", { network: "webhook", fields: { url: `http://example.com/${secrets.token()}` } });
  for (const id of accounts) await ask("POST", `/api/accounts/${id}/test`);
  await ask("PUT", `/api/accounts/${accounts[0]}`, { fields: { url: secrets.token() } });
  for (const path of [
    "accounts",
    "posts",
    "post-rules",
    "post-settings",
    "forwarding",
    "recorder",
    "events",
    "health",
    "issues",
  ])
    await ask("GET", `/api/${path}`);
  for (const event of [calm, angry]) answers.push(JSON.stringify(await launcher.receipt(event)));
  const where = placeOf(launcher);
  const ran = [
    ["api", "listAccounts"],
    ["api", "listPosts"],
    ["api", "listForwardTargets"],
    ["api", "listEvents"],
    ["doctor"],
  ];
  for (const words of ran) {
    const { stdout, stderr } = await kit(...words, ...where);
    answers.push(stdout, stderr);
  }
  await launcher.restart("SIGTERM", async () => {
    using database = new DatabaseSync(join(launcher.dataDir, "kit.db"));
    await createBackup(database, join(launcher.dataDir, "backups"), new Date());
  });
  await launcher.restart("SIGKILL");
  const shown = shownByPs();
  // Nothing changes while the files are read.
  await launcher.process().end("SIGKILL");

  const files = [...filesIn(launcher.dataDir), log];
  assert.ok(
    files.some((path) => path.includes("backups")),
    "there is a backup",
  );
  const places = new Map(files.map((path) => [path, readFileSync(path).toString("latin1")]));
  places.set("an answer", answers.join("\n"));
  places.set("ps", shown);
  const found = secrets.planted.flatMap((secret) =>
    [...places].filter(([, text]) => variantsOf(secret).some((each) => text.includes(each))).map(([place]) => place),
  );
  assert.deepEqual(found, []);
  const arrived = [...echo.given].join();
  const seen = secrets.planted.filter((secret) => arrived.includes(secret));
  assert.ok(seen.length >= 20, `${seen.length} were used: servers could have repeated them`);
  console.log(`${secrets.planted.length} secrets, ${seen.length} of them repeated by servers, ${files.length} files`);
});
