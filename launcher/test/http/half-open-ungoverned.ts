// The control: a server as Node makes it, without anything that makes room for a newcomer.
import { createServer } from "node:http";

const [port] = process.argv.slice(2);
if (port !== undefined) {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(202).end("{}"));
  });
  server.listen(Number(port), "127.0.0.1");
}
