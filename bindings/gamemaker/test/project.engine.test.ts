// Tests of the project with Stitch's parser and GameMaker's own list of built-ins, and that they would find mistakes.
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "vitest";
import { skipWithout } from "../../../tools/engines/locate.ts";
import { loadGame, projectDir, readProject, sdkPath } from "./game.ts";
import { record } from "./recorded.ts";
import { openProject } from "./translation/parser.ts";

const skip = skipWithout("GML parser");

function copyProject(t: TestContext): string {
  const copy = mkdtempSync(join(tmpdir(), "kit-gml-project-"));
  t.onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(projectDir, copy, { recursive: true });
  return copy;
}

/** The parser's findings after one change in the script. */
async function findingsAfter(t: TestContext, from: string, to: string): Promise<string> {
  const copy = copyProject(t);
  const path = join(copy, sdkPath);
  const source = readFileSync(path, "utf8");
  assert.ok(source.includes(from), `the script contains ${from}`);
  writeFileSync(path, source.replace(from, to));
  return (await openProject(join(copy, "KitDemo.yyp"))).findings.join("\n");
}

test("the parser loads the whole project without error or warning", { skip }, async () => {
  const { project, findings } = await openProject(join(projectDir, "KitDemo.yyp"));
  assert.deepEqual(findings, []);
  const assets = [...project.assets.values()].map(({ name, assetKind }) => `${assetKind}/${name}`).sort();
  assert.deepEqual(assets, ["objects/obj_kit_demo", "rooms/rm_kit_demo", "scripts/kit_sdk"]);
});

test("the editor knows each public function with types and optional arguments", { skip }, async () => {
  const { project } = await openProject(join(projectDir, "KitDemo.yyp"));
  const signature = (name: string) => {
    const member = project.self.getMember(name);
    assert.ok(member?.description, `${name} has a description`);
    const parameters = member.type.type[0]?.listParameters?.() ?? [];
    return parameters.map((each) => `${each.name}${each.optional ? "?" : ""}: ${each.type.toFeatherString()}`);
  };
  assert.deepEqual(signature("kit_init"), ["_config?: Struct"]);
  assert.deepEqual(signature("kit_recording_trigger"), ["_event_id: String"]);
  assert.deepEqual(signature("kit_monitor_report"), ["_message: String|Struct", "_stack_trace?: Array<String>|String"]);
  assert.deepEqual(signature("kit_social_trigger"), ["_event_id: String"]);
});

test("a misspelt built-in is found", { skip }, async (t) => {
  assert.match(await findingsAfter(t, "http_request(_url", "http_reqest(_url"), /http_reqest/);
});

test("an undeclared name is found", { skip }, async (t) => {
  assert.match(await findingsAfter(t, "is_string(_url)) _settings", "is_string(_uri)) _settings"), /_uri/);
});

test("a missing argument is found", { skip }, async (t) => {
  assert.match(
    await findingsAfter(
      t,
      "string_replace_all(_text, _escapes[_i], _escapes[_i + 1])",
      "string_replace_all(_text, _escapes[_i])",
    ),
    /[Mm]issing/,
  );
});

test("a syntax error is found", { skip }, async (t) => {
  assert.match(await findingsAfter(t, "global.__kit_config = _settings;", "global.__kit_config = ;"), /error/);
});

test("every private function and constant is hidden from the editor's suggestions", () => {
  const source = readProject(sdkPath);
  const privates = [...source.matchAll(/^function (__\w+)/gm)].map(([, name]) => name);
  assert.ok(privates.length > 10);
  for (const name of privates) {
    assert.match(source, new RegExp(`/// @ignore\\n(///.*\\n)*function ${name}\\(`), `${name} has @ignore`);
  }
  const globals = [...source.matchAll(/^(?:function|#macro) (\w+)/gm)].map(([, name = ""]) => name);
  const visible = globals.filter((name) => !name.startsWith("__"));
  assert.deepEqual(visible, ["kit_init", "kit_recording_trigger", "kit_monitor_report", "kit_social_trigger"]);
});

test("each key of the demo sends its event", { skip }, async () => {
  const folder = "objects/obj_kit_demo";
  const keys = { R: "KeyPress_82", M: "KeyPress_77", S: "KeyPress_83" };
  const names = ["Create_0", "Draw_0", ...Object.values(keys)];
  const events = Object.fromEntries(names.map((name) => [name, readProject(`${folder}/${name}.gml`)]));
  const listed = [...readProject(`${folder}/obj_kit_demo.yy`).matchAll(/"eventNum":(\d+),"eventType":(\d+)/g)];
  assert.deepEqual(listed.map(([, number, type]) => `${type}:${number}`).sort(), [
    "0:0",
    "8:0",
    "9:77",
    "9:82",
    "9:83",
  ]);
  const drawn: string[] = [];
  const functions = { draw_text: (_x: number, _y: number, text: string) => void drawn.push(text) };
  const { game, sent, payloads } = record(await loadGame(events), { functions });
  game.events.Create_0?.();
  for (const name of Object.values(keys)) game.events[name]?.();
  game.events.Draw_0?.();
  assert.deepEqual(
    sent.map(({ url }) => new URL(url).pathname),
    ["/api/recording/trigger", "/api/monitor/report", "/api/social/trigger"],
  );
  assert.equal(payloads()[1]?.stackTrace, "gml_Object_obj_demo_Create_0:1\n0");
  assert.ok(drawn.some((line) => line.includes("kitdemo_all_stars")));
});
