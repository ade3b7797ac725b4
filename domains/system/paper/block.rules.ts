/** A printed paper as data: what stands on it, in order. How it is drawn is the printer's business. */
export type Column = { title: string; width: number; right?: boolean };
export type Run = { text: string; strong?: boolean };
export type Align = "left" | "center" | "right";
export type Block =
  | { kind: "title"; text: string }
  | { kind: "heading"; text: string }
  | { kind: "text"; text: string }
  | { kind: "note"; text: string }
  /** Words of several weights; `indent` in points, the mark of a list stands before it. */
  | { kind: "rich"; runs: readonly Run[]; align?: Align; indent?: number; mark?: string }
  /** Labels and values in two columns. */
  | { kind: "pairs"; pairs: readonly (readonly [label: string, value: string])[] }
  | {
      kind: "table";
      columns: readonly Column[];
      rows: readonly (readonly string[])[];
      sums?: readonly string[];
    }
  /** A ruled table without a head of its own, its columns of one width. */
  | { kind: "grid"; rows: readonly (readonly (Run & { align?: Align })[])[] }
  /** Places to sign, side by side. The date is a day, empty to be written by hand, or what stands there in its place. */
  | { kind: "signatures"; sides: readonly { role: string; name: string }[]; date: string }
  | { kind: "break" }
  /** What follows is an appendix: on a page of its own, unless much of this one is free. */
  | { kind: "appendix" };

export type Paper = {
  blocks: readonly Block[];
  /** Two lines in the foot of every page, the first beside its number. */
  foot: readonly [first: string, second: string];
  /** Left in the head of every page. */
  head?: string;
  /** In the head margin of every page, clear of what is read and signed: 草稿; empty for the signed text. */
  mark: string;
  /** A seal goes over the right edge of all pages. */
  seam?: boolean;
  /** What a code in the head of the first page says to whoever scans it. */
  code?: string;
};
