// Hands a response to code that writes it directly: a stream or a file.
import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

/** Returns the raw response with the headers set so far. Fastify no longer writes to it. */
export function takeOverResponse(reply: FastifyReply): ServerResponse {
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value as string);
  return reply.raw;
}
