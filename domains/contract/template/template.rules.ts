import { greys } from "../../../platform/kernel/words.ts";
import type { Words } from "../../../platform/kernel/field.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { asksContractKind, type DocKind, isSigned, onlyKindOf } from "./doc-kind.rules.ts";
import { type Element, type Piece, elements } from "./html.rules.ts";
import { gapsIn, isTextOf, paletteOf } from "./palette.rules.ts";

export const TEMPLATE_STATES = {
  draft: ["未发布", "grey"],
  enabled: ["启用", "green"],
  disabled: ["停用", "grey"],
} as const satisfies Words;

/** The kinds of contracts, as a template says which it is for. */

/** Waiting: published for a later day. Retired: another one is in force. */
export const VERSION_STATES = {
  draft: ["草稿", "grey"],
  waiting: ["待生效", "cyan"],
  published: ["在用", "green"],
  retired: ["已退役", "grey"],
} as const satisfies Words;

/** Whether something was written that no contract takes yet. */
export const DRAFT_STATES = greys({ none: "—", open: "有未发布的修改" });

/** The papers that a template is tried out with. */
export const SAMPLES = greys({
  renter: "样例：租客",
  company: "样例：企业（30 间）",
  merchant: "样例：商铺",
});
export type Sample = keyof typeof SAMPLES;

/** For which kind of contract a template is: its document's own, the chosen one, or any. */
export const contractKindOf = (
  docKind: DocKind,
  chosen: ContractKind | null | undefined,
): ContractKind | null => onlyKindOf(docKind) ?? (asksContractKind(docKind) ? (chosen ?? null) : null);

/** The names that a text uses, each once. */
export const namesUsed = (pieces: readonly Piece[], head: string, foot: string): string[] => [
  ...new Set([
    ...[...elements(pieces)].map((el) => el.name).filter(Boolean),
    ...gapsIn(head),
    ...gapsIn(foot),
  ]),
];

export const anchorsIn = (pieces: readonly Piece[]): string[] =>
  [...elements(pieces)].map((el) => el.anchor).filter(Boolean);

/** The number of the clause in which a field stands: its own, else that of what it stands in; empty where it has none. */
export function anchorOf(pieces: readonly Piece[], name: string): string {
  const all = [...elements(pieces)];
  const field = all.find((el) => el.tag === "field" && el.name === name);
  if (!field || field.anchor) return field?.anchor ?? "";
  return all.findLast((el) => el.anchor && [...elements(el.inside)].includes(field))?.anchor ?? "";
}

/** Names in a place where the paper would not have them. */
const always = (pieces: readonly Piece[]): Element[] =>
  pieces.flatMap((p) => (typeof p === "string" || p.tag === "if" ? [] : [p, ...always(p.inside)]));

/** Why a text cannot be published as a kind of document, in the order of the text; empty when it can. */
export function publishErrors(
  docKind: DocKind,
  pieces: readonly Piece[],
  head: string,
  foot: string,
): string[] {
  const palette = paletteOf(docKind);
  const { clauses, signs, tables, conditions } = palette;
  const known: Record<string, (name: string) => boolean> = {
    field: (name) => isTextOf(palette, name) || clauses.includes(name) || signs.includes(name),
    rows: (name) => tables.includes(name),
    if: (name) => Object.hasOwn(conditions, name),
  };
  const errors: string[] = [];
  const all = [...elements(pieces)];
  if (!all.length) return ["模板没有内容"];
  for (const { tag, name } of all) if (name && !known[tag]!(name)) errors.push(`模板字段 ${name} 不存在`);
  for (const name of [...gapsIn(head), ...gapsIn(foot)])
    if (!isTextOf(palette, name)) errors.push(`模板字段 ${name} 不存在`);
  for (const table of all.filter((el) => el.tag === "table"))
    for (const { name } of elements(table.inside))
      if (signs.includes(name) || clauses.includes(name)) errors.push(`${name} 不能放在表格里`);
  const anchors = anchorsIn(pieces);
  for (const anchor of new Set(anchors.filter((a, i) => anchors.indexOf(a) !== i)))
    errors.push(`条款编号 ${anchor} 重复`);
  const places = new Set(always(pieces).flatMap((el) => (el.tag === "field" ? [el.name] : [])));
  if (isSigned(docKind))
    for (const name of signs)
      if (name.endsWith("客户签字") && !places.has(name)) errors.push(`缺少${name}位置`);
  return [...new Set(errors)];
}

