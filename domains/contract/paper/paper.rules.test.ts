import { expect, test } from "vitest";
import { rentsOver } from "../schedule/steps.rules.ts";
import { planBills } from "../schedule/bills.rules.ts";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import { scheduleOf } from "../terms/terms.rules.ts";
import {
  BLANK,
  type Lessee,
  type PaperFacts,
  leasePaper,
  lesseePairs,
  livingClause,
  roomWords,
} from "./paper.rules.ts";

const person: Lessee = {
  name: "张雅婷",
  phone: "13812345678",
  certificate: "身份证 110101********0011",
  guardian: "",
  creditCode: "",
  legalName: "",
  contactName: "",
  address: "",
  invoiceTitle: "",
};
const terms = {
  ...DEFAULT_TERMS,
  fees: [{ feeId: 7, name: "物业费", kind: "recurring" as const, amount: 15_000, prorate: true }],
};
const input = (more: Partial<typeof terms> = {}) =>
  scheduleOf({
    start: "2026-03-15",
    end: "2026-09-14",
    terms: { ...terms, ...more },
    rooms: [{ roomId: 1, monthlyRent: 300_000, unitPrice: null, area: null }],
  });
const facts = (more: Partial<PaperFacts> = {}): PaperFacts => ({
  contractNo: "HT-1",
  lessor: { name: "滨江公寓", creditCode: "", address: "江边路 1 号", phone: "" },
  kind: "renter",
  lessee: person,
  village: "滨江店",
  store: "滨江店",
  storeAddress: "江边路 1 号",
  rooms: [{ roomId: 1, name: "1203", area: "40.00", monthlyRent: 300_000 }],
  occupants: [],
  start: "2026-03-15",
  end: "2026-09-14",
  rents: rentsOver(input()),
  terms,
  plan: planBills(input()),
  signedOn: null,
  state: "signing",
  today: "2026-03-01",
  previewHash: "0123456789abcdef0123",
  previous: null,
  ...more,
});
const textsOf = (more: Partial<PaperFacts> = {}) =>
  leasePaper(facts(more)).blocks.flatMap((block) => ("text" in block ? [block.text] : []));
const tableOf = (more: Partial<PaperFacts> = {}) =>
  leasePaper(facts(more)).blocks.find((b) => b.kind === "table")!;

test("the clauses are numbered; what is not known is left to be filled in", () => {
  expect(textsOf().filter((text) => /^[1257]\./.test(text))).toEqual([
    "1.1 甲方将位于滨江店的下列房屋出租给乙方居住：1203（40.00 平方米）。",
    "1.2 乙方未登记同住人；增加同住人须经甲方书面同意。",
    "2.1 租赁期限自 2026-03-15 起至 2026-09-14 止，共 6 个月。",
    "5.1 物业费：每月 150.00 元。",
    "7.1 附件《账单明细》为本合同的组成部分，与正文具有同等效力。",
    "7.2 本合同一式两份，双方各执一份，自双方签字或盖章之日起生效。",
  ]);
  expect(leasePaper(facts()).blocks.find((b) => b.kind === "pairs")).toMatchObject({
    pairs: [
      ["出租人（甲方）", "滨江公寓"],
      ["统一社会信用代码", BLANK],
      ["地址", "江边路 1 号"],
      ["联系电话", BLANK],
      ["承租人（乙方）", "张雅婷"],
      ["证件", "身份证 110101********0011"],
      ["联系电话", "13812345678"],
      ["监护人", "无"],
    ],
  });
  const lessor = { name: "滨江公寓", creditCode: "91310", address: "", phone: "021-1" };
  expect(leasePaper(facts({ lessor })).blocks.find((b) => b.kind === "pairs")).toMatchObject({
    pairs: expect.arrayContaining([
      ["统一社会信用代码", "91310"],
      ["地址", BLANK],
      ["联系电话", "021-1"],
    ]),
  });
});

test("without fees it says so, and a note of one's own comes first", () => {
  const texts = textsOf({ terms: { ...terms, fees: [], policyNote: "不得饲养宠物" } });
  expect(texts).toContain("5.1 除租金、押金及按表计收取的水电费用外，双方未约定其他费用。");
  expect(texts).toContain("7.1 补充约定：不得饲养宠物");
});

test("of several rooms each line of the bill table names its own, and a fee of the contract none", () => {
  const rooms = [1, 2].map((roomId) => ({ roomId, monthlyRent: 300_000, unitPrice: null, area: null }));
  const plan = planBills(scheduleOf({ start: "2026-03-15", end: "2026-09-14", terms, rooms }));
  const named = rooms.map((r) => ({ ...r, name: `120${r.roomId}`, area: "40.00" }));
  const { columns, rows: lines, sums } = tableOf({ kind: "company", rooms: named, plan });
  const at = columns.findIndex((c) => c.title === "房间");
  expect(lines.slice(2, 5).map((row) => [row[at - 1], row[at]])).toEqual([
    ["租金", "1201"],
    ["租金", "1202"],
    ["物业费", "—"],
  ]);
  const width = (all: typeof columns) => all.reduce((sum, c) => sum + c.width, 0);
  const one = tableOf();
  expect([sums?.length, width(columns)]).toEqual([columns.length, width(one.columns)]);
  expect(one.columns.map((c) => c.title)).not.toContain("房间");
});

