/** A printed paper as data: what stands on it, in order. How it is drawn is the printer's business. */
export type Column = { title: string; width: number; right?: boolean };
export type Block =
  | { kind: "title"; text: string }
  | { kind: "heading"; text: string }
  | { kind: "text"; text: string }
  | { kind: "note"; text: string }
  /** Labels and values in two columns. */
  | { kind: "pairs"; pairs: readonly (readonly [label: string, value: string])[] }
  | {
      kind: "table";
      columns: readonly Column[];
      rows: readonly (readonly string[])[];
      sums?: readonly string[];
    }
  /** Places to sign, side by side. The date is a day, empty to be written by hand, or what stands there in its place. */
  | { kind: "signatures"; sides: readonly { role: string; name: string }[]; date: string }
  /** What follows is an appendix: on a page of its own, unless much of this one is free. */
  | { kind: "appendix" };

export type Paper = {
  blocks: readonly Block[];
  /** Left and right in the foot of every page. */
  foot: readonly [left: string, right: string];
  /** In the head margin of every page, clear of what is read and signed: 草稿; empty for the signed text. */
  mark: string;
};
