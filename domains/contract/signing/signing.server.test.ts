import { describe, expect, test } from "vitest";
import { yuan } from "../../../platform/kernel/fen.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aForm, aRoom, aShop, signed } from "../contract/contract.sample.ts";
import type { ContractForm } from "../terms/terms.contract.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house);
let rooms = 0;

/** Signs a form over a fresh room, as typed, and answers what stands in the database: rent and fee bills, line by line. */
async function typed(form: Partial<ContractForm> & { months?: number; rent?: number }) {
  const roomId = await aRoom(house, shop.building, `E${++rooms}`, 100);
  const { rent = 300_000 } = form;
  const { id, preview } = await signed(
    house,
    shop.clerk,
    aForm({ ...shop, roomId }, { rent, ...form }),
    "2026-03-12",
  );
  const bills = await house.database.db
    .selectFrom("bill")
    .select(["id", "title", "periodStart", "periodEnd", "dueDate", "amount"])
    .where("contractId", "=", id)
    .orderBy("id")
    .execute();
  const lines = await house.database.db
    .selectFrom("billLine as l")
    .innerJoin("bill as b", "b.id", "l.billId")
    .select(["l.billId", "l.periodStart", "l.periodEnd", "l.amount"])
    .where("b.contractId", "=", id)
    .orderBy("l.id")
    .execute();
  const [deposit, ...rest] = bills.map((b) => ({
    period: `${b.periodStart} ${b.periodEnd}`,
    due: b.dueDate,
    amount: yuan(b.amount),
    lines: lines
      .filter((l) => l.billId === b.id)
      .map((l) => `${l.periodStart} ${l.periodEnd} ${yuan(l.amount)}`),
  }));
  const whole = rest.reduce((sum, _, i) => sum + bills[i + 1]!.amount, 0);
  return { deposit, bills: rest, whole: yuan(whole), preview };
}

const ONE = { cycleMonths: 1 } as const;
const periods = (made: Awaited<ReturnType<typeof typed>>) => made.bills.map((b) => b.period);
const amounts = (made: Awaited<ReturnType<typeof typed>>) => made.bills.map((b) => b.amount);

