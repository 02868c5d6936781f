// Declares API operations as data, from which the server, the client, the OpenAPI description and `kit api` are
// made.
import type { Static, TObject, TSchema } from "typebox";
import type { ProblemCode } from "./problem.ts";

/**
 * Who may call an operation.
 * - `ingest`: games. Native programs and web pages of this computer's own servers always, other web pages with consent.
 * - `public`: any native program and the dashboard, but no other web page.
 * - `session`: the dashboard, with cookie and token, or a program with the install secret as bearer token.
 * - `media`: like `session`, or the cookie and a pass in the address, because <img> and <video> cannot send the token.
 * - `download`: like `session`, or the cookie and a link made for this download, because a browser that saves a file
 *   cannot send the token.
 * - `ticket`: the dashboard before it has a session.
 */
export type Access = "ingest" | "public" | "session" | "media" | "download" | "ticket";

export type Operation = {
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path with `{name}` for parameters. */
  readonly path: string;
  readonly access: Access;
  /** One sentence on what the operation does or returns. */
  readonly says: string;
  readonly params?: TObject;
  readonly query?: TObject;
  /** A member with `writeOnly` is a credential: it is never returned, and never in a command line. */
  readonly body?: TObject;
  readonly status: 200 | 201 | 202 | 204;
  readonly reply?: TSchema;
  /** Set if the response is a stream of server-sent events. Their `data` has the schema `reply`. */
  readonly stream?: true;
  /** Media type of the response if it is a file. */
  readonly file?: string;
  /** Set if the operation supports range and conditional requests. */
  readonly ranged?: true;
  readonly errors: readonly ProblemCode[];
};

/** Declares an operation and keeps its exact type. */
export const operation = <const T extends Operation>(declared: T): T => declared;

type StaticOr<S, Otherwise> = S extends TSchema ? Static<S> : Otherwise;
type Part<O extends Operation, K extends "params" | "query" | "body"> =
  O extends Record<K, TSchema> ? StaticOr<O[K], never> : undefined;

export type ParamsOf<O extends Operation> = Part<O, "params">;
export type QueryOf<O extends Operation> = Part<O, "query">;
export type BodyOf<O extends Operation> = Part<O, "body">;
export type ReplyOf<O extends Operation> = O extends { reply: infer R } ? StaticOr<R, undefined> : undefined;
