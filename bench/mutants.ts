import { parseSync } from "vite";

/** One small change of a source file: the place, what stood there, what stands there now, and what the line becomes. */
export type Mutant = { line: number; from: string; to: string; becomes: string; code: string };

const SWAPS: Record<string, string> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "==": "!=",
  "!=": "==",
  "+": "-",
  "-": "+",
  "*": "/",
  "/": "*",
  "&&": "||",
  "||": "&&",
  "+=": "-=",
  "-=": "+=",
};
const CALLS: Record<string, string> = {
  "Math.min": "Math.max",
  "Math.max": "Math.min",
  minDay: "maxDay",
  maxDay: "minDay",
  some: "every",
  every: "some",
  find: "findLast",
  findLast: "find",
};
type Node = { type: string; start: number; end: number } & Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === "string";

/** Every change of one operator, bound or condition of a source text. What only says a type is left alone. */
export function mutantsOf(file: string, code: string): Mutant[] {
  const mutants: Mutant[] = [];
  const lineOf = (at: number) => code.slice(0, at).split("\n").length;
  const change = (start: number, end: number, to: string) => {
    const line = lineOf(start);
    const changed = code.slice(0, start) + to + code.slice(end);
    const becomes = changed.split("\n")[line - 1]!.trim();
    mutants.push({ line, from: code.slice(start, end), to, becomes, code: changed });
  };
  const textOf = (node: Node) => code.slice(node.start, node.end);
  const isText = (node: unknown): boolean =>
    isNode(node) &&
    ((node.type === "Literal" && typeof node["value"] === "string") ||
      node.type === "TemplateLiteral" ||
      (node.type === "BinaryExpression" && (isText(node["left"]) || isText(node["right"]))));

  function visit(node: Node): void {
    if (
      node.type.startsWith("TS") &&
      !["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"].includes(node.type)
    )
      return;
    const { operator, left, right, test, argument } = node as Record<string, unknown>;
    if (typeof operator === "string" && isNode(left) && isNode(right) && SWAPS[operator]) {
      const at = code.indexOf(operator, left.end);
      // text is joined, not added; one stroke of a bar is a type
      if (!(operator === "+" && (isText(left) || isText(right))))
        change(at, at + operator.length, SWAPS[operator]);
      for (const side of [left, right])
        if (side.type === "Literal" && typeof side["value"] === "number" && operator !== "&&")
          change(side.start, side.end, String(side["value"] + 1));
    }
    if (isNode(test) && (node.type === "IfStatement" || node.type === "ConditionalExpression"))
      change(test.start, test.end, `!(${textOf(test)})`);
    if (node.type === "UnaryExpression" && isNode(argument) && (operator === "!" || operator === "-"))
      change(node.start, node.end, textOf(argument));
    if (node.type === "CallExpression" && isNode(node["callee"])) {
      const callee = node["callee"];
      const name = isNode(callee["property"]) ? callee["property"] : callee;
      const swap = CALLS[textOf(callee)] ?? CALLS[textOf(name)];
      if (swap) {
        const at = swap.includes(".") ? callee : name;
        change(at.start, at.end, swap);
      }
      for (const each of node["arguments"] as Node[])
        if (each.type === "Literal" && typeof each["value"] === "number")
          change(each.start, each.end, String(each["value"] + 1));
    }
    for (const [key, value] of Object.entries(node))
      if (key !== "parent") for (const each of [value].flat()) if (isNode(each)) visit(each);
  }
  visit(parseSync(file, code).program as unknown as Node);
  return mutants;
}
