import { expect, test } from "vitest";
import { besideEachOther } from "./versions.rules.ts";

const of = (...items: string[]) => [{ title: "房间", items }];

test("what takes another's place stands beside it, what is new or gone stands alone", () => {
  expect(besideEachOther(of("甲", "乙", "丙"), of("甲", "丁", "丙", "戊"))).toEqual([
    { section: "房间", older: "甲", newer: "甲", changed: false },
    { section: "房间", older: "乙", newer: "丁", changed: true },
    { section: "房间", older: "丙", newer: "丙", changed: false },
    { section: "房间", older: "", newer: "戊", changed: true },
  ]);
  expect(besideEachOther(of("甲"), of())).toEqual([
    { section: "房间", older: "甲", newer: "", changed: true },
  ]);
});

test("of many rooms only those near a change are written out, the others are counted", () => {
  const rooms = Array.from({ length: 500 }, (_, i) => `${i + 1} 号`);
  const rows = besideEachOther(of(...rooms), of(...rooms, "501 号"));
  expect(rows.map((r) => r.newer)).toEqual(["相同的 498 项", "499 号", "500 号", "501 号"]);
  expect(rows.map((r) => r.changed)).toEqual([false, false, false, true]);
});
