// The engines with a binding, and the command that sends an event without one.
import { type Binding, bindings, type EngineDescription, engineDescriptions } from "@kit/contract";

export type Engine = EngineDescription & { readonly binding: Binding };

export const engines: readonly Engine[] = bindings.map((binding) => ({ binding, ...engineDescriptions[binding] }));

export const exampleCommand = "npx kit fire recording mygame_boss_defeated";
