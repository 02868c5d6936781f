// Names with what follows them: calls, members and [ ] of every kind, for reading and for assignment.
import { type Meaning, meaningOf, type Translation } from "./names.ts";
import { binaryCode } from "./operators.ts";
import type { Node } from "./parser.ts";
import { childOf, isNode, nodeOf, nodesOf, onlyNodeOf, onlyOf, refuse, tokenOf } from "./tree.ts";

/** An expression that can be read, and perhaps written. */
export type Place = { readonly read: string; readonly write: ((value: string) => string) | undefined };

const meaningPlace = (meaning: Meaning): Place => {
  switch (meaning.kind) {
    case "variable":
      return { read: meaning.code, write: (value) => `${meaning.code}=${value}` };
    case "instance":
      return memberPlace("rt.self", JSON.stringify(meaning.name));
    case "builtIn":
      return { read: `rt.builtIn(${JSON.stringify(meaning.name)})`, write: undefined };
    default:
      return { read: meaning.code, write: undefined };
  }
};

const memberPlace = (struct: string, name: string): Place => ({
  read: `rt.member(${struct},${name})`,
  write: (value) => `rt.setMember(${struct},${name},${value})`,
});

function argumentsCode(t: Translation, call: Node): string[] {
  return nodesOf(call, "functionArgument").map((given) => t.right(childOf(given, "assignmentRightHandSide")));
}

function callCode(t: Translation, meaning: Meaning | undefined, place: Place, call: Node): Place {
  const given = argumentsCode(t, call);
  if (meaning?.kind === "builtIn") {
    const { name, builtIn } = meaning;
    if (builtIn.kind !== "function") return refuse(call, `${name} is no function`);
    if (given.length < builtIn.least || given.length > builtIn.most) {
      refuse(call, `${name} takes ${builtIn.least} to ${builtIn.most} arguments, not ${given.length}`);
    }
    return { read: `rt.call(${[JSON.stringify(name), ...given].join(",")})`, write: undefined };
  }
  return { read: `rt.function(${place.read})(${given.join(",")})`, write: undefined };
}

function suffixPlace(t: Translation, place: Place, suffix: Node): Place {
  const indices = nodesOf(suffix, "expression");
  const [index] = indices;
  if (suffix.name === "dotAccessSuffix") {
    const name = onlyOf(childOf(suffix, "identifier"));
    return isNode(name) ? refuse(suffix, "an odd name") : memberPlace(place.read, JSON.stringify(name.image));
  }
  if (index === undefined || indices.length > 1) return refuse(suffix, `${suffix.name} is not translated`);
  const at = t.expression(index);
  switch (suffix.name) {
    case "arrayAccessSuffix":
      return { read: `rt.at(${place.read},${at})`, write: (value) => `rt.setAt(${place.read},${at},${value})` };
    case "structAccessSuffix":
      return {
        read: `rt.maybeMember(${place.read},${at})`,
        write: (value) => `rt.setMember(${place.read},${at},${value})`,
      };
    case "mapAccessSuffix":
      return {
        read: `rt.call("ds_map_find_value",${place.read},${at})`,
        write: (value) => `rt.call("ds_map_set",${place.read},${at},${value})`,
      };
    default:
      return refuse(suffix, `${suffix.name} is not translated`);
  }
}

export function placeOf(t: Translation, accessor: Node): Place {
  if (tokenOf(accessor, "New")) refuse(accessor, "new is not translated");
  const word = onlyOf(childOf(accessor, "identifier"));
  if (isNode(word)) return refuse(accessor, "an odd name");
  let meaning: Meaning | undefined = meaningOf(t.world, t.scope, word.image, accessor);
  let place = meaningPlace(meaning);
  for (const wrapped of nodesOf(accessor, "accessorSuffixes")) {
    const suffix = onlyNodeOf(wrapped);
    place = suffix.name === "functionArguments" ? callCode(t, meaning, place, suffix) : suffixPlace(t, place, suffix);
    meaning = undefined;
  }
  if (meaning?.kind === "builtIn" && meaning.builtIn.kind === "function") {
    refuse(accessor, `${meaning.name} is taken as a value, not called`);
  }
  return place;
}

export const accessorCode = (t: Translation, accessor: Node): string => placeOf(t, accessor).read;

/** `place op= right`, from a node that contains the operator and the right side. */
export function assignmentCode(t: Translation, place: Place, assignment: Node): string {
  if (place.write === undefined) return refuse(assignment, "this cannot be assigned to");
  const operator = tokenOf(assignment, "AssignmentOperator")?.image ?? refuse(assignment, "no operator");
  const right = t.right(childOf(assignment, "assignmentRightHandSide"));
  if (operator === "=" || operator === ":=") return place.write(right);
  return place.write(binaryCode(operator.slice(0, -1), place.read, right));
}

/** An expression that is a statement: an assignment, a call or ++. */
export function effectCode(t: Translation, expression: Node): string {
  const primary = childOf(expression, "primaryExpression");
  const accessor = nodeOf(primary, "identifierAccessor");
  const assignment = accessor && nodeOf(accessor, "assignment");
  if (accessor && assignment) return assignmentCode(t, placeOf(t, accessor), assignment);
  if (nodeOf(expression, "assignment")) return refuse(expression, "this cannot be assigned to");
  return t.expression(expression);
}
