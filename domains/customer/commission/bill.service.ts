import { sql } from "kysely";
import { maxDay } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { propose } from "../../approval/examine/propose.service.ts";
import { approves, money, words } from "../../approval/examine/registry.service.ts";
import { makeBills } from "../../finance/bill/bill.service.ts";
import { linkParty, makeParty } from "../../party/party/party.service.ts";
import { noteCommission, returnClawed } from "./claw.service.ts";
import { type Commission, lockCommissions } from "./commission.queries.ts";
import { COMMISSION_MOVES } from "../commission-rule/commission.rules.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";

const no = (msg: string) => new Refusal("notAllowed", msg, 409);
const byId = (ids: readonly number[]) => [...new Set(ids)].toSorted((a, b) => a - b);

/** The bill that commissions would become: one payee, one store, more owed than taken back. */
export function planOf(rows: readonly Commission[], today: string) {
  const [first] = rows;
  const payeeOf = (row: Commission) => (row.agencyId ? `agency ${row.agencyId}` : `agent ${row.agentId}`);
  if (rows.some((row) => payeeOf(row) !== payeeOf(first!)))
    throw no("一张账单只能结算同一收款方的佣金，请按机构或独立经纪人分别生成");
  if (rows.some((row) => row.villageId !== first!.villageId))
    throw no("一张账单只能结算同一门店的佣金，请按门店分别生成");
  for (const row of rows) {
    const why = COMMISSION_MOVES.refusal("settle", { ...row, status: row.state });
    if (why) throw no(`${row.number}：${why}`);
    if (row.payableFrom > today) throw no(`${row.number} 可付日 ${row.payableFrom} 未到，不能结算`);
  }
  const amount = rows.reduce((sum, row) => sum + row.amount, 0);
  if (amount <= 0) throw no("所选佣金扣除扣回后没有应付金额，请与其他佣金一起结算");
  const lines = rows.map(({ id, number, agentName, contractNo, kind, amount: of }) => ({
    id,
    number,
    agentName,
    contractNo,
    kind,
    amount: of,
  }));
  return {
    payeeName: first!.agencyId ? first!.agencyName : first!.agentName,
    villageId: first!.villageId,
    villageName: first!.villageName,
    bankText: first!.bankText || "未登记收款账户",
    dueDate: today,
    amount,
    lines,
    hash: basisHash([payeeOf(first!), lines]),
  };
}

const seenOf = (read: Read, ids: readonly number[], rows: Commission[]): Commission[] => {
  if (rows.length !== ids.length || rows.some((row) => !read.who.villages.includes(row.villageId)))
    throw notFound();
  return rows;
};

export async function previewBill(read: Read, wanted: readonly number[]) {
  const ids = byId(wanted);
  return planOf(seenOf(read, ids, await lockCommissions(read, ids, false)), read.today);
}

/** Settles commissions together: at once where nobody has to approve it, else as soon as somebody has. */
export async function settle(
  act: Act,
  wanted: readonly number[],
  previewHash: string,
): Promise<{ id: number; billNo: string | null; waiting: string | null }> {
  const ids = byId(wanted);
  const rows = seenOf(act, ids, await lockCommissions(act, ids));
  const plan = planOf(rows, act.today);
  if (plan.hash !== previewHash)
    throw new Refusal("previewChanged", "佣金试算已变化，请核对后重新确认", 409, { data: plan });
  const id = ids[0]!;
  await sql`update commission set state = 'settling', batch_id = ${id}, version = version + 1,
      updated_at = ${act.now.toISOString()}, updated_by = ${act.who.operatorId || null}
    where id = any(${ids}::bigint[])`.execute(act.tx);
  const { waiting } = await propose(act, "commission", [
    {
      recordId: id,
      villageId: plan.villageId,
      payload: {},
      reason: `结算${plan.payeeName}的佣金 ${yuan(plan.amount)} 元`,
    },
  ]);
  for (const row of rows)
    await noteCommission(
      act,
      row,
      "结算",
      `与 ${ids.length} 笔佣金一起结算${waiting[0] ? "，等待审批" : ""}`,
    );
  if (waiting[0]) return { id, billNo: null, waiting: waiting[0].examineNo };
  return { id, billNo: (await billBatch(act, id)).billNo, waiting: null };
}

/** All that is settled together, under the first of them. */
export async function batchOf(read: Pick<Read, "tx">, batchId: number, lock = false): Promise<Commission[]> {
  const rows = await read.tx
    .selectFrom("commission")
    .select("id")
    .where("batchId", "=", batchId)
    .orderBy("id")
    .execute();
  return lockCommissions(
    read,
    rows.map((row) => row.id),
    lock,
  );
}

