// Every account field has a translated label and help; in English both equal the contract's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { accountFields, networks } from "@kit/contract";
import { fieldText } from "./field-text.ts";

test("every field of every network has a translated text, which in English equals the contract's", () => {
  for (const network of networks) {
    for (const field of accountFields[network]) {
      const words = fieldText(network, field);
      assert.notEqual(words, field);
      assert.deepEqual(words, { label: field.label, help: field.help });
    }
  }
});
