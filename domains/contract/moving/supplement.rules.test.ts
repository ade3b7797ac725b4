import { expect, test } from "vitest";
import { specimen } from "../paper/specimen.rules.ts";
import { paperIn } from "../template/blocks.rules.ts";
import { defaultText } from "../template/default-text.rules.ts";
import { cleaned } from "../template/html.rules.ts";
import { type SupplementFacts, supplementContent } from "./supplement.rules.ts";

const { lessee, ...facts } = specimen("renter");
const lease = { ...facts, lessee: { ...lessee, name: "张三" }, contractNo: "HT20260301-000001" };
const paper = (more: Partial<SupplementFacts> = {}) => {
  const s: SupplementFacts = {
    lease: { ...lease, roomNames: ["1203"], rent: 300_000, deposit: 300_000 },
    actNo: "HF20260514-000001",
    kind: "room",
    nextNo: "HT20260514-000002",
    nextPartyName: "张三",
    nextRoomNames: "1508",
    lastDay: "2026-05-15",
    effectiveOn: "2026-05-16",
    nextEnd: "2027-02-28",
    rentBefore: 300_000,
    rentAfter: 360_000,
    deposit: { held: 300_000, carried: 300_000, spent: 0, back: 0, due: 60_000 },
    credit: { unused: 154_839, used: 154_839, back: 0 },
    fee: 0,
    due: 90_967,
    refund: 0,
    arrears: 0,
    cut: [{ billNo: "ZD1", title: "租金", before: 900_000, after: 745_161, credit: 154_839 }],
    reason: "租客申请",
    open: true,
    dated: "2026-05-14",
    ...more,
  };
  const text = defaultText(s.kind === "room" ? "changeRoom" : "changeTenant");
  return paperIn({ pieces: cleaned(text).pieces, head: "", foot: "" }, supplementContent(s));
};
const text = (more?: Partial<SupplementFacts>) => JSON.stringify(paper(more).blocks);

test("a change of room names both rooms, the day, every carried sum and what is due in words", () => {
  const said = text();
  for (const part of ["换房补充协议", "1203", "1508", "计至 2026-05-15", "自 2026-05-16 起按新合同计算"])
    expect(said).toContain(part);
  expect(said).toContain('["抵扣新合同账单","1,548.39"]');
  expect(said).toContain('["ZD1","租金","9,000.00","7,451.61","1,548.39"]');
  expect(said).toContain("乙方应于签约当日支付甲方人民币 909.67 元（大写：玖佰零玖元陆角柒分）。");
  // what is nothing is not listed
  expect(said).not.toContain("手续费");
  expect(paper().mark).toBe("待签署");
  expect(paper({ open: false }).mark).toBe("");
});

test("a lease that is passed on is signed by three; the new tenant pays, the one before is paid back", () => {
  const said = text({ kind: "tenant", nextPartyName: "李四", due: 320_000, refund: 300_000 });
  expect(said).toContain('"role":"丙方","name":"李四"');
  expect(said).toContain("丙方应于签约当日支付甲方");
  expect(said).toContain("甲方应退还乙方人民币 3,000.00 元");
  expect(text({ due: 0 })).toContain("双方就本次变更无需补付或退还款项。");
});
