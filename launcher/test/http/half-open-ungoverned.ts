// A plain Node server without the launcher's limit on connections, as the control.
import { createServer } from "node:http";

const [port] = process.argv.slice(2);
if (port !== undefined) {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => response.writeHead(202).end("{}"));
  });
  server.listen(Number(port), "127.0.0.1");
}
