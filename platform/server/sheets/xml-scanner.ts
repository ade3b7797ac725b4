import { storable } from "../pipeline/storable.ts";
import { damaged } from "./unzip.ts";

export type XmlHandler = {
  /** Names come without their prefix: x:row and row are one. `attributes` is parsed only when asked for. */
  open: (name: string, attributes: () => Record<string, string>) => void;
  text: (text: string) => void;
  close: (name: string) => void;
};

const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** &lt; &#20; &#x4e2d; as characters, those that no database keeps as U+FFFD. Entities that a document declares itself are left as they stand: none is unfolded. */
export const unescaped = (text: string): string =>
  text.includes("&")
    ? // two halves of a pair may be told one by one
      storable(
        text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (all, hex, dec, name) => {
          if (name) return NAMED[String(name).toLowerCase()]!;
          const code = hex ? Number.parseInt(hex, 16) : Number(dec);
          return code <= 0x10ffff ? String.fromCodePoint(code) : all;
        }),
      )
    : text;

const local = (name: string) => name.slice(name.indexOf(":") + 1);

function attributesOf(source: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name, double, single] of source.matchAll(/([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    found[name!] = unescaped(double ?? single ?? "");
  return found;
}

/** Where a tag ends: the first > that stands in no quotes, or -1 while it has not come yet. */
function endOfTag(text: string, from: number): number {
  let quote = "";
  for (let i = from; i < text.length; i++) {
    const c = text[i]!;
    if (quote) quote = c === quote ? "" : quote;
    else if (c === '"' || c === "'") quote = c;
    else if (c === ">") return i;
  }
  return -1;
}

/**
 * Reads XML piece by piece and tells what comes. Well-formedness is not checked: what is read is judged by its content.
 * A document that declares types or entities of its own is refused: no part of a workbook may.
 */
export function xmlScanner(handler: XmlHandler): { write: (chunk: Uint8Array) => void; end: () => void } {
  const decoder = new TextDecoder();
  let rest = "";
  const scan = (text: string): string => {
    let at = 0;
    for (;;) {
      const start = text.indexOf("<", at);
      if (start < 0) break;
      if (start > at) handler.text(unescaped(text.slice(at, start)));
      at = start;
      const special = text.startsWith("<!--", start)
        ? "-->"
        : text.startsWith("<![CDATA[", start)
          ? "]]>"
          : text.startsWith("<?", start)
            ? "?>"
            : undefined;
      // a special mark may be cut by the end of the chunk
      if (text[start + 1] === undefined || (text[start + 1] === "!" && text.length - start < 9))
        return text.slice(at);
      if (text.startsWith("<!DOCTYPE", start)) throw damaged();
      const end = special ? text.indexOf(special, start) : endOfTag(text, start + 1);
      if (end < 0) return text.slice(at);
      if (special === "]]>") handler.text(text.slice(start + 9, end));
      else if (!special && text[start + 1] !== "!") tag(text.slice(start + 1, end), handler);
      at = end + (special?.length ?? 1);
    }
    // text may go on in the next chunk, and an & must not be cut off from its ;
    const cut = text.lastIndexOf("&");
    const safe = cut >= at && text.length - cut < 10 ? cut : text.length;
    if (safe > at) handler.text(unescaped(text.slice(at, safe)));
    return text.slice(Math.max(at, safe));
  };
  return {
    write: (chunk) => {
      rest = scan(rest + storable(decoder.decode(chunk, { stream: true })));
      if (rest.length > 1_000_000) throw damaged();
    },
    end: () => {
      rest = scan(rest + storable(decoder.decode()));
    },
  };
}

function tag(source: string, handler: XmlHandler): void {
  if (source[0] === "/") return handler.close(local(source.slice(1).trim()));
  const empty = source.endsWith("/");
  const body = empty ? source.slice(0, -1) : source;
  const space = body.search(/\s/);
  const name = local(space < 0 ? body : body.slice(0, space));
  handler.open(name, () => (space < 0 ? {} : attributesOf(body.slice(space))));
  if (empty) handler.close(name);
}
