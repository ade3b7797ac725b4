import { parseSync } from "vite";

/**
 * One small change of a source file: the place, what stood there, what stands there now, what the line and the whole text become, and
 * the part of the text that a switch between both has to stand in for.
 */
export type Mutant = { line: number; from: string; to: string; becomes: string; code: string; part: Part };
/** From `start` to before `end` stands a value, the name behind a dot, or a statement; `changed` is what it becomes. */
type Part = { start: number; end: number; changed: string; kind: "value" | "member" | "statement" };

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
const CALLS = new Map([
  ["Math.min", "Math.max"],
  ["Math.max", "Math.min"],
  ["minDay", "maxDay"],
  ["maxDay", "minDay"],
  ["some", "every"],
  ["every", "some"],
  ["find", "findLast"],
  ["findLast", "find"],
]);
type Node = { type: string; start: number; end: number } & Record<string, unknown>;
const pick = ({ start, end }: { start: number; end: number }) => ({ start, end });

/**
 * The text with several changes in it, of which that is in force to whose number `globalThis.mutant` says yes; none may lie in
 * the part of another.
 */
export function switchedBetween(code: string, changes: readonly { part: Part; number: number }[]): string {
  const { pieces, at } = changes
    .toSorted((a, b) => a.part.start - b.part.start)
    .reduce(
      ({ pieces, at }, { part: { start, end, changed, kind }, number }) => {
        const is = `globalThis.mutant?.(${number})`;
        const now = code.slice(start, end);
        const dot = code
          .slice(at, start)
          .replace(/\.$/, (_, from: number) => (code[at + from - 1] === "?" ? "." : ""));
        const both = {
          value: () => [code.slice(at, start), `(${is} ? ${changed} : ${now})`],
          member: () => [dot, `[${is} ? "${changed}" : "${now}"]`],
          statement: () => [code.slice(at, start), `if (!(${is})) ${now}`],
        };
        return { pieces: [...pieces, ...both[kind]()], at: end };
      },
      { pieces: [] as string[], at: 0 },
    );
  return [...pieces, code.slice(at)].join("");
}

/** A condition that lets pass or throws. */
const isGuard = ({ consequent, alternate }: Node): boolean => {
  const done = isNode(consequent) && consequent.type === "BlockStatement" ? consequent["body"] : [consequent];
  return !alternate && Array.isArray(done) && done.length === 1 && done[0].type === "ThrowStatement";
};
/** A statement that is there to refuse: `await inScope(…)`, `refuseFrozen(…)`. */
const CHECK = /^(await )?(refuse|check|demand|must|inScope|inSight|needs|admit|unused)\w*\(/;
const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === "string";

/**
 * Every change of one operator, bound or condition of a source text. What only says a type is left alone. With `guards`, a
 * condition that only refuses is taken out instead of turned round, and so is a call made for nothing but its refusal.
 */
export function mutantsOf(file: string, code: string, { guards = false } = {}): Mutant[] {
  const mutants: Mutant[] = [];
  const lineOf = (at: number) => code.slice(0, at).split("\n").length;
  const change = (
    start: number,
    end: number,
    to: string,
    whole = { start, end },
    kind: Part["kind"] = "value",
  ) => {
    const line = lineOf(start);
    const changed = code.slice(0, start) + to + code.slice(end);
    const becomes = changed.split("\n")[line - 1]!.trim();
    const part = {
      ...pick(whole),
      changed: changed.slice(whole.start, whole.end + changed.length - code.length),
      kind,
    };
    mutants.push({ line, from: code.slice(start, end), to, becomes, code: changed, part });
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
        change(at, at + operator.length, SWAPS[operator], node);
      for (const side of [left, right])
        if (side.type === "Literal" && typeof side["value"] === "number" && operator !== "&&")
          change(side.start, side.end, String(side["value"] + 1));
    }
    if (isNode(test) && (node.type === "IfStatement" || node.type === "ConditionalExpression"))
      change(test.start, test.end, guards && isGuard(node) ? "false" : `!(${textOf(test)})`);
    if (guards && node.type === "ExpressionStatement" && CHECK.test(textOf(node)))
      change(node.start, node.end, ";", node, "statement");
    if (node.type === "UnaryExpression" && isNode(argument) && (operator === "!" || operator === "-"))
      change(node.start, node.end, textOf(argument));
    if (node.type === "CallExpression" && isNode(node["callee"])) {
      const callee = node["callee"];
      const name = isNode(callee["property"]) ? callee["property"] : callee;
      const swap = CALLS.get(textOf(callee)) ?? CALLS.get(textOf(name));
      if (swap) {
        const at = swap.includes(".") ? callee : name;
        change(at.start, at.end, swap, at, name === callee || at === callee ? "value" : "member");
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
