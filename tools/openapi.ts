// `npm run openapi`: writes the HTTP API as OpenAPI 3.1 to dist/openapi.json. A launcher serves the same at /openapi.json.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openapiDocument } from "@kit/contract/openapi";
import { versionOf } from "./bundle/sdk.ts";
import { repositoryRoot } from "./repository.ts";

mkdirSync(join(repositoryRoot, "dist"), { recursive: true });
writeFileSync(
  join(repositoryRoot, "dist/openapi.json"),
  `${JSON.stringify(openapiDocument(versionOf(repositoryRoot)), undefined, 2)}\n`,
);
