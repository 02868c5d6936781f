// The engines with a binding, in display order. Their texts are in the contract.
import { type Binding, bindings, type EngineDescription, engineDescriptions } from "@kit/contract";

export type Engine = EngineDescription & { readonly binding: Binding };

export const engines: readonly Engine[] = bindings.map((binding) => ({ binding, ...engineDescriptions[binding] }));
