import { expect, test } from "vitest";
import { schemaAt, shapeOf } from "../../../platform/console/list/list-schema.ts";
import { addDays } from "../../../platform/kernel/day.ts";
import { metaOf } from "../../../platform/kernel/field.ts";
import { addBill } from "../../finance/bill-acts/acts.contract.ts";
import { planBills } from "../schedule/bills.rules.ts";
import { DEFAULT_TERMS } from "../terms/plans.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import { scheduleOf } from "../terms/terms.rules.ts";
import { settleDraft } from "./settlement.contract.ts";
import {
  type EndReason,
  clawbackOf,
  cutOff,
  fitted,
  holdoverOf,
  leaveErrors,
  offersBack,
  penaltyOf,
  workedOut,
} from "./settlement.rules.ts";
import { backsOf } from "../act/cut.rules.ts";

const START = "2026-03-15";
const END = "2027-03-14";

/** E3 of the trade: 押一付三 at 3,500.00 for a year from 15 March 2026. */
const leaving = (
  more: Partial<Terms> = {},
  how: { leaveDate?: string; endReason?: EndReason; noticeOn?: string | null; end?: string } = {},
) => {
  const terms = { ...DEFAULT_TERMS, cycleMonths: 3, ...more } as Terms;
  const { leaveDate = "2026-08-05", endReason = "early", noticeOn = "2026-07-20", end = END } = how;
  const rooms = [{ roomId: 1, monthlyRent: 350_000, unitPrice: null, area: null }];
  const input = scheduleOf({ start: START, end, terms, rooms });
  const trimmed = cutOff(input, terms, leaveDate, null);
  return { input, terms, leaveDate, endReason, noticeOn, trimmed, depositHeld: 350_000 };
};

const BASES = ["actual", "30", "365"] as const;

test("a quarter that was paid is kept to the day of leaving and given back after it, on every basis", () => {
  const fees = [{ feeId: 7, name: "物业费", kind: "recurring", amount: 10_000 }] as Terms["fees"];
  const parts = BASES.map((basis) => {
    const { trimmed } = leaving({ basis, fees });
    const quarter = (key: "rent" | 7) =>
      trimmed.rows.filter((r) => r.line.feeKey === key && r.line.from === "2026-06-15");
    return [quarter("rent"), quarter(7)].map(([row]) => [row!.kept, row!.back]);
  });
  expect(parts).toEqual([
    [
      [598_387, 451_613],
      [17_097, 12_903],
    ],
    [
      [606_667, 443_333],
      [17_333, 12_667],
    ],
    [
      [603_151, 446_849],
      [17_233, 12_767],
    ],
  ]);
});

test("the penalty is what the terms say", () => {
  const penalty = (more: Partial<Terms>, how: Parameters<typeof leaving>[1] = {}) =>
    penaltyOf(leaving(more, how))?.amount;
  expect(penalty({ penaltyRule: "none" })).toBeUndefined();
  expect(penalty({ penaltyRule: "forfeitDeposit" })).toBe(350_000);
  expect(penalty({ penaltyRule: "months", penaltyMonths: "1" })).toBe(350_000);
  expect(penalty({ penaltyRule: "months", penaltyMonths: "1.5" })).toBe(525_000);
  const share = (penaltyCapMonths: string) =>
    penalty({ penaltyRule: "remainingPercent", penaltyPercent: 20, penaltyCapMonths });
  expect([share("0"), share("1"), share("2")]).toEqual([510_323, 350_000, 510_323]);
  const ofRest = { penaltyRule: "remainingPercent", penaltyPercent: 20, penaltyCapMonths: "1" } as const;
  expect(penaltyOf(leaving(ofRest))?.formula).toBe("剩余租金 25,516.13 × 20% = 5,103.23，封顶 1 个月租金");
  const short = (basis: Terms["basis"], noticeOn: string | null = "2026-07-20") =>
    penalty({ penaltyRule: "noticeShort", basis }, { noticeOn });
  expect(BASES.map((basis) => short(basis))).toEqual([158_065, 163_333, 161_096]);
  // thirty days of a month of thirty-one, and none when notice was given in time
  expect(short("actual", null)).toBe(338_710);
  expect([short("actual", "2026-07-06"), short("actual", "2026-07-07")]).toEqual([undefined, 11_290]);
});

