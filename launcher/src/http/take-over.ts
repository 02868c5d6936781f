// Hands an answer over to code that writes it itself: a stream, or a file.
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

/** The raw answer, with the headers that were set so far. Fastify sends nothing more. */
export function takeOver(reply: FastifyReply): ServerResponse {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value as string);
  return reply.raw;
}
