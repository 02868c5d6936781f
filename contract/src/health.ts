// The health operation, by which other programs recognize Kit on its port, the one that ends Kit, and the description of all.
import { Type } from "typebox";
import { messageSchema } from "./message-schema.ts";
import { operation } from "./operation.ts";

export const Health = Type.Object(
  {
    product: Type.Literal("kit", {
      description: "Always `kit`, so that clients can tell Kit from another program on the port",
    }),
    version: Type.String({ description: "Version of the launcher, e.g. 0.1.0" }),
    capabilities: Type.Array(Type.String(), { description: "Names of the features that this launcher supports" }),
    storage: Type.Object({
      state: Type.Enum(["ok", "failing"]),
      detail: Type.Optional(messageSchema("The problem and how to solve it")),
      notices: Type.Array(messageSchema(), {
        description: "Storage events that the user should know about, such as a restored backup",
      }),
    }),
    dropped: Type.Object(
      { evicted: Type.Integer(), refusals: Type.Integer(), events: Type.Integer() },
      {
        description:
          "Counts since the start: connections closed in favour of newer ones, refused requests no longer listed, and oldest events removed to stay within the maximum size of the journal",
      },
    ),
    proof: Type.Optional(
      Type.String({ description: "HMAC-SHA256 of `<port>:<challenge>` with the install secret as key, in hex" }),
    ),
  },
  { description: "Identity and state of the launcher" },
);
export type Health = Type.Static<typeof Health>;

export const getHealth = operation({
  id: "getHealth",
  method: "GET",
  path: "/api/health",
  access: "public",
  says: "Product, version, capabilities, and whether events can be stored.",
  query: Type.Object({
    challenge: Type.Optional(
      Type.String({ minLength: 16, maxLength: 128, pattern: "^[0-9a-f]+$", description: "16 to 128 hex digits" }),
    ),
  }),
  status: 200,
  reply: Health,
  errors: ["origin_refused", "misdirected", "payload_invalid", "internal"],
});

export const getOpenapi = operation({
  id: "getOpenapi",
  method: "GET",
  path: "/openapi.json",
  access: "public",
  says: "All operations of this launcher, as OpenAPI 3.1.",
  status: 200,
  reply: Type.Object({ openapi: Type.String({ description: "3.1.0; the other members are those of OpenAPI" }) }),
  errors: ["origin_refused", "misdirected", "internal"],
});

export const stopLauncher = operation({
  id: "stopLauncher",
  method: "POST",
  path: "/api/stop",
  access: "session",
  says: "Ends the launcher: it finishes what it is writing, closes its files, and no longer answers.",
  status: 202,
  reply: Type.Object({
    pid: Type.Integer({ description: "The process that ends; it runs on for a moment after this answer" }),
  }),
  errors: ["unknown_parameter", "unauthorized", "origin_refused", "misdirected", "internal"],
});
