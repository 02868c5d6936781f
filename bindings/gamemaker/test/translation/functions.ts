// GML functions and whole files as JavaScript.
import { expressionCode, rightCode } from "./expressions.ts";
import { declareLocal, newScope, type Scope, type Translation, type World } from "./names.ts";
import type { Node } from "./parser.ts";
import { blockCode } from "./statements.ts";
import { childOf, nodeOf, nodesOf, refuse, textOf, tokenOf } from "./tree.ts";

let functionsMade = 0;

const translationIn = (world: World, scope: Scope): Translation => {
  const t: Translation = {
    world,
    scope,
    expression: (node) => expressionCode(t, node),
    right: (node) => rightCode(t, node),
    functionExpression: (node) => functionCode(t, node),
  };
  return t;
};

/** Static variables are initialized once, when the function is first called, as in GML. */
function staticsCode(t: Translation, body: Node): { outer: string; inner: string } {
  const id = ++functionsMade;
  const values: string[] = [];
  for (const statement of nodesOf(body, "statement")) {
    const found = nodeOf(statement, "staticVarDeclarationStatement");
    if (found === undefined) continue;
    const declaration = nodeOf(found, "staticVarDeclarations") ?? childOf(found, "staticVarDeclaration");
    const name = textOf(declaration, "Identifier");
    const value = rightCode(t, childOf(declaration, "assignmentRightHandSide"));
    values.push(`s_${id}_${name}=${value};`);
    t.scope.statics.set(name, `s_${id}_${name}`);
  }
  if (values.length === 0) return { outer: "", inner: "" };
  const names = [...t.scope.statics.values()].join(",");
  return { outer: `let ${names},s_${id}=false;`, inner: `if(!s_${id}){s_${id}=true;${values.join("")}}` };
}

function functionCode(outer: Translation, node: Node): string {
  if (nodeOf(node, "constructorSuffix")) refuse(node, "constructors are not translated");
  const name = tokenOf(node, "Identifier")?.image;
  const scope = newScope(false);
  const t = translationIn(outer.world, scope);
  const parameters = nodesOf(childOf(node, "functionParameters"), "functionParameter").map((parameter) => {
    const word = textOf(parameter, "Identifier");
    scope.locals.add(word);
    const right = nodeOf(parameter, "assignmentRightHandSide");
    return { code: `l_${word}`, otherwise: right && rightCode(t, right) };
  });
  const body = childOf(node, "blockStatement");
  const { outer: statics, inner } = staticsCode(t, body);
  const defaults = parameters.map(({ code, otherwise }) =>
    otherwise === undefined ? "" : `if(${code}===undefined)${code}=${otherwise};`,
  );
  const block = blockCode(t, body);
  const hoisted = [...scope.hoisted].map((word) => `l_${word}`);
  const head = hoisted.length > 0 ? `let ${hoisted.join(",")};` : "";
  const code = `function(${parameters.map((parameter) => parameter.code).join(",")}){${head}${inner}${defaults.join("")}${block}}`;
  if (name === undefined) return statics === "" ? code : refuse(node, "statics of a nameless function");
  return `${statics}gml_${name}=${code}`;
}

/** Adds the names of a file's functions and macros to the game's. */
export function namesIn(file: Node, world: World): void {
  for (const statement of nodesOf(childOf(file, "statements"), "statement")) {
    const made = nodeOf(statement, "functionStatement");
    const name = made && tokenOf(childOf(made, "functionExpression"), "Identifier");
    if (name) world.scripts.add(name.image);
    const macro = nodeOf(statement, "macroStatement");
    if (macro) {
      const expression = childOf(childOf(macro, "expressionStatement"), "expression");
      const t = translationIn(world, newScope(false));
      world.macros.set(textOf(macro, "Identifier"), expressionCode(t, expression));
    }
  }
}

/** A script file: its functions, and the code that runs once when the game starts. */
export function scriptCode(file: Node, world: World): string {
  const scope = newScope(false);
  const t = translationIn(world, scope);
  const code = blockCode(t, childOf(file, "statements")).slice(1, -1);
  return declared(scope) + code;
}

/** The code of an event. Unknown names are variables of the instance there. */
export function eventCode(file: Node, world: World): string {
  const scope = newScope(true);
  const t = translationIn(world, scope);
  const code = blockCode(t, childOf(file, "statements"));
  return `()=>{${declared(scope)}${code}}`;
}

function declared(scope: Scope): string {
  return scope.hoisted.size > 0 ? `let ${[...scope.hoisted].map((name) => declareLocal(scope, name)).join(",")};` : "";
}
