// The health route: says which launcher answers on this port, and what state it is in.
import { getHealth, type Health } from "@kit/contract";
import { listenerProof } from "../secret.ts";
import { type Route, route } from "./route.ts";

export type HealthDeps = {
  readonly version: string;
  readonly port: number;
  readonly secret: string;
  readonly storage: () => { readonly failing: string | null; readonly notices: readonly string[] };
  readonly dropped: () => Health["dropped"];
};

const capabilities = [
  "events",
  "receipts",
  "feed",
  "games",
  "consent",
  "sdk",
  "clips",
  "issues",
  "notices",
  "posts",
  "sessions",
];

export function healthRoutes({ version, port, secret, storage, dropped }: HealthDeps): readonly Route[] {
  return [
    route(getHealth, ({ query: { challenge } }): Health => {
      const { failing, notices } = storage();
      return {
        product: "kit",
        version,
        capabilities,
        storage: {
          state: failing === null ? "ok" : "failing",
          ...(failing === null ? {} : { detail: failing }),
          notices: [...notices],
        },
        dropped: dropped(),
        ...(challenge === undefined ? {} : { proof: listenerProof(secret, port, challenge) }),
      };
    }),
  ];
}
