import { expect, test } from "vitest";
import { dayNumber } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { planBills } from "./bills.rules.ts";
import { takeOver } from "./carry.rules.ts";
import { feeLines } from "./fees.rules.ts";
import { effectiveMonthlyRent, netMonthlyRents } from "./net.rules.ts";
import { type SampleTerms, aSchedule } from "./schedule.sample.ts";
import { areaMonthlyRent, roomPrices } from "./steps.rules.ts";

const bills = (terms: SampleTerms) => planBills(aSchedule(terms)).bills;
const shown = (terms: SampleTerms) =>
  bills(terms).map(
    (b) => `${b.title} ${b.periodStart} ${b.onSigning ? "签约" : b.dueRuleDate} ${yuan(b.amount)}`,
  );
const quarterly = { cycleMonths: 3 as const };
const property = { feeId: 2, name: "物业费", kind: "recurring" as const, amount: 10_000 };
const cleaning = { feeId: 3, name: "保洁费", kind: "once" as const, amount: 20_000 };

test("the panel of a lease with a step, free days, fees: every figure of it", () => {
  const { bills: rows, totals } = planBills(
    aSchedule({
      ...quarterly,
      start: "2026-12-01",
      months: 24,
      rent: 350_000,
      rentFree: [{ fromDate: "2026-12-01", toDate: "2026-12-10" }],
      steps: [
        { fromDate: "2027-12-01", mode: "percentCompound", value: "5", resultRent: 367_500, source: "rule" },
      ],
      fees: [property, cleaning],
    }),
  );
  expect(rows).toHaveLength(9);
  expect(rows.map((b) => yuan(b.amount)).slice(0, 3)).toEqual(["3,500.00", "9,870.97", "10,800.00"]);
  expect(yuan(totals.atSigning)).toBe("13,370.97");
  expect(yuan(totals.firstRent)).toBe("9,370.97");
  expect(yuan(totals.contractTotal)).toBe("87,570.97");
  expect(yuan(totals.netMonthlyRent!)).toBe("3,540.46");
  expect(totals.months[0]).toEqual({
    month: "2026-12",
    rent: 937_097,
    fee: 50_000,
    deposit: 350_000,
    discount: 0,
    free: 112_903,
  });
});

test("grouped by period, a fee of the same cycle shares the rent's bill; by fee, each has its own", () => {
  const terms = { ...quarterly, months: 3, fees: [property, cleaning] };
  expect(shown(terms)).toEqual([
    "押金 2026-03-01 签约 3,000.00",
    "第1期租金、物业费、保洁费 2026-03-01 签约 9,500.00",
  ]);
  expect(shown({ ...terms, billGrouping: "fee" })).toEqual([
    "押金 2026-03-01 签约 3,000.00",
    "第1期租金 2026-03-01 签约 9,000.00",
    "第1期物业费 2026-03-01 签约 300.00",
    "保洁费 2026-03-01 签约 200.00",
  ]);
});

test("a fee with its own cycle or due rule has its own bills, one that occupants pay has none", () => {
  const monthly = { ...property, cycleMonths: 1 as const };
  expect(shown({ ...quarterly, months: 3, fees: [monthly] }).slice(1)).toEqual([
    "第1期租金 2026-03-01 签约 9,000.00",
    "第1期物业费 2026-03-01 签约 100.00",
    "第2期物业费 2026-04-01 2026-03-25 100.00",
    "第3期物业费 2026-05-01 2026-04-24 100.00",
  ]);
  const credit = { ...property, due: { rule: "fixedDay" as const, dueDay: 10, dueMonthOffset: 1 as const } };
  const own = bills({ ...quarterly, fees: [credit] }).filter((b) => b.kind === "fee");
  expect(own.map((b) => b.dueRuleDate)).toEqual(["2026-04-10", "2026-07-10", "2026-10-10", "2027-01-10"]);
  const rooms = [1, 2].map((roomId) => ({ roomId, monthlyRent: 180_000 }));
  const theirs = [{ ...property, payer: "occupant" as const }];
  const first = bills({ ...quarterly, rooms, fees: theirs }).filter((b) => b.periodNo === 1);
  expect(first.map((b) => `${b.kind} ${yuan(b.amount)}`)).toEqual(["rent 10,800.00"]);
  const perRoom = bills({ ...quarterly, rooms, billPerRoom: true }).filter((b) => b.periodNo === 1);
  expect(perRoom.map((b) => `${b.roomId} ${yuan(b.amount)}`)).toEqual(["1 5,400.00", "2 5,400.00"]);
});

test("a fee is whole for every started period when it is not prorated, and free where it is agreed", () => {
  const whole = { ...property, prorate: false };
  const terms = { ...quarterly, end: "2026-07-10", fees: [whole] };
  expect(bills(terms)[2]!.lines[1]).toMatchObject({ from: "2026-06-01", to: "2026-07-10", amount: 30_000 });
  const free = { fromDate: "2026-03-01", toDate: "2026-03-31", feeIds: [2] };
  const lines = bills({ ...quarterly, fees: [property], rentFree: [free] })[1]!.lines;
  expect(lines.map((l) => `${l.kind} ${l.from} ${yuan(l.amount)}`)).toEqual([
    "rent 2026-03-01 0.00",
    "rent 2026-04-01 6,000.00",
    "fee 2026-03-01 0.00",
    "fee 2026-04-01 200.00",
  ]);
});

