import type { Align, Block, Paper, Run } from "../../system/paper/block.rules.ts";
import { type Element, elements, type Piece } from "./html.rules.ts";
import { filledLine, SEAM, type Values } from "./palette.rules.ts";

const INDENT = 18;

/** What a name stands for; a name that a text made up stands for nothing. */
const of = <T>(all: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(all, name) ? all[name] : undefined;

/** The runs of a line; breaks are line feeds. */
function runsOf(pieces: readonly Piece[], values: Values, strong = false): Run[] {
  const { texts, clauses, sides } = values;
  return pieces.flatMap((piece): Run[] => {
    if (typeof piece === "string") return [{ text: piece, strong }];
    if (piece.tag === "br") return [{ text: "\n", strong }];
    if (piece.tag === "b") return runsOf(piece.inside, values, true);
    if (piece.tag !== "field" || piece.name === SEAM) return [];
    if (of(clauses, piece.name) || of(sides, piece.name)) return [];
    return [{ text: of(texts, piece.name) ?? `{${piece.name}}`, strong }];
  });
}

/** Without what white space stands at either end, neighbours of one weight together. */
function tidy(runs: readonly Run[]): Run[] {
  const joined: Run[] = [];
  for (const { text, strong = false } of runs) {
    const last = joined.at(-1);
    if (last && last.strong === strong) last.text += text;
    else joined.push({ text, strong });
  }
  if (joined.length) {
    joined[0]!.text = joined[0]!.text.replace(/^ +/, "");
    joined.at(-1)!.text = joined.at(-1)!.text.trimEnd();
  }
  return joined.filter((run) => run.text);
}

const plain = (runs: readonly Run[]) => runs.map((run) => run.text).join("");
const fieldsOf = (pieces: readonly Piece[]): Element[] =>
  pieces.flatMap((p) => (typeof p === "string" ? [] : p.tag === "field" ? [p] : fieldsOf(p.inside)));

/** A paragraph, the clauses that are named in it, and the places to sign, in this order. */
function paragraph(el: Element, values: Values, more: { indent?: number; mark?: string } = {}): Block[] {
  const runs = tidy(runsOf(el.inside, values));
  const fields = fieldsOf(el.inside);
  const clauses = fields.filter((f) => of(values.clauses, f.name));
  const sides = fields.flatMap(({ name }) => of(values.sides, name) ?? []);
  const blocks: Block[] = [];
  const numbered = el.anchor && !clauses.length ? [{ text: `${el.anchor} ` }, ...runs] : runs;
  // an empty line is a distance that somebody wanted, but not where a field stood alone
  if (numbered.length || !fields.length)
    blocks.push({
      kind: "rich",
      runs: numbered,
      ...more,
      ...(el.align && { align: el.align as Align }),
    });
  for (const { name, anchor } of clauses)
    values.clauses[name]!.forEach((text, i) => {
      const no = anchor || el.anchor;
      blocks.push({ kind: "text", text: no ? `${no}.${i + 1} ${text}` : text });
    });
  if (sides.length) blocks.push({ kind: "signatures", sides, date: values.signedOn });
  return blocks;
}

function list(el: Element, values: Values): Block[] {
  return el.inside.flatMap((item, i) =>
    typeof item === "string"
      ? []
      : paragraph(item, values, { indent: INDENT, mark: el.tag === "ol" ? `${i + 1}.` : "•" }),
  );
}

function grid(el: Element, values: Values): Block[] {
  const rows = el.inside.flatMap((row) =>
    typeof row === "string"
      ? []
      : [
          row.inside.flatMap((cell) => {
            if (typeof cell === "string") return [];
            const runs = tidy(runsOf(cell.inside, values));
            const strong = cell.tag === "th" || (runs.length > 0 && runs.every((run) => run.strong));
            return [{ text: plain(runs), strong, ...(cell.align && { align: cell.align as Align }) }];
          }),
        ],
  );
  return rows.some((row) => row.length) ? [{ kind: "grid", rows }] : [];
}

/** The text of a template, filled in for one contract, as blocks of the printer. */
export const blocksOf = (pieces: readonly Piece[], values: Values): Block[] =>
  pieces.flatMap((piece): Block[] => {
    if (typeof piece === "string") return [];
    switch (piece.tag) {
      case "h1":
        return heading(piece, values, "title");
      case "h2":
      case "h3":
        return heading(piece, values, "heading");
      case "ul":
      case "ol":
        return list(piece, values);
      case "table":
        return grid(piece, values);
      case "hr":
        return [{ kind: "break" }];
      case "if":
        return of(values.holds, piece.name) ? blocksOf(piece.inside, values) : [];
      case "rows": {
        const table = of(values.tables, piece.name);
        return table?.rows.length ? [{ kind: "table", ...table }] : [];
      }
      default:
        return paragraph(piece, values);
    }
  });

function heading(el: Element, values: Values, kind: "title" | "heading"): Block[] {
  const text = plain(tidy(runsOf(el.inside, values)));
  const [first, ...more] = paragraph({ ...el, inside: fieldsOf(el.inside) }, values);
  const rest = first?.kind === "rich" ? more : [first!, ...more].filter(Boolean);
  return text ? [{ kind, text: el.anchor ? `${el.anchor} ${text}` : text }, ...rest] : rest;
}

/** A version of a template, as it was read. */
export type Wording = { pieces: readonly Piece[]; head: string; foot: string };

/** What is printed, whatever the words: the values of its fields, the first line of its foot and what its margin says. */
export type Content = { values: Values; foot: string; mark: string };

/** A document in the words of a template. */
export const paperIn = ({ pieces, head, foot }: Wording, { values, ...own }: Content): Paper => ({
  blocks: blocksOf(pieces, values),
  head: filledLine(head, values.texts),
  foot: [own.foot, filledLine(foot, values.texts)],
  mark: own.mark,
  seam: [...elements(pieces)].some((el) => el.name === SEAM),
});
