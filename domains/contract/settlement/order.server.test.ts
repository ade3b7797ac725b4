import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBill, aLine } from "../../finance/bill/bill.sample.ts";
import { take } from "../../finance/flow/flow.sample.ts";
import { aSettler } from "./settlement.sample.ts";

const house = await testHouse();
const { shop, accounts, CHARGES, pool, lease, agreed, submitted, preview, row, confirm, sound } =
  await aSettler(house);
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

test("300.00 that a cashier books meanwhile: the refund of 4,012.76 is not confirmed, that of 4,312.76 is", async () => {
  const contract = await lease();
  const owed = await aBill(house, shop as never, contract.partyId, {
    contractId: contract.id,
    title: "7月停车费",
    dueDate: "2026-07-10",
    lateFeeRate: "0",
    lines: [aLine("other", 30_000, { periodStart: "2026-07-01", periodEnd: "2026-07-31", slices: [] })],
  });
  house.setClock("2026-08-05T10:00:00+08:00");
  const ready = await agreed(contract.id);
  const arrears = async () => {
    const { net, lines } = await preview(ready.id);
    return [net, lines.filter((l) => l.kind === "owed").map((l) => l.amount)];
  };
  expect(await arrears()).toEqual([401_276, [-30_000]]);
  await take(house, shop as never, accounts, contract.partyId, {
    amount: 30_000,
    paidAt: "2026-08-05T10:00:00+08:00",
    bills: [owed],
    channel: "cash",
  });
  const changed = await confirm(ready);
  expect(changed).toMatchObject({ status: 409, body: { reason: "previewChanged", data: { net: 431_276 } } });
  expect(await arrears()).toEqual([431_276, [0]]);
  const { previewHash } = await preview(ready.id);
  // the tenant agreed to the other sum: he is shown this one before it is confirmed
  const unseen = await confirm({ ...ready, previewHash });
  expect(unseen).toMatchObject({ status: 409, body: { reason: "resubmit" } });
  const again = await confirm(await submitted(ready.id));
  expect(again.body).toMatchObject({ code: 200 });
  const { rows } = await pool.query(
    "select a.net::int, r.amount::int from contract_act a join refund r on r.id = a.refund_id where a.id = $1",
    [ready.id],
  );
  expect(rows).toEqual([{ net: 431_276, amount: 431_276 }]);
  expect(await sound()).toEqual([]);
});