test("only who leaves early owes a penalty", () => {
  const of = (endReason: EndReason) =>
    penaltyOf(leaving({ penaltyRule: "months", penaltyMonths: "1" }, { endReason }))?.amount;
  expect((["early", "breachRenter", "notMovedIn"] as const).map(of)).toEqual([350_000, 350_000, 350_000]);
  expect((["normal", "breachLessor", "badDebt"] as const).map(of)).toEqual([undefined, undefined, undefined]);
});

test("free days that were lived are charged after all, whole or by the days not lived out", () => {
  const rentFree = [{ fromDate: START, toDate: "2026-04-14" }];
  const back = (rentFreeClawback: Terms["rentFreeClawback"], endReason: EndReason = "early") =>
    clawbackOf(leaving({ rentFree, rentFreeClawback }, { endReason }))?.amount;
  expect([back("none"), back("full"), back("unexpired")]).toEqual([undefined, 350_000, 211_918]);
  expect(back("full", "breachLessor")).toBeUndefined();
  // free days after the leaving were never lived
  const later = leaving({
    rentFree: [{ fromDate: "2026-09-15", toDate: "2026-10-14" }],
    rentFreeClawback: "full",
  });
  expect(clawbackOf(later)).toBeUndefined();
});

test("who stays on pays for each day at the percentage agreed", () => {
  const stay = (basis: Terms["basis"], leaveDate = "2027-03-24") =>
    holdoverOf(leaving({ basis, holdoverPercent: 150 }, { leaveDate, endReason: "normal" }))?.amount;
  expect(BASES.map((basis) => stay(basis))).toEqual([169_355, 175_000, 172_603]);
  expect(stay("actual", END)).toBeUndefined();
  expect(stay("actual", "2027-03-15")).toBe(16_935);
  // a whole month and a day of the next
  expect(stay("actual", "2027-04-15")).toBe(525_000 + 17_500);
});

test("the day of leaving lies in the term, not too far ahead, and fits its kind", () => {
  const wrong = (
    leaveDate: string,
    endReason: EndReason,
    state = "effective",
    today = "2026-08-01",
    handoverOn: string | null = null,
  ) => leaveErrors({ leaveDate, endReason }, { start: START, end: END, state, handoverOn }, today)?.msg;
  expect(wrong("2026-10-30", "early")).toBeUndefined();
  expect(wrong("2026-10-31", "early")).toBe("退房日不能超过90天后");
  expect(wrong("2026-03-14", "notMovedIn")).toBeUndefined();
  // who has the keys has moved in, whatever day it is
  expect(wrong("2026-03-14", "notMovedIn", "effective", "2026-03-15", "2026-03-12")).toBe(
    "已办理入住，不能按未入住退房",
  );
  expect(wrong("2026-03-13", "notMovedIn")).toBe("退房日不能早于租期前一天");
  expect(wrong("2026-03-14", "early")).toBe("未入住的退房日为起租日前一天");
  expect(wrong("2026-03-15", "notMovedIn")).toBe("未入住的退房日为起租日前一天");
  expect(wrong("2026-08-01", "normal")).toBe("退房日早于到期日，请选择提前退租或其他类型");
  const late = "2027-03-01";
  expect(wrong(END, "normal", "effective", late)).toBeUndefined();
  expect(wrong(END, "early", "effective", late)).toBe("退房日不早于到期日，请选择正常到期");
  expect(wrong("2027-03-15", "normal", "effective", late)).toBe("退房日不能晚于到期日 2027-03-14");
  expect(wrong("2027-03-15", "normal", "expired", late)).toBeUndefined();
});