/** As whom an agency or an agent on his own is paid; made with the first bill. */
async function payeeOf(act: Act, row: Commission): Promise<number> {
  const table = row.agencyId ? "agency" : "agent";
  const of = await act.tx
    .selectFrom(table)
    .select(["id", "name", "phone", "partyId", "enterpriseId"])
    .where("id", "=", row.agencyId ?? row.agentId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { enterpriseId, name, phone } = of;
  let partyId = of.partyId;
  if (!partyId) {
    const kind = row.agencyId ? "supplier" : "thirdParty";
    partyId = await makeParty(act, { enterpriseId, kind, name, phone });
    await act.tx.updateTable(table).set({ partyId }).where("id", "=", of.id).execute();
  }
  await linkParty(act, partyId, row.villageId, "link");
  return partyId;
}

/** The payable bill of what is settled together: a line each, what is taken back as a reduction of the others. */
export async function billBatch(act: Act, batchId: number): Promise<{ id: number; billNo: string }> {
  const rows = await batchOf(act, batchId, true);
  const [first] = rows;
  if (!first || rows.some((row) => row.state !== "settling" || row.billId !== null))
    throw no("该批佣金已退回，请重新生成账单");
  const period = { periodStart: act.today, periodEnd: act.today };
  const [bill] = await makeBills(act, [
    {
      villageId: first.villageId,
      roomId: null,
      contractId: null,
      partyId: await payeeOf(act, first),
      title: `经纪人佣金 ${first.agencyName || first.agentName}`,
      dueDate: rows.reduce((day, row) => maxDay(day, row.payableFrom), act.today),
      ...period,
      source: "cost",
      sourceId: batchId,
      direction: "payable",
      graceDays: 0,
      lateFeeRate: "0",
      lateFeeCap: "0",
      remark: rows
        .map((row) => row.number)
        .join("、")
        .slice(0, 200),
      lines: rows
        .filter((row) => row.amount !== 0)
        // what is earned stands before what is taken back of it
        .toSorted((a, b) => Number(a.amount < 0) - Number(b.amount < 0))
        .map((row) => ({
          subject: "commission",
          roomId: row.roomId,
          amount: row.amount,
          ...(row.amount < 0 && { kind: "adjust" as const, reason: `扣回佣金 ${row.contractNo}` }),
          ...period,
          slices: [{ from: act.today, to: act.today, amount: row.amount }],
          explain: { rule: "manual", quantity: "1", price: row.amount },
        })),
    },
  ]);
  await sql`update commission set bill_id = ${bill!.id}, version = version + 1
    where batch_id = ${batchId} and state = 'settling'`.execute(act.tx);
  for (const row of rows) await noteCommission(act, row, "生成账单", `生成佣金账单 ${bill!.billNo}`);
  await act.note({
    kind: "bill",
    recordId: bill!.id,
    number: bill!.billNo,
    villageId: first.villageId,
    action: "新增",
    summary: `结算佣金 ${rows.length} 笔`,
  });
  return bill!;
}

/** The bill is void or was not approved: its commissions are owed again. */
export async function dropBatch(act: Act, batchId: number, why: string): Promise<void> {
  const rows = (await batchOf(act, batchId, true)).filter(
    (row) => row.state === "settling" || row.billId !== null,
  );
  await sql`update commission set state = case when state = 'settling' then 'owed' else state end, batch_id = null,
      bill_id = null, version = version + 1 where batch_id = ${batchId}`.execute(act.tx);
  for (const row of rows) await noteCommission(act, row, "退回", why);
  // what a leaving took back that was undone while it was being settled
  const claws = rows.filter((row) => row.kind === "claw");
  for (const contractId of new Set(claws.map((row) => row.contractId))) await returnClawed(act, contractId);
}

approves({
  type: "commission",
  title: "佣金结算",
  group: "财务",
  kind: "commission",
  page: "/configuration/AgentManagement?tab=settle",
  permit: "115.query",
  fields: [
    { key: "amount", title: "金额", kind: "money" },
    { key: "count", title: "笔数", kind: "number", unit: "笔" },
  ],
  outlook: async (read, { id }) => {
    const rows = await batchOf(read, id);
    const [first] = rows;
    if (!first || rows.some((row) => row.state !== "settling" || row.billId !== null))
      throw new Refusal("notAllowed", "该批佣金已退回，请重新生成账单");
    const amount = rows.reduce((sum, row) => sum + row.amount, 0);
    const payee = first.agencyName || first.agentName;
    return {
      title: `佣金结算 ${payee}`,
      number: first.number,
      villageId: first.villageId,
      amount,
      values: { amount, count: rows.length },
      facts: [
        ["收款方", payee],
        ["收款账户", first.bankText || "未登记收款账户"],
        ["门店", first.villageName],
        ["应付金额", `${yuan(amount)} 元`],
      ],
      preview: [
        {
          title: "结算的佣金",
          columns: [words("编号"), words("经纪人"), words("合同"), money("佣金")],
          rows: rows.map((row) => [row.number, row.agentName, row.contractNo, row.amount]),
        },
      ],
      hash: basisHash(rows.map((row) => [row.id, row.amount])),
    };
  },
  effect: async (act, { id }) => void (await billBatch(act, id)),
});
