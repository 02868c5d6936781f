// Tests of links into editors: the documented forms, and exactly one scheme for any path.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Editor, editors } from "@kit/contract";
import { editorLink } from "./sources.ts";

const target = { path: "/src/My Game/a#b.gd", within: ["a#b.gd"], line: 12, column: 3, project: "My Game" };

for (const [editor, link] of [
  ["vscode", "vscode://file/src/My%20Game/a%23b.gd:12:3"],
  ["vscodium", "vscodium://file/src/My%20Game/a%23b.gd:12:3"],
  ["cursor", "cursor://file/src/My%20Game/a%23b.gd:12:3"],
  ["rider", "jetbrains://rider/navigate/reference?project=My%20Game&path=a%23b.gd:11:2"],
  ["godot", null],
  ["gamemaker", null],
  ["other", null],
] as const satisfies readonly (readonly [Editor, string | null])[]) {
  test(`${editor}: ${link ?? "has no links"}`, () => assert.equal(editorLink(editor, target), link));
}

test("a drive letter keeps its colon, and a missing line or column is not invented", () => {
  const path = "C:\\src\\a.cs";
  assert.equal(editorLink("vscode", { ...target, path, column: null }), "vscode://file/C:/src/a.cs:12");
  assert.equal(editorLink("vscode", { ...target, path, line: null }), "vscode://file/C:/src/a.cs");
  assert.equal(editorLink("vscode", { ...target, path, line: 0 }), "vscode://file/C:/src/a.cs");
});

test("a path cannot choose the scheme of a link or add to its query", () => {
  for (const editor of editors) {
    const hostile = "javascript:alert(1)&project=x?y#z\n";
    const link = editorLink(editor, { ...target, path: `/src/${hostile}`, within: [hostile], project: hostile });
    if (link === null) continue;
    assert.match(link, /^(vscode|vscodium|cursor):\/\/file\/|^jetbrains:\/\/rider\/navigate\/reference\?project=/);
    assert.doesNotMatch(link, /javascript:|\n|#/);
    assert.ok((link.match(/[?&]/g) ?? []).length <= 2);
  }
});
