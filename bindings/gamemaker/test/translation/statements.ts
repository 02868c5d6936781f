// GML statements as JavaScript.
import { assignmentCode, effectCode } from "./accessors.ts";
import { declareLocal, meaningOf, type Translation } from "./names.ts";
import type { Node } from "./parser.ts";
import { childOf, nodeOf, nodesOf, onlyNodeOf, refuse, textOf, tokenOf } from "./tree.ts";

type Translate = (t: Translation, node: Node) => string;

export const blockCode: Translate = (t, block) => `{${statementsCode(t, block)}}`;

const statementsCode: Translate = (t, node) =>
  nodesOf(node, "statement")
    .map((statement) => statementCode(t, statement))
    .join("");

/** A block, or the single statement in its place. */
const bodyCode: Translate = (t, node) => {
  const body = childOf(node, "blockableStatement");
  const block = nodeOf(body, "blockStatement");
  return block ? blockCode(t, block) : `{${statementCode(t, childOf(body, "statement"))}}`;
};

const conditionCode: Translate = (t, node) => `rt.bool(${t.expression(childOf(node, "expression"))})`;

const declarationsCode: Translate = (t, node) =>
  nodesOf(node, "localVarDeclaration")
    .map((declaration) => {
      const right = nodeOf(declaration, "assignmentRightHandSide");
      const value = right ? t.right(right) : "undefined";
      return `${declareLocal(t.scope, textOf(declaration, "Identifier"))}=${value}`;
    })
    .join(",");

const ifCode: Translate = (t, node) => {
  const others = nodesOf(node, "elseIfStatement").map(
    (other) => `else if(${conditionCode(t, other)})${bodyCode(t, other)}`,
  );
  const last = nodeOf(node, "elseStatement");
  return `if(${conditionCode(t, node)})${bodyCode(t, node)}${others.join("")}${last ? `else${bodyCode(t, last)}` : ""}`;
};

const forCode: Translate = (t, node) => {
  const declared = nodeOf(node, "localVarDeclarations");
  const expressions = nodesOf(node, "expression");
  const first = declared ? declarationsCode(t, declared) : effectCode(t, expressions.shift() ?? node);
  const [condition, step] = expressions;
  if (condition === undefined || step === undefined) return refuse(node, "for without all its parts");
  return `for(${first};rt.bool(${t.expression(condition)});${effectCode(t, step)})${bodyCode(t, node)}`;
};

const switchCode: Translate = (t, node) => {
  const parts = [...nodesOf(node, "caseStatement"), ...nodesOf(node, "defaultStatement")].map((part) => {
    const value = nodeOf(part, "expression");
    const label = value ? `case rt.binary["=="]($value,${t.expression(value)}):` : "default:";
    const inner = childOf(part, "blockableStatements");
    const body = nodeOf(inner, "blockStatement") ?? nodeOf(inner, "statements");
    return label + (body ? statementsCode(t, body) : "");
  });
  return `{const $value=${t.expression(childOf(node, "expression"))};switch(true){${parts.join("")}}}`;
};

const tryCode: Translate = (t, node) => {
  const [body, last] = nodesOf(node, "blockStatement");
  const caught = nodeOf(node, "catchStatement");
  if (body === undefined) return refuse(node, "try without a block");
  let code = `try${blockCode(t, body)}`;
  if (caught) {
    const name = declareLocal(t.scope, textOf(caught, "Identifier"));
    code += `catch($error){${name}=rt.exception($error);${blockCode(t, childOf(caught, "blockStatement"))}}`;
  }
  if (last) {
    const after = blockCode(t, last);
    if (/\b(return|break|continue)\b/.test(after)) refuse(last, "finally may not be left by return, break or continue");
    code += `finally${after}`;
  }
  return code;
};

const statements: Readonly<Record<string, Translate>> = {
  jsdoc: () => "",
  emptyStatement: () => "",
  macroStatement: () => "",
  staticVarDeclarationStatement: () => "",
  functionStatement: (t, node) => `${t.functionExpression(childOf(node, "functionExpression"))};`,
  localVarDeclarationsStatement: (t, node) => `${declarationsCode(t, childOf(node, "localVarDeclarations"))};`,
  expressionStatement: (t, node) => `${effectCode(t, childOf(node, "expression"))};`,
  ifStatement: ifCode,
  forStatement: forCode,
  switchStatement: switchCode,
  tryStatement: tryCode,
  whileStatement: (t, node) => `while(${conditionCode(t, node)})${bodyCode(t, node)}`,
  doUntilStatement: (t, node) => `do${bodyCode(t, node)}while(!${conditionCode(t, node)});`,
  repeatStatement: (t, node) =>
    `for(let $left=rt.num(${t.expression(childOf(node, "expression"))});$left>0;$left--)${bodyCode(t, node)}`,
  breakStatement: () => "break;",
  continueStatement: () => "continue;",
  exitStatement: () => "return;",
  returnStatement: (t, node) => {
    const right = nodeOf(node, "assignmentRightHandSide");
    return `return ${right ? t.right(right) : ""};`;
  },
  variableAssignmentStatement: (t, node) => {
    const assignment = childOf(node, "variableAssignment");
    const name = tokenOf(assignment, "Identifier")?.image ?? "";
    const meaning = meaningOf(t.world, t.scope, name, assignment);
    if (meaning.kind === "instance") {
      const write = (value: string) => `rt.setMember(rt.self,${JSON.stringify(name)},${value})`;
      return `${assignmentCode(t, { read: `rt.member(rt.self,${JSON.stringify(name)})`, write }, assignment)};`;
    }
    if (meaning.kind !== "variable") return refuse(assignment, `'${name}' cannot be assigned to`);
    return `${assignmentCode(t, { read: meaning.code, write: (value) => `${meaning.code}=${value}` }, assignment)};`;
  },
};

function statementCode(t: Translation, statement: Node): string {
  const node = onlyNodeOf(statement);
  const code = statements[node.name];
  return code ? code(t, node) : refuse(node, `${node.name} is not translated`);
}
