// A route is a declared operation with the function that answers it. Slices export lists of routes. `ingest.ts` and `operations.ts`
// call the function and send what it returns.
import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyOf } from "@kit/contract";
import type { FastifyReply } from "fastify";

/** The sender of a request, as its headers and connection describe it. */
type Sender = {
  readonly origin: string | null;
  readonly client: string | null;
  readonly socket: { readonly remotePort?: number | undefined };
};

export type OperationCall<O extends Operation> = {
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  /** True if a member of the body occurs more than once. */
  readonly repeated: boolean;
  readonly sender: Sender;
  readonly header: (name: string) => string | undefined;
};

export type Route = {
  readonly operation: Operation;
  readonly answer: (call: never, reply: FastifyReply) => unknown;
};

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a reply may simply return.
type Nothing = void;
type Answer<O extends Operation> = O extends { stream: true } | { file: string } ? Nothing : Replied<ReplyOf<O>>;
type Replied<R> = R extends undefined ? Nothing : R;

/** Creates a typed route. The handler of a stream or a file writes the response itself. */
export function route<const O extends Operation>(
  operation: O,
  answer: (call: OperationCall<O>, reply: FastifyReply) => Answer<O> | Promise<Answer<O>>,
): Route {
  return { operation, answer: answer as Route["answer"] };
}
