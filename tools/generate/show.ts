// The function with which each file of examples adds its own.
import type { BodyOf, Operation, ReplyOf } from "@kit/contract";

export type Show = <O extends Operation>(operation: O, example: { body?: BodyOf<O>; reply?: ReplyOf<O> }) => void;
