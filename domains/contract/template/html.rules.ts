/**
 * The text of a template as HTML, of which little is known: headings, paragraphs, lists, flat tables, bold, alignment, page breaks,
 * and elements that name a field, a table or a condition. Everything else is removed; nothing here runs or loads anything.
 */
export const HTML_MAX = 100_000;
const DEPTH_MAX = 40;
const TAGS_MAX = 6000;
const TEXT_MAX = 60_000;
const ROWS_MAX = 200;
const CELLS_MAX = 10;
/** How often a template may name the same thing: a long table repeated without end would never be printed. */
const SAME_FIELD = 20;
const SAME_TABLE = 3;

const KEPT = ["h1", "h2", "h3", "p", "ul", "ol", "li", "table", "tr", "th", "td", "b", "br", "hr"] as const;
type Tag = (typeof KEPT)[number] | "field" | "rows" | "if";
export type Element = {
  tag: Tag;
  /** Name of the field, table or condition. */
  name: string;
  align: "" | "center" | "right";
  /** Number of a clause. */
  anchor: string;
  inside: Piece[];
};
export type Piece = string | Element;
export type Cleaned = {
  pieces: Piece[];
  /** The same written out anew. */
  html: string;
  /** Tags that were taken out. */
  removed: string[];
  /** Why it cannot be taken at all. */
  wrong: string | undefined;
};

const ALIAS: Record<string, Tag | undefined> = { strong: "b", h4: "h3", h5: "h3", h6: "h3", div: "p" };
/** What is plain clothing of text: taken off without a word, its text stays. */
const SILENT = new Set(["span", "font", "thead", "tbody", "tfoot", "section", "article", "colgroup", "col"]);
/** What is taken out with everything inside. */
const DROPPED = new Set(
  "script style iframe object embed svg math template noscript head title textarea select video audio canvas".split(
    " ",
  ),
);
const BLOCKS = new Set<Tag>(["h1", "h2", "h3", "p", "ul", "ol", "table", "hr", "rows", "if"]);
const VOID = new Set<Tag>(["br", "hr", "field", "rows"]);
const LINES = new Set<Tag | "root">(["h1", "h2", "h3", "p", "li", "th", "td", "b"]);
const NAME = /^[\p{Script=Han}A-Za-z0-9]{1,20}$/u;
const ANCHOR = /^[0-9A-Za-z][0-9A-Za-z.-]{0,9}$/;

type Token =
  | { kind: "text"; text: string }
  | { kind: "open"; tag: string; attrs: Map<string, string> }
  | { kind: "close"; tag: string };

const ENTITIES: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ldquo: "“",
  rdquo: "”",
  mdash: "—",
  hellip: "…",
  middot: "·",
};
const decoded = (text: string) =>
  text
    .replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|([a-z]{2,8}));/gi, (whole, hex, dec, name: string) => {
      if (name) return ENTITIES[name.toLowerCase()] ?? whole;
      const code = hex ? Number.parseInt(hex, 16) : Number(dec);
      return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? "" : String.fromCodePoint(code);
    })
    // a control character is no letter of any font
    .replace(/[^\P{C}\t\n\r]/gu, "");

/** Tags and texts in their order; each character is looked at once. */
function* tokens(html: string): Generator<Token> {
  const lower = html.toLowerCase();
  const after = (mark: string, from: number) => {
    const at = lower.indexOf(mark, from);
    return at < 0 ? html.length : at + mark.length;
  };
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    if (open !== at) {
      yield { kind: "text", text: html.slice(at, open < 0 ? html.length : open) };
      if (open < 0) return;
    }
    if (html.startsWith("<!--", open)) at = after("-->", open + 4);
    else if (/[!?]/.test(html[open + 1] ?? "")) at = after(">", open);
    else if (html[open + 1] === "/") {
      at = after(">", open);
      yield { kind: "close", tag: /^[a-z0-9]*/.exec(lower.slice(open + 2, open + 22))![0] };
    } else if (/[a-z]/.test(lower[open + 1] ?? "")) {
      const { tag, attrs, end } = tagAt(html, open + 1);
      at = end;
      // a tag that never ends takes the rest with it
      if (!tag) return;
      if (DROPPED.has(tag)) at = after(">", after(`</${tag}`, at) - 1);
      yield { kind: "open", tag, attrs };
    } else {
      yield { kind: "text", text: "<" };
      at = open + 1;
    }
  }
}

