// The cost of a framework: the same handler behind Fastify, with the body as bytes. Plain JavaScript like bare.js.
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";

const Fastify = createRequire(new URL("../../launcher/package.json", import.meta.url))("fastify");

const [port] = process.argv.slice(2);
const app = Fastify();
app.removeAllContentTypeParsers();
app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, bytes, done) => {
  done(null, JSON.parse(bytes.toString()));
});
app.post("*", async (request, reply) => {
  reply.code(typeof request.body.message === "string" ? 202 : 422).header("content-type", "application/json");
  return JSON.stringify({ id: randomUUID(), status: "accepted" });
});
await app.listen({ port: Number(port), host: "127.0.0.1" });
