import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { take } from "../../finance/flow/flow.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { adjustBill, disputeBill, issueBill, previewAdjust } from "../../finance/bill-acts/acts.contract.ts";
import { issueDue } from "../../finance/bill-acts/change.service.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { settlementActs } from "./settlement.contract.ts";
import { aSettler, everythingOf } from "./settlement.sample.ts";

const house = await testHouse();
const { as, shop, pool, accounts, lease, agreed, submitted, confirm, preview, row, sound } =
  await aSettler(house);

const LATE: Partial<ContractForm> = {
  graceDays: 30,
  lateFeeDailyRate: "0.05",
  penaltyRule: "none",
  due: { rule: "advance", dueDays: 7 },
};
const on = async (day: string) => {
  house.setClock(`${day}T10:00:00+08:00`);
  await acting(house, (act) => issueDue(act));
};
const undone = async (id: number) => {
  const { version } = await row(id);
  await house.did(settlementActs.undo, { as }, { params: { id }, body: { version, reason: "撤销" } });
};
const LEAVES = { effectiveOn: "2026-05-01", endReason: "early", noticeOn: null, charges: [] } as const;

test("who paid a quarter in time owes no late fee when a discount of it stands on another line than what is cut off", async () => {
  const { id: contractId } = await lease(
    {
      ...LATE,
      discounts: [
        { name: "九五折", kind: "percent", value: "5", order: 1, fromMonth: 1, toMonth: 8, reason: "" },
      ],
      // a step in the middle of the quarter parts its rent into two lines
      steps: [
        { fromDate: "2026-05-15", mode: "table", value: "360000", resultRent: 360_000, source: "manual" },
      ],
    } as Partial<ContractForm>,
    1,
  );
  await on("2026-05-21");
  const before = await everythingOf(pool, contractId);
  const asked = await agreed(contractId, { ...LEAVES, effectiveOn: "2026-05-20", charges: [] });
  const shown = await preview(asked.id);
  expect(shown.lines.filter((l) => l.kind === "owed" || l.kind === "lateFee").map((l) => l.amount)).toEqual([
    0,
  ]);
  expect(await confirm(asked)).toMatchObject({ status: 200, body: { data: { state: "toPay" } } });
  const { rows } = await pool.query(
    "select coalesce(sum(outstanding), 0)::int owed from bill where contract_id = $1",
    [contractId],
  );
  expect(rows[0].owed).toBe(0);
  expect(await sound()).toEqual([]);
  await undone(asked.id);
  expect(await everythingOf(pool, contractId)).toEqual(before);
  expect(await sound()).toEqual([]);
});

test("the late fee of rent that is open is the one that was shown when another line of its bill was paid", async () => {
  const { id: contractId, partyId } = await lease(LATE, 0);
  await on("2026-03-16");
  const { rows } = await pool.query<{ billId: number; lineId: number; amount: number }>(
    `select b.id::int "billId", l.id::int "lineId", l.outstanding::int amount from bill b join bill_line l on l.bill_id = b.id
     join fee_subject s on s.id = l.fee_subject_id
     where b.contract_id = $1 and s.code = 'property' order by b.due_date limit 1`,
    [contractId],
  );
  const [{ amount, ...want }] = rows as [(typeof rows)[0]];
  const paidAt = "2026-03-16T10:00:00+08:00";
  await take(house, shop as never, accounts, partyId, { amount, paidAt, wants: [want], channel: "cash" });
  await on("2026-05-02");
  const asked = await agreed(contractId, { ...LEAVES, charges: [] });
  const shown = await preview(asked.id);
  expect(shown.lines.filter((l) => l.kind === "lateFee")).toMatchObject([{ amount: -5_483 }]);
  expect(await confirm(asked)).toMatchObject({ status: 200, body: { data: { state: "toPay" } } });
  expect(await sound()).toEqual([]);
  // taken back it is what it was, and once more the same
  await undone(asked.id);
  const again = await preview(asked.id);
  expect([again.net, again.lines]).toEqual([shown.net, shown.lines]);
  expect(await confirm(await submitted(asked.id))).toMatchObject({ status: 200 });
  expect(await sound()).toEqual([]);
});

