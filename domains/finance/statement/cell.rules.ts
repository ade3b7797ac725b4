import { isBusinessDay } from "../../../platform/kernel/day.ts";
import { AMOUNT_MAX, type Fen } from "../../../platform/kernel/fen.ts";

/** A cell as statements write it: with spaces, tabs, full-width spaces around it and one backtick before it. */
export function plain(text: string): string {
  const told = text.trim();
  return told.startsWith("`") ? told.slice(1).trim() : told;
}

const WIDE = /[！-～]/;
const halfWidth = (text: string): string =>
  WIDE.test(text) ? text.replaceAll(/[！-～]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0)) : text;

/** A header as it is compared: brackets of either width, no spaces. */
export const headerOf = (text: string): string =>
  halfWidth(plain(text).replace(/^\uFEFF/, "")).replaceAll(/\s/g, "");

const AMOUNT = /^([-+−–]?)(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{0,5})0*)?$/;

/** Hundred-thousandths of a yuan, which fees of channels are written in. Nothing where it is no amount. */
export function unitsOf(text: string): number | undefined {
  const told = plain(text);
  let bracketed: string | undefined;
  let m = AMOUNT.exec(told);
  // what is not written plainly is tidied first
  if (!m) {
    const written = halfWidth(told).replaceAll(/[¥￥元\s]/g, "");
    bracketed = /^\((.*)\)$/.exec(written)?.[1];
    m = AMOUNT.exec(bracketed ?? written);
  }
  if (!m) return undefined;
  const units = Number(m[2]!.replaceAll(",", "")) * 100_000 + Number((m[3] ?? "").padEnd(5, "0"));
  if (!Number.isSafeInteger(units)) return undefined;
  return units && ((m[1] && m[1] !== "+") || bracketed !== undefined) ? -units : units;
}

/** Half away from zero. */
export const fenOfUnits = (units: number): Fen => {
  const fen = Math.floor((Math.abs(units) + 500) / 1000);
  return fen && units < 0 ? -fen : fen;
};

export const WRONG_AMOUNT = "金额格式错误";
/** A balance or a total, which has no part of a fen; else the reason. */
export function sumOf(text: string): Fen | string {
  const units = unitsOf(text);
  return units === undefined || units % 1000 ? WRONG_AMOUNT : units / 1000;
}
/** The amount of one movement: the same, with a bound. */
export function grossOf(text: string): Fen | string {
  const fen = sumOf(text);
  return typeof fen === "number" && Math.abs(fen) > AMOUNT_MAX ? "金额过大" : fen;
}

export const WRONG_TIME = "时间格式错误";
/** How days are written: the year first, as all Chinese banks have it, or last with the day or the month before. */
export type DateFormat = "auto" | "dmy" | "mdy";
/** The year first, whichever way it was written. */
const yearFirst = (text: string, dates: DateFormat): string =>
  dates === "auto"
    ? text
    : text.replace(
        /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})/,
        (_, a: string, s: string, b: string, year: string) =>
          [year, ...(dates === "dmy" ? [b, a] : [a, b])].join(s),
      );

/** `YYYY-MM-DD HH:mm:ss` of 20260306, 2026/3/6 8:05, 2026年03月06日 08:05:00 and their like; 00:00:00 where only the day is told. */
export function momentOf(date: string, time = "", dates: DateFormat = "auto"): string | undefined {
  const text = yearFirst(halfWidth(`${plain(date)} ${plain(time)}`).trim(), dates);
  const m =
    /^(\d{4})(?:(\d{2})(\d{2})|[-/.年](\d{1,2})[-/.月](\d{1,2})日?)(?:[ T]*(\d{1,2}):?(\d{2})(?::?(\d{2})(?:\.\d+)?)?)?$/.exec(
      text,
    );
  if (!m) return undefined;
  const two = (part: string | undefined) => (part ?? "0").padStart(2, "0");
  const day = `${m[1]}-${two(m[2] ?? m[4])}-${two(m[3] ?? m[5])}`;
  const [hour, minute, second] = [two(m[6]), two(m[7]), two(m[8])];
  if (!isBusinessDay(day) || hour > "23" || minute > "59" || second > "59") return undefined;
  return `${day} ${hour}:${minute}:${second}`;
}
