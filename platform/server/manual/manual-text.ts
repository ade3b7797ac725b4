import { readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { marked, type Token, type Tokens } from "marked";

/** A stretch of text in one hand. */
export type Run = { text: string; strong?: boolean; code?: boolean; link?: string };
export type Block =
  | { kind: "heading"; level: number; text: string; name: string; screens: string[] }
  | { kind: "text"; runs: Run[] }
  | { kind: "note"; runs: Run[] }
  | { kind: "item"; mark: string; depth: number; runs: Run[] }
  | { kind: "code"; text: string }
  | { kind: "table"; head: Run[][]; rows: Run[][][] }
  | { kind: "picture"; file: string; says: string };
export type Chapter = { title: string; blocks: Block[] };

/** The chapters of a folder in the order of their file names; each begins with its title. */
export function chaptersOf(folder: string): Chapter[] {
  const files = readdirSync(folder).filter((name) => name.endsWith(".md"));
  const chapters = files.toSorted().map((file, i) => {
    const blocks = marked.lexer(readFileSync(path.join(folder, file), "utf8")).flatMap((token) => {
      try {
        return blocksOf(token, folder);
      } catch (error) {
        throw new Error(`docs/manual/${file}: ${(error as Error).message}`, { cause: error });
      }
    });
    const [first] = blocks;
    if (first?.kind !== "heading" || first.level !== 1)
      throw new Error(`docs/manual/${file} does not begin with its title`);
    return { title: first.text, blocks: numbered(blocks, i + 1) };
  });
  placeScreens(chapters);
  return chapters;
}

/** The screen whose address a run names; marks of the sentence may be tied to its end. */
export const screenIn = ({ text, code }: Run): string | undefined =>
  code ? /^\/[A-Za-z][\w/-]*/.exec(text)?.[0] : undefined;

const runsIn = (block: Block): Run[] =>
  "runs" in block ? block.runs : block.kind === "table" ? block.rows.flat(2) : [];

/** A screen is described below the heading that is its title, else below the first that names it. */
function placeScreens(chapters: readonly Chapter[]): void {
  const first = new Map<string, Block & { kind: "heading" }>();
  for (const { blocks } of chapters) {
    let heading: (Block & { kind: "heading" }) | undefined;
    for (const block of blocks) {
      if (block.kind === "heading") heading = block;
      const runs = runsIn(block);
      runs.forEach((run, i) => {
        const screen = screenIn(run);
        if (!screen || !heading) return;
        const title = heading.text.split("　").at(-1);
        const titled = runs.slice(Math.max(0, i - 2), i).some(({ text }) => text === title);
        if (titled || !first.has(screen)) first.set(screen, heading);
      });
    }
  }
  for (const [screen, heading] of first) heading.screens.push(screen);
}

/** Chapters and sections are counted here, so that nobody counts them by hand. */
function numbered(blocks: Block[], chapter: number): Block[] {
  let section = 0;
  return blocks.map((block) => {
    if (block.kind !== "heading" || block.level > 2) return block;
    const number = block.level === 1 ? `${chapter}` : `${chapter}.${++section}`;
    return { ...block, text: `${number}　${block.text}`, name: `s${number}` };
  });
}

function blocksOf(token: Token, folder: string, depth = 0): Block[] {
  switch (token.type) {
    case "space":
      return [];
    case "heading": {
      const { depth: level, text } = token as Tokens.Heading;
      return [{ kind: "heading", level, text, name: "", screens: [] }];
    }
    case "paragraph":
      return paragraph(token as Tokens.Paragraph, folder);
    case "blockquote":
      return (token as Tokens.Blockquote).tokens.flatMap((inner) =>
        inner.type === "paragraph"
          ? [{ kind: "note" as const, runs: runsOf((inner as Tokens.Paragraph).tokens) }]
          : [],
      );
    case "list":
      return itemsOf(token as Tokens.List, folder, depth);
    case "code":
      return [{ kind: "code", text: (token as Tokens.Code).text }];
    case "table": {
      const { header, rows } = token as Tokens.Table;
      const cells = (row: Tokens.TableCell[]) => row.map((cell) => runsOf(cell.tokens));
      return [{ kind: "table", head: cells(header), rows: rows.map(cells) }];
    }
    default:
      throw new Error(`the manual has no place for ${token.type}: ${token.raw.slice(0, 40)}`);
  }
}

function paragraph({ tokens }: Tokens.Paragraph, folder: string): Block[] {
  const [only] = tokens;
  if (only?.type !== "image" || tokens.length > 1) return [{ kind: "text", runs: runsOf(tokens) }];
  const { href, text } = only as Tokens.Image;
  return [{ kind: "picture", file: path.join(folder, href), says: text }];
}

const itemsOf = ({ items, ordered, start }: Tokens.List, folder: string, depth: number): Block[] =>
  items.flatMap((item, i) => {
    const mark = ordered ? `${Number(start || 1) + i}.` : depth ? "◦" : "•";
    const [first, ...rest] = item.tokens;
    const runs = first && "tokens" in first ? runsOf(first.tokens ?? []) : [];
    return [
      { kind: "item" as const, mark, depth, runs },
      ...rest.flatMap((inner) => blocksOf(inner, folder, depth + 1)),
    ];
  });

/** Runs are set one by one: a comma that began one could stand first in a line, so it ends the one before. */
function tied(runs: Run[]): Run[] {
  for (const [i, run] of runs.entries()) {
    const [marks] = /^[、，。；：！？）”]+/.exec(run.text) ?? [""];
    const before = runs[i - 1];
    if (!before || before.link) continue;
    before.text += marks;
    run.text = run.text.slice(marks.length);
  }
  return runs.filter(({ text }) => text);
}

export const runsOf = (tokens: readonly Token[]): Run[] => tied(inHand(tokens));

/** Text in its hand; a line break inside a Chinese sentence is no space. */
const inHand = (tokens: readonly Token[], hand: Omit<Run, "text"> = {}): Run[] =>
  tokens.flatMap((token): Run[] => {
    switch (token.type) {
      case "strong":
        return inHand((token as Tokens.Strong).tokens, { ...hand, strong: true });
      case "link":
        return inHand((token as Tokens.Link).tokens, { ...hand, link: (token as Tokens.Link).href });
      case "codespan":
        return [{ ...hand, code: true, text: (token as Tokens.Codespan).text }];
      case "br":
        return [{ ...hand, text: "\n" }];
      case "text":
      case "escape":
        return [{ ...hand, text: (token as Tokens.Text).text.replace(/\s*\n\s*/g, "") }];
      default:
        throw new Error(`the manual has no place for ${token.type}: ${token.raw.slice(0, 40)}`);
    }
  });

export const textOf = (runs: readonly Run[]): string => runs.map(({ text }) => text).join("");