/** A text as lines, the way people read it: fields in braces, a condition before what it holds. */
export function linesOf(pieces: readonly Piece[]): string[] {
  const said = (inside: readonly Piece[]): string =>
    inside
      .map((p) => {
        if (typeof p === "string") return p;
        if (p.tag === "field") return `{${p.name}}`;
        return p.tag === "br" ? " " : said(p.inside);
      })
      .join("");
  const lines = pieces.flatMap((p): string[] => {
    if (typeof p === "string") return [p];
    const no = p.anchor ? `${p.anchor} ` : "";
    switch (p.tag) {
      case "ul":
      case "ol":
        return p.inside.flatMap((item, i) =>
          typeof item === "string" ? [] : [`${p.tag === "ol" ? `${i + 1}.` : "•"} ${said(item.inside)}`],
        );
      case "table":
        return p.inside.flatMap((row) =>
          typeof row === "string"
            ? []
            : [row.inside.map((cell) => (typeof cell === "string" ? "" : said(cell.inside))).join(" | ")],
        );
      case "if":
        return linesOf(p.inside).map((line) => `如${p.name}：${line}`);
      case "rows":
        return [`{${p.name}}`];
      case "hr":
        return ["（分页）"];
      default:
        return [no + said(p.inside)];
    }
  });
  return lines.map((line) => line.trim()).filter(Boolean);
}

export type Difference = { kind: "same" | "added" | "removed"; text: string };

/** What became of the lines of a text: a longest common subsequence, so that a line that moved is removed and added. */
export function differences(before: readonly string[], after: readonly string[]): Difference[] {
  let head = 0;
  while (head < before.length && head < after.length && before[head] === after[head]) head++;
  let tail = 0;
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before.at(-1 - tail) === after.at(-1 - tail)
  )
    tail++;
  const a = before.slice(head, before.length - tail);
  const b = after.slice(head, after.length - tail);
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let k = b.length - 1; k >= 0; k--)
      common[i * width + k] =
        a[i] === b[k]
          ? common[(i + 1) * width + k + 1]! + 1
          : Math.max(common[(i + 1) * width + k]!, common[i * width + k + 1]!);
  const between: Difference[] = [];
  let i = 0;
  let k = 0;
  while (i < a.length || k < b.length) {
    if (i < a.length && k < b.length && a[i] === b[k]) {
      between.push({ kind: "same", text: a[i]! });
      i++;
      k++;
    } else if (
      k === b.length ||
      (i < a.length && common[(i + 1) * width + k]! >= common[i * width + k + 1]!)
    ) {
      between.push({ kind: "removed", text: a[i++]! });
    } else between.push({ kind: "added", text: b[k++]! });
  }
  const same = (texts: readonly string[]) => texts.map((text): Difference => ({ kind: "same", text }));
  return [...same(before.slice(0, head)), ...between, ...same(before.slice(before.length - tail))];
}

export type Shown = Difference | { kind: "skipped"; lines: number };

/** Of a long text the changed lines with some around them; what lies between is counted. */
export function changesIn(lines: readonly Difference[], around = 2): Shown[] {
  const near = lines.map((_, i) =>
    lines.slice(Math.max(0, i - around), i + around + 1).some((line) => line.kind !== "same"),
  );
  return lines.flatMap((line, i): Shown[] => {
    if (near[i]) return [line];
    if (i > 0 && !near[i - 1]) return [];
    const end = near.indexOf(true, i);
    return [{ kind: "skipped", lines: (end < 0 ? lines.length : end) - i }];
  });
}
