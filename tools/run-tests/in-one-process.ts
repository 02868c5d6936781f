// Runs the test files that KIT_TEST_FILES names in this process, each as a suite, so that its hooks are for its own tests.
import { relative } from "node:path";
import { suite } from "node:test";
import { fileURLToPath } from "node:url";

const { KIT_TEST_FILES = "[]" } = process.env;

for (const file of JSON.parse(KIT_TEST_FILES) as string[])
  suite(relative(process.cwd(), fileURLToPath(file)), async () => void (await import(file)));
