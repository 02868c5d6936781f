// The servers that Kit is compared with. Plain JavaScript, so that type stripping does not affect the start time.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { join } from "node:path";

const [kind, port, folder] = process.argv.slice(2);
const host = "127.0.0.1";

/** Answers every request on `node:http` with what `handle` makes of its JSON. */
function listen(handle) {
  const server = createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const { id = randomUUID(), status } = handle(JSON.parse(Buffer.concat(chunks).toString()));
      const answer = JSON.stringify({ id, status: "accepted" });
      response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) });
      response.end(answer);
    });
  });
  server.listen(Number(port), host);
}

const statusOf = (report) => (typeof report.message === "string" ? 202 : 422);

/** The theoretical limit: parses the same JSON, stores nothing, and answers like Kit. */
const bare = () => listen((report) => ({ status: statusOf(report) }));

/** The cost of simple durability: one transaction per request on the main thread. */
async function naive() {
  const { DatabaseSync } = await import("node:sqlite");
  const database = new DatabaseSync(join(folder, "naive.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  database.exec(
    "CREATE TABLE IF NOT EXISTS event (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, payload TEXT NOT NULL) STRICT",
  );
  const insert = database.prepare("INSERT INTO event (id, payload) VALUES (?, ?)");
  listen((report) => {
    const id = randomUUID();
    // Each statement is its own transaction.
    insert.run(id, JSON.stringify(report));
    return { id, status: 202 };
  });
}

await { bare, naive }[kind]();
