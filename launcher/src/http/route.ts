// A route: a declared operation and the function that answers it. Slices export lists of these.
import type { BodyOf, Operation, ParamsOf, QueryOf, ReplyOf } from "@kit/contract";
import type { FastifyReply } from "fastify";

/** Who sent a request, as far as its head tells. */
type Sender = {
  readonly origin: string | null;
  readonly client: string | null;
  /** Its end of the connection. */
  readonly socket: { readonly remotePort?: number | undefined };
};

export type Call<O extends Operation> = {
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  /** A member of the body came more than once. */
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

/** Ties a handler to its operation, with its types. The handler of a stream or a file answers by itself. */
export function route<const O extends Operation>(
  operation: O,
  answer: (call: Call<O>, reply: FastifyReply) => Answer<O> | Promise<Answer<O>>,
): Route {
  return { operation, answer: answer as Route["answer"] };
}