test("a whole period that the contract before began is not charged again", () => {
  const old = aSchedule({ ...quarterly, fees: [{ ...property, prorate: false }] });
  for (const [day, first] of [
    ["2026-04-16", "2026-06-01"],
    ["2026-05-01", "2026-06-01"],
    ["2026-06-01", "2026-06-01"],
  ] as const) {
    const next = { ...old, ...takeOver(old, day), start: day, rooms: [{ ...old.rooms[0]!, joinDate: day }] };
    expect(feeLines(next)[0]).toMatchObject({ from: first, amount: 30_000 });
    const once = feeLines({ ...next, fees: [{ ...old.fees[0]!, cycleMonths: 0 }] });
    expect(once[0]!.amount).toBe(day === "2026-04-16" ? 100_000 : day === "2026-05-01" ? 100_000 : 90_000);
    expect(once[0]!.slices.reduce((sum, s) => sum + s.amount, 0)).toBe(once[0]!.amount);
  }
});

test("a one-off fee of a later day stands on the bill of that day", () => {
  const later = { ...cleaning, fromDate: "2026-06-20" };
  expect(
    bills({ ...quarterly, fees: [later] })
      .map((b) => yuan(b.amount))
      .slice(1, 3),
  ).toEqual(["9,000.00", "9,200.00"]);
  expect(shown({ ...quarterly, fees: [later], billGrouping: "fee" })).toContain(
    "保洁费 2026-06-20 2026-06-13 200.00",
  );
});

test("the deposit counts the first rent, in half months, or is a sum of its own", () => {
  const deposit = { mode: "months" as const, months: "1.5" };
  const steps = [
    {
      fromDate: "2026-06-01",
      mode: "amount" as const,
      value: "100000",
      resultRent: 400_000,
      source: "rule" as const,
    },
  ];
  expect(yuan(planBills(aSchedule({ rent: 333_333, deposit, steps })).totals.deposit)).toBe("5,000.00");
  expect(bills({ deposit: { mode: "amount", amount: 0 } }).map((b) => b.kind)).not.toContain("deposit");
  const rooms = [1, 2].map((roomId) => ({ roomId, monthlyRent: 180_000, depositAmount: 100_000 * roomId }));
  const own = bills({ rooms, deposit: { mode: "amount", amount: 300_000 } })[0]!;
  expect(own.lines.map((l) => [l.roomId, l.amount])).toEqual([
    [1, 100_000],
    [2, 200_000],
  ]);
  const key = { feeId: 9, name: "门卡押金", kind: "depositInKind" as const, amount: 5_000 };
  expect(bills({ fees: [key] })[0]).toMatchObject({ title: "押金、门卡押金", amount: 305_000 });
});

test("the net rent is compared room by room; a sum off the whole contract is shared", () => {
  const rooms = [100_000, 200_000].map((monthlyRent, i) => ({ roomId: i + 1, monthlyRent }));
  const off = { kind: "amount" as const, value: "30000", order: 1 };
  const input = aSchedule({ rooms, discounts: [off] });
  expect(effectiveMonthlyRent(input)).toEqual({
    total: 297_500,
    rooms: [
      { roomId: 1, net: 99_167 },
      { roomId: 2, net: 198_333 },
    ],
  });
  const monthly = aSchedule({ rooms, discounts: [{ ...off, everyMonth: true, toMonth: 6 }] });
  expect(yuan(planBills(monthly).totals.discounts)).toBe("-1,800.00");
});

test("an area of six decimals and a rent of a hundred million stay exact", () => {
  expect(areaMonthlyRent("123.456789", "9999.99", "fen")).toBe(3_755_140_244);
  const start = "2026-03-20";
  const room = { unitPrice: "123.456789", area: "9999.99" };
  const shop = { start, calendarPeriods: true, pricing: "areaDay" as const, basis: "area" as const, room };
  expect(bills(shop)[1]!.amount).toBe(1_481_479_987);
});

test("a step on the very day a room joins is already in its rent; the one of the day after is not", () => {
  const room = {
    roomId: 1,
    joinDate: "2026-05-01",
    monthlyRent: 100_000,
    unitPrice: null,
    area: null,
  } as never;
  const other = {
    roomId: 2,
    joinDate: "2026-01-01",
    monthlyRent: 100_000,
    unitPrice: null,
    area: null,
  } as never;
  const step = (fromDate: string) =>
    ({ fromDate, mode: "amount" as const, value: "5000", resultRent: 0 }) as never;
  const prices = (...days: string[]) =>
    roomPrices(
      {
        start: "2026-01-01",
        pricing: "month",
        rentRounding: "fen",
        rooms: [room, other],
        steps: days.map(step),
      },
      room,
    ).map((p) => [p.from, p.price]);
  const joined = [dayNumber("2026-05-01"), 100_000];
  expect(prices("2026-05-01")).toEqual([joined]);
  expect(prices("2026-04-30", "2026-05-02")).toEqual([joined, [dayNumber("2026-05-02"), 105_000]]);
});

test("a company's lines are gone through once, not once for each of its rooms", () => {
  const rooms = Array.from({ length: 200 }, (_, i) => ({ roomId: i + 1, monthlyRent: 100_000 }));
  const input = aSchedule({ rooms });
  let looks = 0;
  const lines = planBills(input)
    .bills.filter((bill) => bill.kind === "rent")
    .flatMap((bill) => bill.lines)
    .map((line) => Object.defineProperty({ ...line }, "roomId", { get: () => (looks++, line.roomId) }));
  expect(netMonthlyRents(input, lines).map((room) => room.net)).toEqual(rooms.map((r) => r.monthlyRent));
  expect(looks).toBeLessThan(4 * lines.length);
});
