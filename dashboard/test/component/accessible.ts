// Checks the accessibility of what is shown, without colours and sizes, which need a browser.
import assert from "node:assert/strict";
import axe from "axe-core";

const off = { enabled: false };
const needsBrowser = { "color-contrast": off, "target-size": off };
/** An open dialog is modal: a browser hides the landmarks of the page behind it, and axe sees that only by the layout. */
const needsBrowserInDialog = { ...needsBrowser, "landmark-no-duplicate-banner": off, "landmark-unique": off };

export async function assertAccessible(): Promise<void> {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  const { violations } = await axe.run(dialog ?? document.body, {
    resultTypes: ["violations"],
    // Would wait for the metadata of videos, which are never loaded here.
    preload: false,
    rules: dialog ? needsBrowserInDialog : needsBrowser,
  });
  assert.deepEqual(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`),
    [],
  );
}
