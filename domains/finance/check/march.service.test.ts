import { beforeAll, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { getBill } from "../bill-list/bill.contract.ts";
import { take } from "../flow/flow.sample.ts";
import { checkLedger } from "./check.service.ts";
import { march2026, type March } from "./march.sample.ts";

const house = await testHouse();
let m: March;
beforeAll(async () => {
  m = await march2026(house);
}, 60_000);

/** Movement of an account in March from some events, on its normal side. */
async function moved(
  account: string,
  village: "a" | "b",
  side: 1 | -1,
  ...events: string[]
): Promise<number> {
  const { rows } = await house.database.pool.query<{ fen: number }>(
    `select coalesce(sum(l.debit - l.credit), 0)::bigint fen from journal_line l join journal_entry e on e.id = l.entry_id
     where l.account = $1 and l.village_id = $2 and l.date between '2026-03-01' and '2026-03-31'
       and (cardinality($3::text[]) = 0 or e.event = any($3))`,
    [account, m[village].villageId, events],
  );
  return rows[0]!.fen * side || 0;
}

describe("March 2026", () => {
  test("R1: 应收, 调整, 实收, 核销 and what is open at the end", async () => {
    expect(await moved("1122", "a", 1, "E01", "E02", "E03", "E05")).toBe(1_523_080);
    expect(await moved("1122", "a", 1, "E04")).toBe(0);
    expect(await moved("1122", "a", -1, "E08", "E09")).toBe(1_110_000);
    expect(await moved("1122", "a", -1, "E11")).toBe(50_000);
    expect(await moved("1122", "b", 1, "E01", "E02", "E03", "E05")).toBe(1_032_050);
    expect(await moved("1122", "b", 1, "E04")).toBe(-110_000);
    expect(await moved("1122", "b", -1, "E08", "E09")).toBe(890_000);
    const { rows } = await house.database.pool.query<{ villageId: number; fen: number }>(
      `select village_id "villageId", sum(debit - credit)::bigint fen from journal_line where account = '1122' group by 1 order by 1`,
    );
    // B's 320.50 are set off from the deposit in the whole example; here they stay open
    expect(rows.map((r) => r.fen)).toEqual([413_080, 32_050]);
  });

  test("R11: what was received, and the channels' fees", async () => {
    expect(await moved("2203", "a", -1, "E06", "E10")).toBe(1_135_000);
    expect(await moved("2203", "b", -1, "E06", "E10")).toBe(1_000_000);
    expect(await moved("6602", "a", 1)).toBe(4810);
  });

  test("R12: by subject, and what stays prepaid", async () => {
    expect(await moved("2203", "a", 1, "E08", "E09")).toBe(1_110_000);
    expect(await moved("2203", "b", 1, "E08", "E09")).toBe(890_000);
    const { rows } = await house.database.pool.query<{ balance: number }>(
      "select balance from party_balance where balance > 0 order by 1",
    );
    expect(rows.map((r) => r.balance)).toEqual([25_000, 110_000]);
  });

  test("李四's bill on 31 March", async () => {
    const lead = await house.person({ permits: ["26.get"], villages: [m.a.villageId] });
    const bill = await house.did(getBill, { as: lead }, { params: { id: m.bills["liSi"]! } });
    expect(bill).toMatchObject({
      amount: 283_080,
      settled: 150_000,
      outstanding: 133_080,
      lateFee: 325,
      daysOverdue: 30,
      status: "partial",
    });
    expect(bill.late.segments[0]).toMatchObject({
      days: 22,
      principal: 280_000,
      rate: "0.000500",
      fee: 3080,
    });
    expect(bill.lines.find((l) => l.kind === "lateFee")).toMatchObject({ amount: 3080, tax: 44 });
  });

  test("every check and tie holds", async () => {
    const { breaks } = await acting(house, (act) => checkLedger(act, "manual"));
    expect(breaks).toEqual([]);
  });

  test("1,330.80 on 10 April leaves 9.75 frozen and unpaid", async () => {
    house.setClock("2026-04-10T18:00:00+08:00");
    const lead = await house.person({ permits: ["26.get"], villages: [m.a.villageId] });
    const { partyId } = await house.did(getBill, { as: lead }, { params: { id: m.bills["liSi"]! } });
    await take(house, m.a, m.accounts.a, partyId, {
      amount: 133_080,
      channel: "cash",
      paidAt: "2026-04-10T12:00:00+08:00",
      bills: [m.bills["liSi"]!],
    });
    const bill = await house.did(getBill, { as: lead }, { params: { id: m.bills["liSi"]! } });
    expect(bill).toMatchObject({ outstanding: 975, lateFee: 0 });
  });
});
