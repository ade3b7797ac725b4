import { BUSINESS_DAYS, contains, isDay, yearsOf } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX, parseYuan } from "../../../platform/kernel/fen.ts";
import { digits } from "../../../platform/kernel/texts/digits.ts";
import type { ImportColumn } from "./import.rules.ts";

/** A value that was read, or the sentence against it. */
export type Read<T> = { value: T; msg?: undefined } | { value?: undefined; msg: string };
const ok = <T>(value: T): Read<T> => ({ value });
const no = (msg: string): Read<never> => ({ msg });

/** Steps of one letter from one word to the other; neighbours that changed places count as one. */
function distance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)]);
  for (let j = 1; j <= b.length; j++) rows[0]![j] = j;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const change = rows[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      rows[i]![j] = Math.min(change, rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1);
    }
  return rows[a.length]![b.length]!;
}

const shares = (a: string, b: string) => [...a].filter((c) => b.includes(c)).length;

/** The three words of a list that come nearest to what was typed. */
export const nearest = (typed: string, words: readonly string[]): string[] =>
  words
    .map((word, i) => ({ word, i, far: distance(typed, word) - shares(word, typed) }))
    .toSorted((x, y) => x.far - y.far || x.i - y.i)
    .slice(0, 3)
    .map(({ word }) => word);

export function wordOf<W extends string>(typed: string, words: readonly W[], what: string): Read<W> {
  const found = words.find((word) => word === typed);
  return found === undefined
    ? no(`${what}中没有“${typed.slice(0, 20)}”，相近的有：${nearest(typed, words).join("、")}`)
    : ok(found);
}

/** 3000, 3,000.50: at most two decimals, more than 0. In fen. */
export function moneyOf(typed: string): Read<number> {
  const text = digits(typed);
  if (!/^-?\d+(\.\d+)?$/.test(text) || /\.\d{3,}$/.test(text)) return no("金额格式不正确，最多两位小数");
  const fen = parseYuan(text);
  if (fen <= 0) return no("金额必须大于0");
  return fen > AMOUNT_MAX ? no("金额过大") : ok(fen);
}

export function wholeOf(typed: string, min: number, max: number): Read<number> {
  const text = typed.normalize("NFKC");
  const value = Number(text);
  return /^-?\d+$/.test(text) && value >= min && value <= max
    ? ok(value)
    : no(`请输入${min}到${max}之间的整数`);
}

/** 2026-11-20, 2026/1/5, 2026.1.5, 2026年1月5日 */
export function dayOfText(typed: string): Read<string> {
  const m = /^(\d{4})(?:[-/.]|年)(\d{1,2})(?:[-/.]|月)(\d{1,2})日?$/.exec(typed.normalize("NFKC"));
  const day = m && `${m[1]}-${m[2]!.padStart(2, "0")}-${m[3]!.padStart(2, "0")}`;
  if (!day || !isDay(day)) return no("日期格式不正确，应为 2026-11-20");
  return contains(BUSINESS_DAYS, day) ? ok(day) : no(`日期须在${yearsOf(BUSINESS_DAYS)}之间`);
}

export function yesNo(typed: string): Read<boolean> {
  if (["是", "Y", "y", "1", "√"].includes(typed)) return ok(true);
  return ["否", "N", "n", "0", "×"].includes(typed) ? ok(false) : no("请填写是或否");
}

export const listOf = (typed: string): string[] => typed.split(/[,，、]/).map((part) => part.trim());

/** One of some words by what it stands for. */
export const among =
  <V>(words: Readonly<Record<string, V>>, what: string) =>
  (typed: string): Read<V> => {
    const { value, msg } = wordOf(typed, Object.keys(words), what);
    return value === undefined ? no(msg!) : ok(words[value]!);
  };

/** The texts of one row, by column; what is empty is missing. */
export type Texts<K extends string> = Partial<Record<K, string>>;
export type Wrong<K extends string> = { key: K; msg: string };

/** The cells of one row while they are read one by one, with what is wrong in them. */
export function cellsOf<K extends string>(typed: Texts<K>, columns: readonly ImportColumn<K>[]) {
  const wrong: Wrong<K>[] = [];
  const add = (key: K, msg: string) => void wrong.push({ key, msg });
  const take = <T>(key: K, read: (text: string) => Read<T>): T | undefined => {
    const text = typed[key];
    if (text === undefined) return undefined;
    const { value, msg } = read(text);
    if (msg !== undefined) add(key, msg);
    return value;
  };
  for (const { key, title, must } of columns)
    if (must === true && typed[key] === undefined) add(key, `请填写${title}`);
  return { wrong, add, take };
}
