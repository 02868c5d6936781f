// The theoretical limit: a node:http server that parses the same JSON, stores nothing, and answers like Kit.
// Plain JavaScript, so that type stripping does not affect the start time.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";

const [port] = process.argv.slice(2);
const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    const report = JSON.parse(Buffer.concat(chunks).toString());
    const status = typeof report.message === "string" ? 202 : 422;
    const answer = JSON.stringify({ id: randomUUID(), status: "accepted" });
    response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(answer) });
    response.end(answer);
  });
});
server.listen(Number(port), "127.0.0.1");
