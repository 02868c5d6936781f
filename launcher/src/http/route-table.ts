// Finds the admission class of an address and the methods it accepts.
import { ingestOperations, type Operation } from "@kit/contract";
import type { RouteClass } from "./admission/admission.ts";

export type RouteTable = {
  classOf(path: string, method: string): RouteClass;
  methodsAt(path: string): readonly string[];
  /** Returns true if a refusal at this path can help a game's developer, so that it is recorded. */
  recordsRefusals(path: string): boolean;
};

/** Returns the path without the query. */
export const pathWithoutQuery = (target: string) => target.split("?", 1)[0] ?? target;

const ingestPaths: readonly string[] = Object.values(ingestOperations).map(({ path }) => path);

function patternOf(path: string): RegExp {
  const parts = path.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]+")}$`);
}

export function createRouteTable(operations: readonly Operation[]): RouteTable {
  const entries = operations.map((operation) => ({ operation, pattern: patternOf(operation.path) }));
  const at = (path: string) => entries.filter(({ pattern }) => pattern.test(path)).map(({ operation }) => operation);
  return {
    classOf(path, method) {
      if (ingestPaths.includes(path)) return "ingest";
      if (!path.startsWith("/api/")) return path === "/" || path === "/index.html" ? "shell" : "asset";
      const found = at(path);
      return (found.find((operation) => operation.method === method) ?? found[0])?.access ?? "session";
    },
    methodsAt(path) {
      const methods = at(path).map(({ method }) => method);
      return ingestPaths.includes(path) ? [...methods, "OPTIONS"] : methods;
    },
    recordsRefusals: (path) =>
      ingestPaths.includes(path) ||
      (at(path).length === 0 &&
        !/^\/(api\/(events|feed|clips|clips-cleanup|recorder|issues|games|rules|services|origins|sdk|tickets|session|health)\b|assets\/|sdk\/|$)/.test(
          path,
        )),
  };
}
