import { greys } from "../../../platform/kernel/words.ts";
import type { Words } from "../../../platform/kernel/field.ts";

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

export const plainOf = (text: string): string =>
  text.replace(MARKED, (_, bold?: string, words?: string) => bold ?? words ?? "");

export const AUDIENCES = greys({ all: "全体员工", villages: "指定门店", departments: "指定部门" });
export type Audience = keyof typeof AUDIENCES;

/** What is kept is draft, published or withdrawn; the other two follow from the moments. */
export const STATES = {
  draft: ["草稿", "grey"],
  waiting: ["待发布", "gold"],
  published: ["已发布", "green"],
  expired: ["已失效", "grey"],
  withdrawn: ["已撤回", "orange"],
} as const satisfies Words;
export type State = keyof typeof STATES;
export type KeptState = "draft" | "published" | "withdrawn";

export const SAVED_AS = greys({ published: "发布", draft: "存为草稿" });

/** As `publishAt`, `expireAt` and `now` are ISO instants of one zone, they compare as text. */
export function stateOf(
  row: { state: string; publishAt: string; expireAt: string | null },
  now: string,
): State {
  if (row.state !== "published") return row.state as "draft" | "withdrawn";
  if (row.publishAt > now) return "waiting";
  return row.expireAt !== null && row.expireAt <= now ? "expired" : "published";
}

const EDITABLE: readonly State[] = ["draft", "waiting", "published"];
const WITHDRAWABLE: readonly State[] = ["waiting", "published"];

/** Why it cannot be done now, or nothing. */
export const refusal = (act: "edit" | "withdraw", state: State): string | undefined =>
  (act === "edit" ? EDITABLE : WITHDRAWABLE).includes(state)
    ? undefined
    : `当前状态为“${STATES[state][0]}”，不能${act === "edit" ? "编辑" : "撤回"}`;

export const READ_STATES = {
  unread: ["未读", "grey"],
  read: ["已读", "blue"],
  confirmed: ["已确认", "green"],
} as const satisfies Words;
export type ReadState = keyof typeof READ_STATES;
