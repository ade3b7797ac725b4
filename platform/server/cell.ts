import type { FieldMeta, Kind, Words } from "../kernel/field.ts";

/** Numbers of the formats in the workbook's style sheet; `sums` are the same in bold. */
export const STYLE = {
  plain: 0,
  head: 1,
  note: 2,
  text: 3,
  /** Text that a spreadsheet could take for a formula: marked as text once more, for whoever edits or saves it as CSV. */
  guarded: 4,
  money: 5,
  number: 6,
  percent: 7,
  day: 8,
  instant: 9,
  sums: { text: 10, money: 11, number: 12, percent: 13 },
} as const;

/** A day or instant as a spreadsheet counts: days since 1899-12-30. */
const serial = (ms: number) => ms / 86_400_000 + 25_569;

const offsets = new Map<string, number>();
/** Minutes that clocks of the zone are ahead of UTC; asked once for each quarter of an hour. */
function ahead(ms: number, zone: string): number {
  const quarter = Math.floor(ms / 900_000);
  const known = offsets.get(`${zone} ${quarter}`);
  if (known !== undefined) return known;
  const written = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
  }).format(quarter * 900_000);
  const offset = (Date.parse(`${written.replace(" ", "T")}Z`) - quarter * 900_000) / 60_000;
  if (offsets.size > 20_000) offsets.clear();
  offsets.set(`${zone} ${quarter}`, offset);
  return offset;
}

const MARKUP: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
/** Text as XML can carry it: marks escaped, what no reader accepts left out, at most what one cell holds. */
export const xml = (text: string): string =>
  text
    .slice(0, 32_767)
    .toWellFormed()
    // oxlint-disable-next-line no-control-regex -- exactly the characters that XML forbids
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_")
    .replace(/[&<>"]/g, (mark) => MARKUP[mark]!);

/** 12345 fen → "123.45", without passing through a fraction. */
export function yuan(fen: number): string {
  const cents = Math.abs(fen);
  const text = `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
  return fen < 0 ? `-${text}` : text;
}

/** `at` is the place in the sheet: B7. */
export const textCell = (at: string, text: string, style?: number): string =>
  `<c r="${at}" s="${style ?? (/^[=+\-@\t\r]/.test(text) ? STYLE.guarded : STYLE.text)}" t="inlineStr"><is><t xml:space="preserve">${xml(text)}</t></is></c>`;
const numberCell = (at: string, text: string | number, style: number) =>
  `<c r="${at}" s="${style}"><v>${text}</v></c>`;

const inWords = (words: Words | undefined, value: unknown) => words?.[String(value)]?.[0] ?? String(value);

/** The words that a value has for people. */
export function said(meta: FieldMeta, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => inWords(meta.words, each)).join("、");
  if (meta.kind === "flag") return value ? "是" : "否";
  if (meta.kind === "money" && typeof value === "number") return yuan(value);
  return inWords(meta.words, value);
}

const NUMERIC: Partial<Record<Kind, "money" | "number" | "percent">> = {
  money: "money",
  number: "number",
  percent: "percent",
  progress: "percent",
};

/** One cell of a kind: amounts in yuan and counts as numbers, days as days, states in words; nothing for no value. */
export function cell(at: string, meta: FieldMeta, value: unknown, zone: string, bold = false): string {
  if (value === null || value === undefined || value === "") return "";
  const numeric = NUMERIC[meta.kind];
  if (numeric && typeof value === "number" && Number.isFinite(value)) {
    const shown = numeric === "money" ? yuan(value) : value;
    return numberCell(at, shown, bold ? STYLE.sums[numeric] : STYLE[numeric]);
  }
  if (meta.kind === "day" || meta.kind === "instant") {
    const ms = Date.parse(String(value));
    // a spreadsheet knows no day before 1900 and mistakes those of its first two months
    if (ms > -2_203_891_200_000)
      return meta.kind === "day"
        ? numberCell(at, serial(ms), STYLE.day)
        : numberCell(at, serial(ms + ahead(ms, zone) * 60_000), STYLE.instant);
  }
  return textCell(at, said(meta, value), bold ? STYLE.sums.text : undefined);
}
