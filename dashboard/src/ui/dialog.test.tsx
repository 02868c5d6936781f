// Tests of what closes a dialog: never a click inside it, and never before a person agreed to lose what they typed.
import assert from "node:assert/strict";
import { fireEvent, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { onTestFinished, test } from "vitest";
import { Dialog } from "./dialog.tsx";

const words = { title: "Post this clip", field: "Text", button: "Post" };

function openDialog() {
  let closed = 0;
  const { unmount } = render(
    <Dialog labelledBy="title" className="panel" onClose={() => (closed += 1)}>
      <h2 id="title">{words.title}</h2>
      <input aria-label={words.field} />
      <button type="button">{words.button}</button>
    </Dialog>,
  );
  onTestFinished(unmount);
  const dialog = screen.getByRole("dialog");
  dialog.getBoundingClientRect = () => new DOMRect(100, 100, 400, 300);
  const press = (x: number, y: number) => fireEvent.pointerDown(dialog, { clientX: x, clientY: y });
  const click = (x: number, y: number) => fireEvent.click(dialog, { clientX: x, clientY: y });
  return {
    press,
    click,
    cancel: (cancelable = true) => fireEvent(dialog, new Event("cancel", { cancelable })),
    closed: () => closed,
  };
}

test("a click in the padding of a dialog does not close it, and one outside does", () => {
  const { press, click, closed } = openDialog();
  press(110, 110);
  click(110, 110);
  assert.equal(closed(), 0);
  press(50, 50);
  click(50, 50);
  assert.equal(closed(), 1);
});

test("text that is marked from inside to outside does not close a dialog", () => {
  const { press, click, closed } = openDialog();
  press(300, 200);
  click(50, 50);
  assert.equal(closed(), 0);
});

test("a dialog in which something was typed asks before it closes", async () => {
  const { cancel, press, click, closed } = openDialog();
  await userEvent.type(screen.getByLabelText(words.field), "Mine");
  cancel();
  assert.equal(closed(), 0);
  await userEvent.click(screen.getByRole("button", { name: "Keep editing" }));
  assert.ok(screen.queryByText("Close and discard what you typed?") === null);
  press(50, 50);
  click(50, 50);
  assert.equal(closed(), 0);
  await userEvent.click(screen.getByRole("button", { name: "Discard" }));
  assert.equal(closed(), 1);
});

test("a second Escape, with which the browser closes the dialog by itself, is no question any more", async () => {
  const { cancel, closed } = openDialog();
  await userEvent.type(screen.getByLabelText(words.field), "Mine");
  cancel();
  cancel(false);
  assert.equal(closed(), 1);
});