test("the day a shop opens is said of the premises", () => {
  const shop = (openOn: string | null) =>
    textsOf({ kind: "merchant", terms: { ...terms, openOn } }).filter((text) => text.startsWith("1.3"));
  expect(shop("2026-05-01")).toEqual(["1.3 铺位的开业日为 2026-05-01。"]);
  expect(shop(null)).toEqual([]);
});

test("until it is signed it is marked so; a person signs, a firm seals", () => {
  const paper = leasePaper(facts());
  expect([paper.mark, paper.foot[0]]).toEqual(["待签稿", "HT-1　试算校验 0123456789abcdef"]);
  const mark = (more: Partial<PaperFacts>) => leasePaper(facts(more)).mark;
  expect(mark({ state: "draft" })).toBe("草稿");
  expect(mark({ state: "effective", signedOn: "2026-03-10" })).toBe("");
  expect(mark({ state: "voided", signedOn: "2026-03-10" })).toBe("作废");
  const role = (kind: PaperFacts["kind"]) => {
    const signed = leasePaper(facts({ kind })).blocks.find((b) => b.kind === "signatures")!;
    return signed.sides[1]!.role;
  };
  expect([role("renter"), role("company"), role("merchant")]).toEqual([
    "乙方（签字）",
    "乙方（盖章）",
    "乙方（盖章）",
  ]);
});

test("the bill table numbers the bills, says each due day once, and sums up with the deposit", () => {
  const { rows, sums } = tableOf();
  expect(rows.map((row) => row.slice(0, 5))).toEqual([
    ["1", "2026-03-15 至 2026-09-14", "签约当日", "押金", "3,000.00"],
    ["2", "2026-03-15 至 2026-06-14", "签约当日", "租金", "9,000.00"],
    ["", "2026-03-15 至 2026-06-14", "", "物业费", "450.00"],
    ["3", "2026-06-15 至 2026-09-14", "2026-06-08", "租金", "9,000.00"],
    ["", "2026-06-15 至 2026-09-14", "", "物业费", "450.00"],
  ]);
  expect(sums).toEqual(["", "合计（含押金）", "", "", "21,900.00", "贰万壹仟玖佰元整"]);
  expect(textsOf().at(-1)).toBe("签约应收 12,450.00 元，合同总额 18,900.00 元，押金 3,000.00 元。");
});

test("signed, the first bills have the day of signing and the days given", () => {
  const dueOf = (firstDueDays?: number) => {
    const due = { rule: "advance" as const, dueDays: 7, ...(firstDueDays !== undefined && { firstDueDays }) };
    return tableOf({ signedOn: "2026-03-10", terms: { ...terms, due } }).rows[0]![2];
  };
  expect([dueOf(), dueOf(0), dueOf(3)]).toEqual(["2026-03-10", "2026-03-10", "2026-03-13"]);
});

test("a person is known by a certificate, a firm by its credit code and who stands for it", () => {
  const bare = { ...person, phone: "", certificate: "" };
  expect(lesseePairs("renter", bare).slice(1)).toEqual([
    ["证件", BLANK],
    ["联系电话", BLANK],
    ["监护人", "无"],
  ]);
  expect(lesseePairs("renter", { ...bare, guardian: "张父" }).at(-1)).toEqual(["监护人", "张父"]);
  const firm = { ...person, creditCode: "91310", legalName: "李四", contactName: "王五", address: "江边路" };
  expect(lesseePairs("company", firm).slice(1)).toEqual([
    ["统一社会信用代码", "91310"],
    ["法定代表人", "李四"],
    ["地址", "江边路"],
    ["联系人", "王五"],
    ["联系电话", "13812345678"],
  ]);
  const titled = { ...firm, invoiceTitle: "分公司（税号 91310）" };
  expect(lesseePairs("company", titled).at(-1)).toEqual(["开票抬头", "分公司（税号 91310）"]);
  const trader = [
    ["地址", BLANK],
    ["联系人", BLANK],
  ];
  expect(lesseePairs("merchant", person).slice(1)).toEqual([
    ["证件", "身份证 110101********0011"],
    ...trader,
    ["联系电话", "13812345678"],
  ]);
  expect(lesseePairs("merchant", bare).slice(1)).toEqual([["证件", BLANK], ...trader, ["联系电话", BLANK]]);
});

test("rooms with their area; several of a firm each with its rent", () => {
  const room = { name: "1203", area: "40.00", monthlyRent: 300_000 };
  const bare = { ...room, name: "B1-07", area: null };
  expect(roomWords("renter", [room, bare])).toBe("1203（40.00 平方米）、B1-07");
  expect(roomWords("company", [room])).toBe("1203（40.00 平方米）");
  expect(roomWords("company", [room, bare])).toBe(
    "1203（40.00 平方米，月租金 3,000.00 元）、B1-07（月租金 3,000.00 元）",
  );
});

test("who lives there besides", () => {
  const people = [
    { name: "李四", relation: "配偶" },
    { name: "王五", relation: "" },
  ];
  expect(livingClause("renter", people)).toBe("除乙方外的同住人：李四（配偶）、王五。");
  expect(livingClause("company", people)).toContain("以向甲方登记的名单为准");
  expect(livingClause("merchant", people)).toContain("不得将铺位用于居住");
});
