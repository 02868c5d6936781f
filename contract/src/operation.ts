// How an operation of the wire is declared: once, as data. Server, client, OpenAPI and docs read these objects.
import type { Static, TObject, TSchema } from "typebox";
import type { ProblemCode } from "./problem.ts";

/**
 * Who may call an operation.
 * - `ingest`: games. Native programs and pages of this machine's own servers freely, other web pages by consent.
 * - `public`: any native program and the dashboard's own page; never another web page.
 * - `session`: the dashboard (cookie and token) or a holder of the install secret (bearer).
 * - `media`: the same, or the page's cookie and a pass in the address: an <img> or a <video> cannot send the token.
 * - `download`: the same as `session`, or the page's cookie and a link made for this one download: a browser that saves
 *   a file cannot send the token either.
 * - `ticket`: the dashboard's own page before it has a session.
 */
export type Access = "ingest" | "public" | "session" | "media" | "download" | "ticket";

export type Operation = {
  readonly id: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path with `{name}` for parameters. */
  readonly path: string;
  readonly access: Access;
  /** One sentence: what a caller gets from it. */
  readonly says: string;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  readonly status: 200 | 201 | 202 | 204;
  readonly reply?: TSchema;
  /** Set when the reply is a stream of server-sent events whose `data` is `reply`. */
  readonly stream?: true;
  /** Media type of the reply when it is a file. */
  readonly file?: string;
  /** Set when a part of the file can be asked for: `Range`, and the headers that make a request depend on what a caller has. */
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
