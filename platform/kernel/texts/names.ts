import { all, filled, lengthBetween, matches } from "../validators.ts";
import type { Validator } from "../validators.ts";

/** Letters and digits of any script, inner blanks, brackets and hyphens; what is left counts as special. */
const PLAIN = /^[\p{L}\p{M}\p{N}()（）·_ -]*$/u;

export const noSpecialCharacters = matches(PLAIN, "名称不能包含特殊字符");
export const notOnlyDigits: Validator = (value) =>
  /^\p{Nd}+$/u.test(value.trim()) ? "名称不能为纯数字" : undefined;

/** Names of villages, products, public areas, channels, rules. `title` is the label: 门店名称. */
export const nameOf = (title: string, min = 2, max = 30): Validator =>
  all(
    filled,
    lengthBetween(min, max, `${title}长度为${min}到${max}个字`),
    noSpecialCharacters,
    notOnlyDigits,
  );

export const companyName: Validator = all(
  filled,
  (value) => (value === value.trim() ? undefined : "企业名称不能以空格开头或结尾"),
  nameOf("企业名称"),
);

export const ROOM_NAME_MAX = 18;
/** Rooms, floors and units may be pure digits. */
export const roomName: Validator = all(
  filled,
  lengthBetween(1, ROOM_NAME_MAX, `房间名最多${ROOM_NAME_MAX}个字符`),
  noSpecialCharacters,
);

/** "A，B, C" → ["A", "B", "C"]: full-width commas count, blanks around a name do not. */
export const roomNamesOf = (list: string): string[] => list.split(/[,，]/).map((name) => name.trim());

/** A comma list of room names: none empty, none twice. */
export const roomNames: Validator = (list) => {
  const names = roomNamesOf(list);
  if (names.includes("")) return "房间名不能为空项";
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) return `房间名重复：${twice}`;
  return names.map(roomName).find((sentence) => sentence !== undefined);
};

/** Remarks, reasons, contents: begin with a letter, a digit or a Chinese character, and carry no symbols of markup. */
export const freeText = all(
  matches(/^([\p{L}\p{N}]|$)/u, "不能以特殊字符开头"),
  matches(/^[^<>\\^`]*$/, "不能包含 < > \\ ^ ` 等符号"),
);

/** The number on the door, with which every list begins: 滨江店·3栋·1单元·1203-A → 1203-A. */
export const numberOf = (fullName: string): string => fullName.slice(fullName.lastIndexOf("·") + 1);

/** A room as pickers list it: the number first, where it lies behind: 1203-A 滨江店·3栋·1单元. */
export const roomLabel = (fullName: string): string => {
  const number = numberOf(fullName);
  return `${number} ${fullName.slice(0, Math.max(0, fullName.length - number.length - 1))}`.trim();
};

/**
 * Rooms without the store they begin with, where the store stands beside them already: 滨江店·3栋·1203 → 3栋·1203.
 * Takes the full name of one room, or several joined by 、. A full name begins with the store's short name where it has
 * one, and a contract keeps the names of its day: what is not the store's name now is its first part.
 */
export const roomBeside = (villageName: string | null, names: string | null): string =>
  (names ?? "")
    .split("、")
    .map((name) =>
      villageName && name.startsWith(`${villageName}·`)
        ? name.slice(villageName.length + 1)
        : name.slice(name.indexOf("·") + 1),
    )
    .join("、") || "—";
