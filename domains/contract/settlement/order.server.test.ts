import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aSettler } from "./settlement.sample.ts";

const house = await testHouse();
const { CHARGES, pool, lease, agreed, preview, row, confirm, sound } = await aSettler(house);
const LATE = { cycleMonths: 1, graceDays: 0, lateFeeDailyRate: "0.1", lateFeeCapPercent: 100 } as const;

/** What of each line is paid, of the old bills and of the settlement's own. */
async function paidOf(contractId: number) {
  const { rows } = await pool.query<{
    kind: string;
    own: boolean;
    title: string;
    net: number;
    settled: number;
  }>(
    `select l.kind, b.source = 'settlement' own, coalesce(nullif(l.reason, ''), s.name) title,
       (l.amount + l.adjusted)::int net, l.settled::int
     from bill_line l join bill b on b.id = l.bill_id join fee_subject s on s.id = l.fee_subject_id
     where b.contract_id = $1 and b.voided_at is null and b.due_date >= '2026-07-01' order by b.source, l.id`,
    [contractId],
  );
  return rows;
}

test("the deposit pays old bills with their late fee, then utilities, damage and cleaning, and the penalty last", async () => {
  const contract = await lease(LATE, 4);
  house.setClock("2026-08-05T10:00:00+08:00");
  const [electric, water, damage, cleaning] = CHARGES;
  const ready = await agreed(contract.id, { charges: [cleaning!, damage!, water!, electric!] });
  const { lines } = await preview(ready.id);
  expect(lines.find((l) => l.kind === "lateFee")!.amount).toBeLessThan(0);
  expect((await confirm(ready)).status).toBe(200);
  const paid = await paidOf(contract.id);
  expect(paid.filter((l) => l.settled < l.net).map((l) => l.title)).toEqual(["违约金"]);
  expect(paid.find((l) => l.kind === "lateFee")).toMatchObject({ own: false });
  expect(paid.filter((l) => l.own).map((l) => l.title)).toEqual([
    "水费",
    "电费",
    "遥控器 1 个",
    "保洁",
    "违约金",
  ]);
  expect((await row(ready.id)).state).toBe("toPay");
  expect(await sound()).toEqual([]);
});

test("what was typed first is not paid first", async () => {
  const contract = await lease(LATE, 4);
  house.setClock("2026-08-05T10:00:00+08:00");
  const [electric, , , cleaning] = CHARGES;
  const much = { ...cleaning!, amount: 300_000 };
  await confirm(await agreed(contract.id, { charges: [much, electric!] }));
  const own = (await paidOf(contract.id)).filter((l) => l.own);
  expect(own.map((l) => [l.title, l.settled === l.net, l.settled > 0])).toEqual([
    ["电费", true, true],
    ["保洁", false, true],
    ["违约金", false, false],
  ]);
  expect(await sound()).toEqual([]);
});
