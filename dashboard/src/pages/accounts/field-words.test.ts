// Every field has words in the page's language, and in English they are the contract's.
import assert from "node:assert/strict";
import { test } from "node:test";
import { accountFields, networks } from "@kit/contract";
import { fieldWords } from "./field-words.ts";

test("every field of every network has words of its own, which in English are those of the contract", () => {
  for (const network of networks) {
    for (const field of accountFields[network]) {
      const words = fieldWords(network, field);
      assert.notEqual(words, field);
      assert.deepEqual(words, { label: field.label, help: field.help });
    }
  }
});
