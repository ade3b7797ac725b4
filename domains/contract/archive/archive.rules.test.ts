import { expect, test } from "vitest";
import { ARCHIVE_MOVES, extensionRefusal, loanRefusal, placeOf, retentionOf } from "./archive.rules.ts";

const of = { archivedOn: "2026-03-01", today: "2026-03-12" };
const loan = (lentOn: string, dueOn: string) => loanRefusal({ lentOn, dueOn }, of);
const facts = {
  medium: "paper" as const,
  today: "2026-03-12",
  retentionUntil: "2036-03-11",
  extended: false,
};

test("a loan runs 90 days at most, from a day on which the original was there", () => {
  expect(loan("2026-03-12", "2026-06-10")).toBeUndefined();
  expect(loan("2026-03-12", "2026-06-11")).toEqual({ field: "dueOn", msg: "借期最长90天" });
  expect(loan("2026-03-12", "2026-03-13")).toBeUndefined();
  expect(loan("2026-03-12", "2026-03-12")).toEqual({ field: "dueOn", msg: "应还日须晚于借出日" });
  expect(loan("2026-03-13", "2026-03-20")).toEqual({ field: "lentOn", msg: "借出日不能晚于今天" });
  expect(loan("2026-03-01", "2026-03-20")).toBeUndefined();
  expect(loan("2026-02-28", "2026-03-20")).toEqual({
    field: "lentOn",
    msg: "借出日不能早于归档日 2026-03-01",
  });
});

test("it is put off once, by 30 days at most", () => {
  expect(extensionRefusal("2026-03-19", "2026-04-18")).toBeUndefined();
  expect(extensionRefusal("2026-03-19", "2026-04-19")).toBe("续借最多30天");
  expect(extensionRefusal("2026-03-19", "2026-03-19")).toBe("须晚于原应还日 2026-03-19");
  expect(ARCHIVE_MOVES.refusal("extend", { ...facts, status: "lent" })).toBeUndefined();
  expect(ARCHIVE_MOVES.refusal("extend", { ...facts, status: "lent", extended: true })).toBe("只能续借一次");
});

test("nothing is destroyed before the day after its retention", () => {
  const why = (today: string) => ARCHIVE_MOVES.refusal("destroy", { ...facts, status: "archived", today });
  expect(why("2036-03-11")).toBe("未到保管期限");
  expect(why("2036-03-12")).toBeUndefined();
  expect(retentionOf("2027-02-28", 10)).toBe("2037-02-28");
});

test("a file lies on no shelf and is lent to nobody", () => {
  for (const move of ["lend", "relocate", "lose"] as const)
    expect(ARCHIVE_MOVES.refusal(move, { ...facts, status: "archived", medium: "electronic" })).toBe(
      "电子件不占库位，请直接查看或下载",
    );
});

test("a place is read from the warehouse to the box", () => {
  expect(placeOf({ warehouse: "A", cabinet: "03", shelf: "2", box: "" })).toBe("A-03-2");
  expect(placeOf({ warehouse: "A", cabinet: "", shelf: "", box: "7" })).toBe("A-7");
});