test("the days beside it lie where they can", () => {
  const wrong = (more: { noticeOn?: string; settleOn?: string }) =>
    leaveErrors(
      { leaveDate: "2026-08-05", endReason: "early", ...more },
      { start: START, end: END, state: "effective", handoverOn: null },
      "2026-08-10",
    )?.msg;
  expect(wrong({ noticeOn: "2026-08-05" })).toBeUndefined();
  expect(wrong({ noticeOn: "2026-08-06" })).toBe("通知日不能晚于退房日");
  // late fee that has grown by the day of leaving is not left out
  expect(wrong({ settleOn: "2026-08-04" })).toBe("结算日不能早于退房日");
  expect(wrong({ settleOn: "2026-08-05" })).toBeUndefined();
  expect(wrong({ settleOn: "2026-08-10" })).toBeUndefined();
  expect(wrong({ settleOn: "2026-08-11" })).toBe("结算日不能晚于今天");
});

test("a quantity and a price come to one amount, rounded once, and to none beyond the bound", () => {
  expect([workedOut("128", 80), workedOut("0.5", 1), workedOut("0.49", 1)]).toEqual([10_240, 1, 0]);
  expect([workedOut("1", 9_999_999_999), workedOut("1.01", 9_999_999_999)]).toEqual([
    9_999_999_999,
    undefined,
  ]);
  expect([workedOut("99999999.99", 9_999_999_999), workedOut("1e9", 1), workedOut("", 1)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("an offer that is taken back counts for the months that had it", () => {
  const discounts = [{ name: "九折", kind: "percent", value: "10", order: 1 }] as Terms["discounts"];
  const left = leaving({ cycleMonths: 1, discounts }, { leaveDate: "2026-05-14" });
  const name = new Map([[0, "九折"]]);
  expect(offersBack(left, name)).toMatchObject([{ name: "九折", amount: 70_000 }]);
  expect(offersBack(left, new Map())).toEqual([]);
  expect(offersBack({ ...left, endReason: "breachLessor" }, name)).toEqual([]);
});

test("every planned line is found among the stored ones, with what its discounts take off", () => {
  const { trimmed, input } = leaving();
  const stored = planBills(input).bills.flatMap(({ lines }, bill) =>
    lines.map((line, i) => ({
      id: bill * 10 + i + 1,
      feeSubjectId: line.feeKey === "rent" ? 20 : 10,
      kind: "normal",
      roomId: line.roomId,
      amount: line.amount,
      periodStart: line.from,
      periodEnd: line.to,
    })),
  );
  const subjectOf = (key: string | number) => (key === "rent" ? 20 : 10);
  const { backs, missing } = backsOf(trimmed.rows, stored.toReversed(), subjectOf);
  expect(missing).toEqual([]);
  expect([...backs.values()].reduce((a, b) => a + b, 0)).toBe(trimmed.back);
  const without = backsOf(trimmed.rows, stored.slice(0, -1), subjectOf);
  expect(without.missing).toEqual([trimmed.rows.at(-1)!.line]);
  // another amount, room or day is another line
  for (const other of [{ amount: 1 }, { roomId: 9 }, { periodStart: addDays(START, 1) }, { kind: "adjust" }])
    expect(
      backsOf(
        trimmed.rows,
        stored.map((s) => ({ ...s, ...other })),
        subjectOf,
      ).missing.length,
    ).toBeGreaterThan(0);
});

test("every cell of a charge and of a bill's line has a name to be read out", () => {
  for (const [schema, list] of [
    [settleDraft, "charges"],
    [addBill.body, "lines"],
  ] as const) {
    const keys = Object.keys(shapeOf(schemaAt(schema, `${list}.0`)!));
    const titles = keys.map((key) => metaOf(schemaAt(schema, `${list}.0.${key}`)!)?.title);
    expect(titles).toHaveLength(keys.length);
    expect(titles).not.toContain(undefined);
    expect(titles).toContain("数量");
  }
});

test("of a long name that is charged for its end is cut, never the readings or what is broken", () => {
  const run = " 99999900.25 → 99999999.75";
  expect(fitted("E-7", run, 50)).toBe("E-7 99999900.25 → 99999999.75");
  expect(fitted("A".repeat(50 - run.length), run, 50)).toBe(`${"A".repeat(50 - run.length)}${run}`);
  expect(fitted("A".repeat(30), run, 50)).toBe(`${"A".repeat(50 - run.length)}${run}`);
  expect(fitted("柜".repeat(30), "损坏", 30)).toBe(`${"柜".repeat(28)}损坏`);
});