const ATTRIBUTE = /[\s/]*(?:(>)|([^\s=>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?)/y;

function tagAt(html: string, from: number) {
  const name = /[a-z0-9]+/iy;
  name.lastIndex = from;
  const tag = name.exec(html)![0].toLowerCase();
  const attrs = new Map<string, string>();
  ATTRIBUTE.lastIndex = name.lastIndex;
  for (;;) {
    const m = ATTRIBUTE.exec(html);
    if (!m) return { tag: "", attrs, end: html.length };
    if (m[1]) return { tag, attrs, end: ATTRIBUTE.lastIndex };
    attrs.set(m[2]!.toLowerCase(), decoded(m[3] ?? m[4] ?? m[5] ?? ""));
  }
}

type Open = { source: string; el: Element | undefined };
const element = (tag: Tag): Element => ({ tag, name: "", align: "", anchor: "", inside: [] });

/** The pieces of a text, with everything unknown taken out. */
class Builder {
  readonly root: Piece[] = [];
  readonly removed = new Set<string>();
  wrong: string | undefined;
  private readonly stack: Open[] = [];
  private tags = 0;
  private text = 0;
  private readonly named = new Map<string, number>();

  take(token: Token): void {
    if (token.kind === "text") this.say(decoded(token.text).replace(/[ \t\r\n\f]+/g, " "));
    else if (token.kind === "close") this.close(token.tag);
    else this.open(token.tag, token.attrs);
  }

  private refuse(why: string): void {
    this.wrong ??= why;
  }

  /** The innermost element that is kept, and what it holds. */
  private get inner(): Element | undefined {
    return this.stack.findLast((o) => o.el)?.el;
  }
  private has(tag: Tag): boolean {
    return this.stack.some((o) => o.el?.tag === tag);
  }
  private put(piece: Piece): void {
    (this.inner?.inside ?? this.root).push(piece);
  }

  private say(text: string): void {
    const { inner } = this;
    if (inner && VOID.has(inner.tag)) return;
    if (!LINES.has(inner?.tag ?? "root")) {
      if (text.trim() === "" || (inner && inner.tag !== "if")) return;
      this.push("p", element("p"));
    }
    this.text += text.length;
    if (this.text > TEXT_MAX) this.refuse(`模板文字过多，最多 ${TEXT_MAX} 个字`);
    this.put(text);
  }

  private push(source: string, el: Element | undefined): void {
    if (el) this.put(el);
    this.stack.push({ source, el });
    if (this.stack.length > DEPTH_MAX) this.refuse(`模板嵌套过深，最多 ${DEPTH_MAX} 层`);
  }

  private close(source: string): void {
    const at = this.stack.findLastIndex((o) => o.source === source);
    if (at >= 0) this.stack.length = at;
  }

  private closeTo(until: (tag: Tag) => boolean): void {
    const at = this.stack.findLastIndex((o) => o.el && until(o.el.tag));
    this.stack.length = at + 1;
  }

  private open(tag: string, attrs: Map<string, string>): void {
    if (++this.tags > TAGS_MAX) this.refuse(`模板内容过多，最多 ${TAGS_MAX} 个元素`);
    const { inner } = this;
    if (inner && VOID.has(inner.tag)) {
      // what a field shows while it is edited is not its own
      if (!["br", "hr", "img", "input"].includes(tag)) this.push(tag, undefined);
      return;
    }
    const kind = this.kindOf(tag, attrs);
    if (!kind) {
      if (!SILENT.has(tag)) this.removed.add(tag);
      if (!DROPPED.has(tag) && !["img", "input", "link", "meta", "base", "source"].includes(tag))
        this.push(tag, undefined);
      return;
    }
    const el = element(kind);
    el.name = this.nameOf(kind, attrs);
    el.align = alignOf(attrs);
    const anchor = attrs.get("data-anchor") ?? "";
    if (ANCHOR.test(anchor)) el.anchor = anchor;
    this.place(tag, el);
  }

  private kindOf(tag: string, attrs: Map<string, string>): Tag | undefined {
    for (const [attribute, kind] of [
      ["data-field", "field"],
      ["data-table", "rows"],
      ["data-if", "if"],
    ] as const) {
      if (!attrs.has(attribute)) continue;
      if (NAME.test(attrs.get(attribute)!)) return kind;
      this.refuse(`模板字段“${attrs.get(attribute)!.slice(0, 20)}”的名称不正确`);
    }
    return ALIAS[tag] ?? KEPT.find((kept) => kept === tag);
  }

  private nameOf(kind: Tag, attrs: Map<string, string>): string {
    const name = attrs.get({ field: "data-field", rows: "data-table", if: "data-if" }[kind as "if"] ?? "");
    if (name === undefined) return "";
    const times = (this.named.get(kind + name) ?? 0) + 1;
    this.named.set(kind + name, times);
    const most = kind === "rows" ? SAME_TABLE : SAME_FIELD;
    if (times > most && kind !== "if") this.refuse(`“${name}”在模板中最多出现 ${most} 次`);
    return name;
  }

  /** Puts an element where one of its kind may stand, and closes what must end before it. */
  private place(source: string, el: Element): void {
    const { tag } = el;
    const cell = this.has("td") || this.has("th") || this.has("li");
    if (tag === "rows" || tag === "if" || tag === "table" || tag === "hr") {
      if (cell && tag === "table") return this.refuse("表格里不能再放表格");
      if (cell) return this.refuse("数据表、条件块和分页不能放在表格或列表里");
      this.closeTo((t) => t === "if");
    } else if (tag === "li" || tag === "ul" || tag === "ol") {
      if (this.has("td") || this.has("th")) return this.line(source);
      if (tag === "li") {
        if (!this.has("ul") && !this.has("ol")) return this.line(source);
        this.stack.length = this.stack.findLastIndex((o) => o.source === "ul" || o.source === "ol") + 1;
      } else if (this.has("ul") || this.has("ol")) {
        // a list inside a list goes on with the outer one
        this.stack.length = this.stack.findLastIndex((o) => o.source === "ul" || o.source === "ol") + 1;
        return this.push(source, undefined);
      } else this.closeTo((t) => t === "if");
    } else if (tag === "tr" || tag === "td" || tag === "th") {
      if (!this.has("table")) return this.line(source);
      this.closeTo((t) => t === (tag === "tr" ? "table" : "tr"));
      if (tag !== "tr" && this.inner?.tag !== "tr") this.tableRow();
      if (this.inner!.inside.length >= (tag === "tr" ? ROWS_MAX : CELLS_MAX))
        return this.refuse(`表格最多 ${ROWS_MAX} 行、${CELLS_MAX} 列`);
    } else if (BLOCKS.has(tag)) {
      if (cell) return this.line(source);
      // text between the rows of a table stands nowhere
      if (this.has("table")) return this.push(source, undefined);
      this.closeTo((t) => t === "if");
    } else if (!LINES.has(this.inner?.tag ?? "root")) {
      if (this.inner && this.inner.tag !== "if") return;
      this.push("p", element("p"));
    }
    if (!VOID.has(tag) || tag === "field" || tag === "rows") this.push(source, el);
    else this.put(el);
  }

  private tableRow(): void {
    this.closeTo((t) => t === "table");
    this.push("tr", element("tr"));
  }

  /** A block where only lines may stand begins a new line. */
  private line(source: string): void {
    if (this.inner?.inside.length) this.put(element("br"));
    this.push(source, undefined);
  }
}

const alignOf = (attrs: Map<string, string>): Element["align"] => {
  const said = attrs.get("align") ?? /text-align:\s*(\w+)/.exec(attrs.get("style") ?? "")?.[1];
  return said === "center" || said === "right" ? said : "";
};

/** Reads a text as it was typed or pasted. Its size is checked first, so that nothing long is ever read. */
export function cleaned(html: string): Cleaned {
  if (html.length > HTML_MAX) return refused(`模板内容过大，最多 ${HTML_MAX / 1000}KB`);
  const builder = new Builder();
  for (const token of tokens(html)) {
    builder.take(token);
    if (builder.wrong) return refused(builder.wrong);
  }
  const pieces = builder.root;
  return { pieces, html: written(pieces), removed: [...builder.removed], wrong: undefined };
}
const refused = (wrong: string): Cleaned => ({ pieces: [], html: "", removed: [], wrong });

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** The pieces as HTML; read again it gives the same pieces. */
export const written = (pieces: readonly Piece[]): string =>
  pieces
    .map((piece) => {
      if (typeof piece === "string") return escaped(piece);
      const { tag, name, align, anchor, inside } = piece;
      if (tag === "field") return `<span data-field="${name}"${attribute("data-anchor", anchor)}></span>`;
      if (tag === "rows") return `<div data-table="${name}"></div>`;
      if (tag === "if") return `<div data-if="${name}">${written(inside)}</div>`;
      if (VOID.has(tag)) return `<${tag}>`;
      return `<${tag}${attribute("align", align)}${attribute("data-anchor", anchor)}>${written(inside)}</${tag}>`;
    })
    .join("");

/** Why so much plain text, a paragraph a line, cannot be taken; nothing where it can. */
export const plainWrong = (text: string): string | undefined =>
  cleaned(
    text.length > HTML_MAX
      ? text
      : text
          .split("\n")
          .map((line) => `<p>${escaped(line)}</p>`)
          .join(""),
  ).wrong;
const attribute = (name: string, value: string) => (value ? ` ${name}="${value}"` : "");

/** Every element of a text, the outer ones first. */
export function* elements(pieces: readonly Piece[]): Generator<Element> {
  for (const piece of pieces) {
    if (typeof piece === "string") continue;
    yield piece;
    yield* elements(piece.inside);
  }
}
