// Tests of the OpenAPI document that the launcher serves. `npm run check` lints it.
import assert from "node:assert/strict";
import { getOpenapi, operations, problemsByCode } from "@kit/contract";
import { test } from "vitest";
import { httpFolderOfFile } from "../support/http-folder.ts";

type Document = {
  readonly paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, { description: string }> }>
  >;
  readonly components: { readonly schemas: object };
};

const { port } = await httpFolderOfFile({ "index.html": "the page" }, () => () => ({}));

test("the launcher serves an OpenAPI document with every operation, its problems, and the schemas that it names", async () => {
  const text = await (await fetch(`http://127.0.0.1:${port}${getOpenapi.path}`)).text();
  const { paths, components } = JSON.parse(text) as Document;
  for (const { id, method, path, errors } of operations) {
    const written = paths[path]?.[method.toLowerCase()];
    assert.equal(written?.operationId, id);
    for (const code of errors)
      assert.ok(written?.responses[problemsByCode[code].status]?.description.includes(`\`${code}\``), `${id}: ${code}`);
  }
  const named = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
  assert.deepEqual([...named].sort(), Object.keys(components.schemas).sort());
});
