// The cost of simple durability: one transaction per request on the main thread. Plain JavaScript like bare.js.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const [port, folder] = process.argv.slice(2);
const database = new DatabaseSync(join(folder, "naive.db"));
database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
database.exec("CREATE TABLE event (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, payload TEXT NOT NULL) STRICT");
const insert = database.prepare("INSERT INTO event (id, payload) VALUES (?, ?)");

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const payload = JSON.stringify(JSON.parse(Buffer.concat(chunks).toString()));
    const id = randomUUID();
    // Each statement is its own transaction.
    insert.run(id, payload);
    const answer = JSON.stringify({ id, status: "accepted" });
    response.writeHead(202, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) });
    response.end(answer);
  });
});
server.listen(Number(port), "127.0.0.1");