describe("the trade's examples, typed into the form, make these bills", () => {
  test("a start on 31 January, paid monthly", async () => {
    const made = await typed({ ...ONE, start: "2026-01-31" });
    expect(periods(made)).toEqual([
      "2026-01-31 2026-02-27",
      "2026-02-28 2026-03-30",
      "2026-03-31 2026-04-29",
      "2026-04-30 2026-05-30",
      "2026-05-31 2026-06-29",
      "2026-06-30 2026-07-30",
      "2026-07-31 2026-08-30",
      "2026-08-31 2026-09-29",
      "2026-09-30 2026-10-30",
      "2026-10-31 2026-11-29",
      "2026-11-30 2026-12-30",
      "2026-12-31 2027-01-30",
    ]);
    expect(new Set(amounts(made))).toEqual(new Set(["3,000.00"]));
    expect(made.whole).toBe("36,000.00");
  });

  test("leap years", async () => {
    const january = await typed({ ...ONE, start: "2028-01-31" });
    expect(periods(january).slice(0, 3)).toEqual([
      "2028-01-31 2028-02-28",
      "2028-02-29 2028-03-30",
      "2028-03-31 2028-04-29",
    ]);
    const leapDay = await typed({ ...ONE, start: "2028-02-29" });
    expect(periods(leapDay).at(-1)).toBe("2029-01-29 2029-02-27");
    expect(leapDay.whole).toBe("36,000.00");
    expect(periods(await typed({ start: "2028-02-29", months: 24, cycleMonths: 12 }))).toEqual([
      "2028-02-29 2029-02-27",
      "2029-02-28 2030-02-27",
    ]);
    const four = await typed({ start: "2028-02-29", months: 48, cycleMonths: 12 });
    expect(periods(four).at(-1)).toBe("2031-02-28 2032-02-28");
  });

  test("押一付三 with property fee and one cleaning", async () => {
    const plain = await typed({ rent: 350_000 });
    expect(plain.deposit).toMatchObject({ amount: "3,500.00", due: "2026-03-12" });
    expect(plain.bills.map((b) => [b.period, b.due, b.amount])).toEqual([
      ["2026-03-15 2026-06-14", "2026-03-12", "10,500.00"],
      ["2026-06-15 2026-09-14", "2026-06-08", "10,500.00"],
      ["2026-09-15 2026-12-14", "2026-09-08", "10,500.00"],
      ["2026-12-15 2027-03-14", "2026-12-08", "10,500.00"],
    ]);
    expect(plain.whole).toBe("42,000.00");
    expect(yuan(plain.preview.totals.atSigning)).toBe("14,000.00");

    const subjects = await house.database.db.selectFrom("feeSubject").select(["id", "code"]).execute();
    const idOf = (code: string) => subjects.find((s) => s.code === code)!.id;
    const fees: ContractForm["fees"] = [
      { feeId: idOf("property"), name: "", kind: "recurring", amount: 10_000 },
      { feeId: idOf("cleaning"), name: "", kind: "once", amount: 20_000 },
    ];
    const withFees = await typed({ rent: 350_000, fees });
    expect(yuan(withFees.preview.totals.atSigning)).toBe("14,500.00");
    expect(withFees.bills[0]).toMatchObject({ amount: "11,000.00" });
    expect(withFees.bills[0]!.lines).toEqual([
      "2026-03-15 2026-06-14 10,500.00",
      "2026-03-15 2026-06-14 300.00",
      "2026-03-15 2026-03-15 200.00",
    ]);
  });

  test("month-end starts, due five days ahead", async () => {
    const due = { rule: "advance", dueDays: 5, firstDueDays: 0 } as const;
    const january = await typed({ rent: 280_000, start: "2026-01-31", due });
    expect(january.bills.map((b) => [b.period, b.due])).toEqual([
      ["2026-01-31 2026-04-29", "2026-03-12"],
      ["2026-04-30 2026-07-30", "2026-04-25"],
      ["2026-07-31 2026-10-30", "2026-07-26"],
      ["2026-10-31 2027-01-30", "2026-10-26"],
    ]);
    expect(january.whole).toBe("33,600.00");
    const november = await typed({ rent: 280_000, start: "2027-11-30", due });
    expect(november.bills.map((b) => [b.period, b.due]).slice(1)).toEqual([
      ["2028-02-29 2028-05-29", "2028-02-24"],
      ["2028-05-30 2028-08-29", "2028-05-25"],
      ["2028-08-30 2028-11-29", "2028-08-25"],
    ]);
    expect([january, november].map((made) => [...new Set(amounts(made))])).toEqual([
      ["8,400.00"],
      ["8,400.00"],
    ]);
  });

  test("a rent-free first month", async () => {
    const made = await typed({ rent: 350_000, rentFree: [{ fromDate: "2026-03-15", toDate: "2026-04-14" }] });
    expect(made.bills[0]!.lines).toEqual(["2026-03-15 2026-04-14 0.00", "2026-04-15 2026-06-14 7,000.00"]);
    expect(made.deposit!.amount).toBe("3,500.00");
    expect(made.whole).toBe("38,500.00");
    expect(yuan(made.preview.totals.atSigning)).toBe("10,500.00");
  });

  test.each([
    ["actual", "2,032.26"],
    ["30", "2,000.00"],
    ["365", "2,013.70"],
  ] as const)("ten free days of March on basis %s", async (basis, rest) => {
    const rentFree = [{ fromDate: "2026-03-01", toDate: "2026-03-10" }];
    const made = await typed({ ...ONE, start: "2026-03-01", basis, rentFree });
    expect(made.bills[0]!.lines).toEqual(["2026-03-01 2026-03-10 0.00", `2026-03-11 2026-03-31 ${rest}`]);
  });

  test.each([
    ["actual", "7,645.16", "1,354.84", "8,027.42", "1,422.58", "73,800.00"],
    ["30", "7,700.00", "1,400.00", "7,980.00", "1,470.00", "73,900.00"],
    ["365", "7,676.71", "1,380.82", "8,000.14", "1,449.86", "73,857.53"],
  ] as const)(
    "a step of 5% in the middle of a calendar quarter on basis %s",
    async (basis, first, a, b, last, sum) => {
      const made = await typed({
        start: "2026-01-15",
        months: 24,
        calendarPeriods: true,
        basis,
        steps: [
          {
            fromDate: "2027-01-15",
            mode: "percentCompound",
            value: "5",
            resultRent: 315_000,
            source: "rule",
          },
        ],
      });
      expect(amounts(made).slice(0, 4)).toEqual([first, "9,000.00", "9,000.00", "9,000.00"]);
      expect(made.bills[4]!.lines).toEqual([`2027-01-01 2027-01-14 ${a}`, `2027-01-15 2027-03-31 ${b}`]);
      expect(amounts(made).slice(5)).toEqual(["9,450.00", "9,450.00", "9,450.00", last]);
      expect(made.whole).toBe(sum);
    },
  );

  test.each([
    ["actual", "1,451.61", "1,548.39", "36,000.00"],
    ["30", "1,500.00", "1,600.00", "36,100.00"],
    ["365", "1,479.45", "1,578.08", "36,057.53"],
  ] as const)("calendar months with a stub on basis %s", async (basis, first, last, sum) => {
    const made = await typed({ ...ONE, start: "2026-01-17", calendarPeriods: true, basis });
    expect(made.bills).toHaveLength(13);
    expect(made.bills[0]).toMatchObject({ period: "2026-01-17 2026-01-31", amount: first });
    expect(made.bills[12]).toMatchObject({ period: "2027-01-01 2027-01-16", amount: last });
    expect(made.whole).toBe(sum);
  });

  test.each([
    ["actual", "12,419.35", "9,009.68"],
    ["30", "12,483.33", "8,942.50"],
    ["365", "12,456.16", "8,971.03"],
  ] as const)("half a year with a step of 5% on 1 January on basis %s", async (basis, before, after) => {
    const step = { mode: "percentCompound", value: "5", resultRent: 367_500, source: "rule" } as const;
    const steps = [{ ...step, fromDate: "2027-01-01" }];
    const made = await typed({ rent: 350_000, cycleMonths: 6, basis, steps });
    expect(made.bills[1]!.lines).toEqual([
      `2026-09-15 2026-12-31 ${before}`,
      `2027-01-01 2027-03-14 ${after}`,
    ]);
  });

  test("half-yearly bills that rise 5% a year for three years", async () => {
    const step = { mode: "percentCompound", value: "5", source: "rule" } as const;
    const steps = [
      { ...step, fromDate: "2027-03-15", resultRent: 367_500 },
      { ...step, fromDate: "2028-03-15", resultRent: 385_875 },
    ];
    const made = await typed({ rent: 350_000, months: 36, cycleMonths: 6, steps });
    const sums = ["21,000.00", "21,000.00", "22,050.00", "22,050.00", "23,152.50", "23,152.50"];
    expect(amounts(made)).toEqual(sums);
    expect(made.whole).toBe("132,405.00");
  });

  test.each([
    ["actual", "43,758.37"],
    ["30", "43,883.31"],
    ["365", "43,884.89"],
  ] as const)("the same whole for every cycle on basis %s", async (basis, sum) => {
    const step = { mode: "table", value: "350000", resultRent: 350_000, source: "manual" } as const;
    for (const cycleMonths of [1, 2, 3, 6, 12, 0] as const) {
      const made = await typed({
        ...{ start: "2026-01-31", end: "2027-03-09", rent: 333_333, basis, cycleMonths },
        rentFree: [{ fromDate: "2026-02-10", toDate: "2026-02-20" }] as never,
        steps: [{ ...step, fromDate: "2026-11-11" }],
      });
      expect([cycleMonths, made.whole]).toEqual([cycleMonths, sum]);
    }
  });

  test.each([
    ["day 25 of the month before", { dueDay: 25, dueMonthOffset: -1 }, "2026-05-31", "2026-04-25"],
    ["day 31 of the month before", { dueDay: 31, dueMonthOffset: -1 }, "2027-03-01", "2027-02-28"],
    [
      "day 31 of the month before in a leap year",
      { dueDay: 31, dueMonthOffset: -1 },
      "2028-03-01",
      "2028-02-29",
    ],
    [
      "day 1 of the same month, before the signing",
      { dueDay: 1, dueMonthOffset: 0 },
      "2026-03-15",
      "2026-03-12",
    ],
    ["day 1 of the same month", { dueDay: 1, dueMonthOffset: 0 }, "2026-04-15", "2026-04-01"],
    ["day 10 of the next month", { dueDay: 10, dueMonthOffset: 1 }, "2026-04-01", "2026-05-10"],
  ] as const)("due on %s", async (_, how, period, day) => {
    const start = `2026-03-${period.slice(8)}`;
    const due = { rule: "fixedDay", firstDueDays: 0, ...how } as ContractForm["due"];
    const made = await typed({ ...ONE, start, months: 25, due });
    expect(made.bills.find((b) => b.period.startsWith(period))?.due).toBe(day);
  });

  test("price per square metre and day", async () => {
    const roomId = await aRoom(house, shop.building, `E${++rooms}`, 100);
    await house.database.db.updateTable("room").set({ area: "86.50" }).where("id", "=", roomId).execute();
    const form = aForm(
      { ...shop, roomId },
      {
        ...ONE,
        start: "2026-03-20",
        calendarPeriods: true,
        pricing: "areaDay",
        basis: "area",
        rooms: [{ roomId, monthlyRent: 0, unitPrice: "4.50" }],
      },
    );
    const { id } = await signed(house, shop.clerk, form, "2026-03-12");
    const bills = await house.database.db
      .selectFrom("bill")
      .select("amount")
      .where("contractId", "=", id)
      .orderBy("id")
      .execute();
    expect(bills.slice(0, 3).map((b) => yuan(b.amount))).toEqual(["11,839.69", "4,671.00", "11,839.69"]);
    const row = await house.database.db
      .selectFrom("contract")
      .select(["monthlyRent", "currentRent", "depositAmount"])
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ monthlyRent: 1_183_969, currentRent: 1_183_969, depositAmount: 1_183_969 });
  });
});
