// Checks the accessibility of what is shown, without colours and sizes, which need a browser.
import assert from "node:assert/strict";
import axe from "axe-core";

export async function assertAccessible(): Promise<void> {
  const { violations } = await axe.run(document.body, {
    resultTypes: ["violations"],
    rules: { "color-contrast": { enabled: false }, "target-size": { enabled: false } },
  });
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`),
    [],
  );
}
