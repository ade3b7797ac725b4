import { describe, expect, test } from "vitest";
import { beginning, containing, containingLetters, finds } from "./like.ts";

/** LIKE, case aside, as PostgreSQL reads a pattern. */
const found = (pattern: string, text: string): boolean =>
  new RegExp(
    `^${pattern.replaceAll(/\\?[^]/g, (c) => (c === "%" ? ".*" : c === "_" ? "." : c.at(-1)!.replace(/[.*+?^${}()|[\]\\]/, "\\$&")))}$`,
    "i",
  ).test(text);

describe("what people type", () => {
  test("finds a room of a shared flat however its number is written, and its store before or behind", () => {
    const room = "滨江店·3栋·1单元·1805-A";
    for (const text of [
      "1805-A",
      "1805A",
      "1805a",
      "1805 a",
      "1805·A",
      "1805—A",
      "１８０５－Ａ",
      "滨江店1805A",
      "滨江店 1805-a",
      "1805A 滨江店",
      "1805-A滨江店",
      "3栋1805A",
      "1805A室",
      "1805",
      "3栋",
    ])
      expect([text, found(containing(text), room), finds(text)(room)]).toEqual([text, true, true]);
    for (const text of ["1805B", "1806A", "滨江店1806", "4栋1805A"])
      expect([text, found(containing(text), room), finds(text)(room)]).toEqual([text, false, false]);
    expect(found(containing("1203-A-1"), "滨江店·1203-A-1")).toBe(true);
    expect(found(containing("1203A1"), "滨江店·1203-A-1")).toBe(true);
  });

  test("leaves names, numbers and LIKE's own letters as they are", () => {
    expect(containing("启明（上海）有限公司")).toBe("%启明（上海）有限公司%");
    expect(containing("100%_\\")).toBe("%100\\%\\_\\\\%");
    expect([finds("100%_(")("满100%_(起)"), finds("")("滨江店"), finds("a.c")("abc")]).toEqual([
      true,
      true,
      false,
    ]);
    expect(beginning(" HT2026_")).toBe("HT2026\\_%");
  });

  test("one letter or two stand apart, as the letters of a name do; longer texts and digits are left to the index of parts", () => {
    expect(["王", "王芳", "aB", "ＡＢ", " 王 "].map(containingLetters)).toEqual([
      "% 王 %",
      "% 王 芳 %",
      "% a b %",
      "% a b %",
      "% 王 %",
    ]);
    for (const text of ["", "王小芳", "12", "1栋", "%", "王_", "🙂"])
      expect(containingLetters(text)).toBeUndefined();
  });
});
