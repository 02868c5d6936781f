// How anything on this machine tells a Kit from a stranger on the port.
import { Type } from "typebox";
import { operation } from "./operation.ts";

export const Health = Type.Object(
  {
    product: Type.Literal("kit", { description: "What tells a Kit from a stranger on the port" }),
    version: Type.String({ description: "Of the launcher, e.g. 0.1.0" }),
    capabilities: Type.Array(Type.String(), { description: "Names of what this launcher can do" }),
    storage: Type.Object({
      state: Type.Enum(["ok", "failing"]),
      detail: Type.Optional(Type.String({ description: "What is wrong and what to do" })),
      notices: Type.Array(Type.String(), { description: "What happened to the storage that its owner should know" }),
    }),
    dropped: Type.Object(
      { evicted: Type.Integer(), refusals: Type.Integer(), events: Type.Integer() },
      {
        description:
          "Counted since the start: connections closed for newer ones, refusals no longer shown, oldest events removed to keep within the disk's share",
      },
    ),
    proof: Type.Optional(
      Type.String({ description: "HMAC-SHA256 of `<port>:<challenge>` under the install secret, hex" }),
    ),
  },
  { description: "Who answers on this port and how it is" },
);
export type Health = Type.Static<typeof Health>;

export const getHealth = operation({
  id: "getHealth",
  method: "GET",
  path: "/api/health",
  access: "public",
  says: "Product, version, capabilities and whether events can be stored.",
  query: Type.Object({
    challenge: Type.Optional(
      Type.String({ minLength: 16, maxLength: 128, pattern: "^[0-9a-f]+$", description: "16 to 128 hex digits" }),
    ),
  }),
  status: 200,
  reply: Health,
  errors: ["origin_refused", "misdirected", "payload_invalid", "internal"],
});
