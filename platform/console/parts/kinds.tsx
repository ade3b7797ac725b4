import type { ReactNode } from "react";
import { timeInZone } from "../../kernel/day.ts";
import type { FieldMeta, Kind } from "../../kernel/field.ts";
import { yuan } from "../../kernel/fen.ts";
import { NONE, WordTag } from "./tag.tsx";
import { Rooms } from "./rooms.tsx";

const MINUS = "\u2212";
const signed = (text: string) => text.replace("-", MINUS);
const NUMBER = new Intl.NumberFormat("en-US", { maximumFractionDigits: 6 });
const grouped = (n: number) => signed(NUMBER.format(n));

/** "12,345.67" with a true minus; red when negative, grey when nothing. What is marked `data-whole` may never be cut. */
export function Money({ fen, strong }: { fen: number | null | undefined; strong?: boolean | undefined }) {
  if (fen === null || fen === undefined) return NONE;
  const text = signed(yuan(fen));
  const look = fen < 0 ? "neg" : fen === 0 ? "dim" : "";
  return strong && fen !== 0 ? (
    <b className={look} data-whole>
      {text}
    </b>
  ) : (
    <span className={look} data-whole>
      {text}
    </span>
  );
}

export { NONE };

type Shown = {
  /** How the value reads as plain text: in a chip, a title, a copied cell. */
  text: (value: never, meta: FieldMeta) => string;
  /** How it looks, where that is more than the text. */
  look?: (value: never, meta: FieldMeta) => ReactNode;
  right?: true;
};

const words = (meta: FieldMeta, code: string) => meta.words?.[code]?.[0] ?? code;
const WHOLE = { text: String, look: (v: string) => <span data-whole>{v}</span> } as unknown as Shown;
const bare = { text: (v: string | number) => String(v) } as unknown as Shown;
const kind = <T,>(k: {
  text: (v: T, meta: FieldMeta) => string;
  look?: (v: T, meta: FieldMeta) => ReactNode;
  right?: true;
}) => k as unknown as Shown;

const percentText = (v: number) => signed(`${(v * 100).toFixed(2)}%`);

/** The closed vocabulary: how each kind of value reads and looks. */
const KINDS: Record<Kind, Shown> = {
  money: kind<number>({ text: (v) => signed(yuan(v)), look: (v) => <Money fen={v} />, right: true }),
  number: kind<number>({
    text: (v, meta) => grouped(v) + (meta.unit ?? ""),
    look: (v, meta) => (
      <span className={v < 0 ? "neg" : undefined}>
        {grouped(v)}
        {meta.unit && <small className="dim"> {meta.unit}</small>}
      </span>
    ),
    right: true,
  }),
  percent: kind<number>({ text: percentText, right: true }),
  progress: kind<number>({
    text: percentText,
    look: (v) => (
      <>
        <span className="bar">
          <i style={{ width: `${Math.min(100, Math.max(0, v * 100))}%` }} />
        </span>
        {percentText(v)}
      </>
    ),
    right: true,
  }),
  day: WHOLE,
  month: WHOLE,
  // to the minute; the second stands in its title
  instant: kind<string>({
    text: (v) => timeInZone(v).slice(0, 16),
    look: (v) => (
      <time dateTime={v} title={timeInZone(v)} data-whole>
        {timeInZone(v).slice(0, 16)}
      </time>
    ),
  }),
  status: kind<string>({
    text: (v, meta) => words(meta, v),
    look: (v, meta) => (meta.words ? <WordTag words={meta.words} code={v} /> : v),
  }),
  tags: kind<string[]>({
    text: (v, meta) => v.map((code) => words(meta, code)).join("、"),
    look: (v, meta) =>
      v.length
        ? v.map((code) => <WordTag key={code} words={meta.words ?? {}} code={code} dot={false} />)
        : NONE,
  }),
  flag: kind<boolean>({
    text: (v) => (v ? "是" : "否"),
    look: (v) => (v ? "是" : <span className="dim">否</span>),
  }),
  text: bare,
  link: bare,
  room: kind<string>({ text: (v) => v, look: (v) => <Rooms names={v} /> }),
  person: bare,
  phone: bare,
  file: kind<{ name?: string } | string>({ text: (v) => (typeof v === "string" ? v : (v.name ?? "文件")) }),
};

const nothing = (value: unknown) => value === null || value === undefined || value === "";

export const textOf = (meta: FieldMeta, value: unknown): string =>
  nothing(value) ? "—" : KINDS[meta.kind].text(value as never, meta);

export const lookOf = (meta: FieldMeta, value: unknown): ReactNode => {
  if (nothing(value)) return NONE;
  const { look, text } = KINDS[meta.kind];
  return look ? look(value as never, meta) : text(value as never, meta);
};

/** Amounts and days are never shortened. */
export const isWhole = (k: Kind): boolean => k === "money" || k === "day" || k === "month" || k === "instant";
export const isRight = (k: Kind): boolean => KINDS[k].right === true;
