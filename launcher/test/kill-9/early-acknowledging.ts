// Support: a server that acknowledges before it commits. It is the control: the test must find its losses.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const commitEveryMs = 100;
type Event = { readonly id: string; readonly eventId: string };

function serve(port: number, dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, "kit.db"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  database.exec("CREATE TABLE IF NOT EXISTS event (id TEXT NOT NULL UNIQUE, event_id TEXT) STRICT");
  const insert = database.prepare("INSERT INTO event (id, event_id) VALUES (?, ?)");
  let waiting: Event[] = [];
  const commit = () => {
    database.exec("BEGIN");
    for (const { id, eventId } of waiting) insert.run(id, eventId);
    database.exec("COMMIT");
    waiting = [];
  };
  setInterval(commit, commitEveryMs);
  process.once("SIGTERM", () => {
    commit();
    process.exit(0);
  });
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { eventId } = JSON.parse(Buffer.concat(chunks).toString()) as { eventId: string };
      const id = randomUUID();
      waiting.push({ id, eventId });
      response.writeHead(202, { "content-type": "application/json" }).end(JSON.stringify({ id, status: "accepted" }));
    });
  });
  server.listen(port, "127.0.0.1");
}

const [port, dataDir] = process.argv.slice(2);
if (port !== undefined && dataDir !== undefined) serve(Number(port), dataDir);
