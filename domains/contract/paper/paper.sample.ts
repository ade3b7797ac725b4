import { inflateSync } from "node:zlib";

/**
 * The text of a PDF as a reader's search would find it: every stream unpacked, every glyph turned back into characters by the
 * font's own table. Good for what this product prints.
 */
export function textOfPdf(pdf: Buffer): string {
  const streams = streamsOf(pdf);
  const fonts = fontsOf(pdf, streams);
  let text = "";
  for (const stream of streams.values()) {
    if (!/\bTf\b/.test(stream)) continue;
    let glyphs = new Map<string, string>();
    for (const m of stream.matchAll(/\/(F\d+)\s+[\d.]+\s+Tf|<([0-9a-fA-F]+)>|(\bTJ\b|\bTj\b)/g)) {
      if (m[1]) glyphs = fonts.get(m[1]) ?? glyphs;
      else if (m[2])
        text += (m[2].match(/.{4}/g) ?? []).map((code) => glyphs.get(code.toLowerCase()) ?? "").join("");
      else text += "\n";
    }
  }
  return text;
}

/** The sizes of all letters that are drawn. */
export const sizesInPdf = (pdf: Buffer): number[] =>
  [...streamsOf(pdf).values()].flatMap((stream) =>
    [...stream.matchAll(/\/F\d+\s+([\d.]+)\s+Tf/g)].map((m) => Number(m[1])),
  );

/** The dark squares of the code that is drawn, row by row; none where there is no code. */
export function codeInPdf(pdf: Buffer): boolean[][] {
  const drawn = [...streamsOf(pdf).values()].flatMap((stream) =>
    [...stream.matchAll(/([\d.]+) ([\d.]+) ([\d.]+) ([\d.]+) re\b/g)].map((m) => m.slice(1, 5).map(Number)),
  ) as [x: number, y: number, width: number, height: number][];
  const bars = drawn.filter(([, , , height]) => height < 3);
  if (!bars.length) return [];
  const [side, left, top] = [
    bars[0]![3],
    Math.min(...bars.map(([x]) => x)),
    Math.min(...bars.map(([, y]) => y)),
  ];
  const at = (length: number) => Math.round(length / side);
  const across = Math.max(...bars.map(([x, , width]) => at(x - left + width)));
  const rows = Array.from({ length: across }, () => Array.from({ length: across }, () => false));
  for (const [x, y, width] of bars) rows[at(y - top)]!.fill(true, at(x - left), at(x - left + width));
  return rows;
}

/** Unpacked streams by object number. */
function streamsOf(pdf: Buffer): Map<number, string> {
  const found = new Map<number, string>();
  const raw = pdf.toString("latin1");
  for (const m of raw.matchAll(/(\d+) 0 obj\s*(<<(?:(?!endobj)[\s\S])*?>>)\s*stream\r?\n/g)) {
    const from = m.index + m[0].length;
    const bytes = pdf.subarray(from, raw.indexOf("endstream", from));
    found.set(
      Number(m[1]),
      m[2]!.includes("FlateDecode") ? inflateSync(bytes).toString("latin1") : bytes.toString("latin1"),
    );
  }
  return found;
}

/** For each font of the file, which characters its glyphs stand for. */
function fontsOf(pdf: Buffer, streams: Map<number, string>): Map<string, Map<string, string>> {
  const raw = pdf.toString("latin1");
  const tables = new Map<number, Map<string, string>>();
  for (const m of raw.matchAll(/(\d+) 0 obj\s*<<(?:(?!endobj)[\s\S])*?\/ToUnicode (\d+) 0 R/g))
    tables.set(Number(m[1]), glyphsOf(streams.get(Number(m[2])) ?? ""));
  const fonts = new Map<string, Map<string, string>>();
  for (const m of raw.matchAll(/\/(F\d+) (\d+) 0 R/g))
    fonts.set(m[1]!, tables.get(Number(m[2])) ?? new Map());
  return fonts;
}

const characters = (hex: string) => Buffer.from(hex, "hex").swap16().toString("utf16le");

function glyphsOf(table: string): Map<string, string> {
  const glyphs = new Map<string, string>();
  for (const block of table.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const m of block[1]!.matchAll(/<(\w+)>\s*<(\w+)>\s*\[([^\]]*)\]/g)) {
      let code = Number.parseInt(m[1]!, 16);
      // a ligature stands for several characters
      for (const [, hex] of m[3]!.matchAll(/<([\w\s]*)>/g))
        glyphs.set((code++).toString(16).padStart(4, "0"), characters(hex!.replace(/\s/g, "")));
    }
  return glyphs;
}