test("late fee that falls with the cut stands again once that is undone", async () => {
  const { id: contractId, partyId } = await lease(LATE, 0);
  await on("2026-05-02");
  const { rows } = await pool.query<{ id: number }>(
    "select id::int from bill where contract_id = $1 and period_start = '2026-03-15' and title <> '押金'",
    [contractId],
  );
  const paidAt = "2026-05-02T10:00:00+08:00";
  const bills = rows.map((r) => r.id);
  await take(house, shop as never, accounts, partyId, { amount: 100_000, paidAt, bills, channel: "cash" });
  const before = await everythingOf(pool, contractId);
  const asked = await agreed(contractId, { ...LEAVES, effectiveOn: "2026-04-20", charges: [] });
  const shown = await preview(asked.id);
  expect(shown.lines.find((l) => l.kind === "lateFee")!.amount).toBeGreaterThan(0);
  expect(await confirm(asked)).toMatchObject({ status: 200 });
  await undone(asked.id);
  expect(await everythingOf(pool, contractId)).toEqual(before);
  expect((await preview(asked.id)).lines).toEqual(shown.lines);
  expect(await sound()).toEqual([]);
});

test("a bill that an undo writes once more keeps what was charged more by hand as a correction, and its late fee waived", async () => {
  const { id: contractId } = await lease(LATE, 1);
  const boss = await house.person({ superType: "1" });
  await on("2026-07-20");
  const second = async () =>
    (
      await pool.query<{ id: number; line: number; kinds: string[] }>(
        `select b.id::int, min(l.id) filter (where l.kind = 'normal')::int line,
           array_agg(l.kind || ' ' || l.amount order by l.kind, l.amount) kinds
         from bill b join bill_line l on l.bill_id = b.id
         where b.contract_id = $1 and b.voided_at is null and b.period_start = '2026-06-15' group by b.id`,
        [contractId],
      )
    ).rows[0]!;
  const { id: billId, line } = await second();
  for (const change of [
    { lineId: line, mode: "plus" as const, value: 5_000 },
    { lineId: null, mode: "percent" as const, percent: "100" },
  ]) {
    const sent = { params: { id: billId }, body: { changes: [change] } };
    const { hash: previewHash } = await house.did(previewAdjust, { as: boss }, sent);
    const body = { ...sent.body, reason: "协商", previewHash, fileIds: [] };
    await house.did(adjustBill, { as: boss }, { ...sent, body });
  }
  // brought back to what it was, so that nothing is left of the bill once it is cut
  const minus = [{ lineId: line, mode: "minus" as const, value: 5_000 }];
  const { hash } = await house.did(
    previewAdjust,
    { as: boss },
    { params: { id: billId }, body: { changes: minus } },
  );
  const lowered = { changes: minus, reason: "改回", previewHash: hash, fileIds: [] };
  await house.did(adjustBill, { as: boss }, { params: { id: billId }, body: lowered });
  const { kinds } = await second();
  const before = await everythingOf(pool, contractId);
  const asked = await agreed(contractId, { ...LEAVES, effectiveOn: "2026-06-14", charges: [] });
  expect(await confirm(asked)).toMatchObject({ status: 200 });
  expect(await second()).toBeUndefined();
  await undone(asked.id);
  expect((await second()).kinds).toEqual(kinds);
  expect(await everythingOf(pool, contractId)).toEqual(before);
  expect(await sound()).toEqual([]);
});

test("a bill that an undo writes once more is on the ledger and disputed as it was", async () => {
  const { id: contractId } = await lease(LATE, 1);
  const boss = await house.person({ superType: "1" });
  await on("2026-05-02");
  const last = async () =>
    (
      await pool.query<{ id: number; version: number; issued: boolean; disputes: string[] }>(
        `select b.id::int, b.version, b.issued_at is not null and b.disputed_from = '2026-05-02' issued,
           array(select d.from_day || ' ' || d.reason from bill_dispute d where d.bill_id = b.id and d.to_day is null) disputes
         from bill b where b.contract_id = $1 and b.voided_at is null and b.period_start = '2026-12-15'`,
        [contractId],
      )
    ).rows[0]!;
  const { id, version } = await last();
  await house.did(issueBill, { as: boss }, { params: { id }, body: { version } });
  const body = { disputed: true, reason: "金额有异议", version: version + 1 };
  await house.did(disputeBill, { as: boss }, { params: { id }, body });
  const before = await everythingOf(pool, contractId);
  const asked = await agreed(contractId, { ...LEAVES, charges: [] });
  expect(await confirm(asked)).toMatchObject({ status: 200 });
  expect(await last()).toBeUndefined();
  await undone(asked.id);
  expect(await last()).toMatchObject({ issued: true, disputes: ["2026-05-02 金额有异议"] });
  expect(await everythingOf(pool, contractId)).toEqual(before);
  expect(await sound()).toEqual([]);
});
