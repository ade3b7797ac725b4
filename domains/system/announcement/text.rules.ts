/**
 * The text of an announcement: paragraphs, "- " for lists, **bold** and [words](https://…). It is kept as text and
 * shown as such, so nothing in it can ever run.
 */
export type Inline = { text: string; bold?: true; href?: string };
export type Block = { kind: "text"; inlines: Inline[] } | { kind: "list"; items: Inline[][] };

/** What brings more than words goes with all that stands in it. */
const ACTIVE =
  /<(script|style|iframe|object|embed|svg|math|template|noscript|form)\b[\s\S]*?(?:<\/\1\s*>|$)/gi;
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/<!--[\s\S]*?(?:-->|$)/g, ""],
  [ACTIVE, ""],
  [/<a\b[^>]*?\bhref\s*=\s*["']?(https?:\/\/[^\s"'<>)]+)["']?[^>]*>([\s\S]*?)<\/a\s*>/gi, "[$2]($1)"],
  [/<\/?(?:b|strong)\s*>/gi, "**"],
  [/<li\b[^>]*>/gi, "\n- "],
  [/<br\s*\/?>|<\/(?:p|div|h[1-6]|ul|ol|tr)\s*>/gi, "\n"],
  // whatever tag is left, pictures from elsewhere among them
  [/<\/?[a-z][^>]*(?:>|$)/gi, ""],
];

/** A text as it is kept: what was pasted as a web page keeps its words, bold, lists and links, and nothing else of it. */
export function cleaned(text: string): string {
  let now = text.replace(/\r\n?/g, "\n");
  // what is left when a tag is taken away may be a tag again
  for (let before = ""; before !== now;) {
    before = now;
    for (const [pattern, by] of PARTS) now = now.replace(pattern, by);
  }
  return now.replace(/\n{3,}/g, "\n\n").trim();
}

const MARKED = /\*\*([^*\n]+)\*\*|\[([^\]\n]+)\]\((https?:\/\/[^\s)]+)\)/g;

function inlinesOf(line: string): Inline[] {
  const inlines: Inline[] = [];
  let at = 0;
  for (const found of line.matchAll(MARKED)) {
    if (found.index > at) inlines.push({ text: line.slice(at, found.index) });
    const [whole, bold, words, href] = found;
    inlines.push(bold ? { text: bold, bold: true } : { text: words!, href: href! });
    at = found.index + whole.length;
  }
  if (at < line.length) inlines.push({ text: line.slice(at) });
  return inlines;
}

export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  for (const line of text.split("\n")) {
    const item = /^[-•*]\s+(.*)$/.exec(line)?.[1];
    const last = blocks.at(-1);
    if (item === undefined) {
      if (line.trim()) blocks.push({ kind: "text", inlines: inlinesOf(line) });
    } else if (last?.kind === "list") last.items.push(inlinesOf(item));
    else blocks.push({ kind: "list", items: [inlinesOf(item)] });
  }
  return blocks;
}

/** The words alone, for a message. */
export const plainOf = (text: string): string =>
  text.replace(MARKED, (_, bold?: string, words?: string) => bold ?? words ?? "");
