/** Escapes what LIKE reads as a pattern: %, _ and \ are letters. */
const literally = (text: string): string => text.replaceAll(/[\\%_]/g, "\\$&");

const SEPARATOR = "[\\s·・\\-‐–—－/]*";
/** A room of a shared flat: the digits on the door, the letter, the number of a bed. */
const NUMBER = new RegExp(`(\\d)${SEPARATOR}([A-Za-z])(?:${SEPARATOR}(\\d))?(?![A-Za-z\\d])`, "g");
const AFTER_PLACE = new RegExp(`(\\p{Script=Han})${SEPARATOR}(?=\\d)`, "gu");
/** A room's number with its store or building behind it; they stand before it wherever a room is written. */
const BEHIND = /^([\d\s·・\-‐–—－/]*\d[\s·・\-‐–—－/]*[A-Za-z]?)\s*(\p{Script=Han}.*)$/u;
/** 3栋 and 1203室 begin with a number, too. */
const UNIT = /^[栋幢座号楼单层室房期区]/u;

const halfWidth = (text: string): string =>
  text.replace(/[０-９Ａ-Ｚａ-ｚ－]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xfee0));

/**
 * A text as LIKE is to find it. Full-width letters are read as half-width ones, and a room is found however it is written:
 * 1805-A as 1805A, 1805 a or １８０５－Ａ, with its store or building before or behind it.
 */
function typed(text: string): string {
  const plain = halfWidth(text).trim();
  const [, number, place] = BEHIND.exec(plain) ?? [];
  const ordered = number && place && !UNIT.test(place) ? `${place}${number.trim()}` : plain;
  return literally(ordered.replace(/(?<=[\dA-Za-z])[室房]$/u, ""))
    .replace(NUMBER, (_, door: string, room: string, bed?: string) =>
      [door, room, bed].filter(Boolean).join("%"),
    )
    .replace(AFTER_PLACE, "$1%");
}

/** A pattern of LIKE: the text anywhere. */
export const containing = (text: string): string => `%${typed(text)}%`;
/**
 * Where the text is one letter or two (digits are everywhere), the same of a column's `letters` (db/routines/platform/letters.sql), which have an index for
 * what is too short for the index of its parts.
 */
export function containingLetters(text: string): string | undefined {
  const short = /^\p{L}{1,2}$/u.exec(typed(text))?.[0];
  return short && `% ${[...short.toLowerCase()].join(" ")} %`;
}
/** The same where texts are at hand: whether one contains what was typed. */
export function finds(text: string): (name: string) => boolean {
  const letters = typed(text).match(/\\?[^]/g) ?? [];
  const source = letters.map((c) => (c === "%" ? ".*" : c.at(-1)!.replace(/[.*+?^${}()|[\]\\/]/, "\\$&")));
  const pattern = new RegExp(source.join(""), "i");
  return (name) => pattern.test(name);
}

/** A pattern of LIKE: begins with the text, as numbers of records are looked for. */
export const beginning = (text: string): string => `${literally(text.trim())}%`;
