import { sql } from "kysely";
import { type Day, addDays, daysBetween } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { isMobile } from "../../../platform/kernel/texts/contact.ts";
import { eachByItself } from "../../../platform/server/jobs/by-itself.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { sendNotices } from "../../customer/push/notice.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { partyFacts } from "../contract/facts.queries.ts";
import { billReopened } from "../../finance/bill/events.contract.ts";
import { billPaid } from "../../finance/flow/flow.contract.ts";
import { refundChanged } from "../../finance/refund/refund.contract.ts";
import { closeLeaving, freeRooms } from "../../listing/occupancy/occupancy.service.ts";
import { cleanAfterLeaving } from "../../listing/turnover/turnover.service.ts";
import { configOf } from "../config/config.service.ts";
import { recordById, stillLet } from "../contract/record.queries.ts";

/**
 * Settlements of some contracts whose money is through: the refund is paid and no bill is open. The rooms are free now where
 * the settings wait for it.
 */
export async function finishPaid(act: Act, contractIds: readonly number[]): Promise<void> {
  if (!contractIds.length) return;
  const { rows } = await sql<{ id: number; actNo: string; contractId: number; version: number }>`
    select a.id, a.act_no "actNo", a.contract_id "contractId", a.version from contract_act a
    where a.contract_id = any(${contractIds as number[]}::bigint[]) and a.kind = 'settle' and a.state = 'toPay'
      and not exists (select from refund r where r.id = a.refund_id and r.state not in ('paid', 'cancelled', 'rejected'))
      and not exists (select from bill b where b.contract_id = a.contract_id and b.outstanding > 0)
    order by a.id for no key update of a`.execute(act.tx);
  await eachByItself(
    act,
    rows,
    ({ actNo }) => actNo,
    async ({ id, contractId, version }) => {
      await revise(act, "contractAct", { id, version }, { state: "done", ...stamp(act) });
      const contract = (await recordById(act, contractId))!;
      // one that was through before had its rooms free then
      if (
        (await configOf(act, contract)).freeRoomAt === "paid" &&
        (await freeRooms(act, { contractId })).length
      )
        await cleanAfterLeaving(act, stillLet(contract), act.today);
      await closeLeaving(act, { contractId });
    },
  );
}

/** Settlements whose money went through without anybody being told: a bill of theirs was voided or written off. */
async function finishThrough(act: Act): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select a.contract_id id from contract_act a
    where a.kind = 'settle' and a.state = 'toPay'
      and not exists (select from bill b where b.contract_id = a.contract_id and b.outstanding > 0)
      and not exists (select from refund r where r.id = a.refund_id and r.state not in ('paid', 'cancelled', 'rejected'))
    order by a.id limit 500`.execute(act.tx);
  await finishPaid(
    act,
    rows.map((r) => r.id),
  );
}

async function contractsOfBills(act: Act, billIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct contract_id id from bill where id = any(${billIds as number[]}::bigint[]) and contract_id is not null`.execute(
    act.tx,
  );
  return rows.map((r) => r.id);
}

/** Money of settlements that were through was taken back: of a bill of theirs, or the refund itself. */
async function reopenSettled(
  act: Act,
  contractIds: readonly number[],
  refundId: number | null,
): Promise<void> {
  const { rows } = await sql<{ id: number; version: number }>`
    select a.id, a.version from contract_act a
    where a.kind = 'settle' and a.state = 'done' and a.contract_id = ${anyOf(contractIds)}
      and (a.refund_id = ${refundId}
        or exists (select from bill b where b.contract_id = a.contract_id and b.outstanding > 0))
    order by a.id for no key update`.execute(act.tx);
  for (const seen of rows) await revise(act, "contractAct", seen, { state: "toPay", ...stamp(act) });
}

/** The tenant hears that the refund of its settlement is on its way. */
async function tellRefunded(act: Act, contractId: number, refundId: number, amount: Fen): Promise<void> {
  const record = await aRow(act, "contractAct", ["id", "actNo"], { contractId, refundId });
  const contract = record && (await recordById(act, contractId));
  if (!contract) return;
  const party = (await partyFacts(act, [contract.partyId!])).get(contract.partyId!);
  if (!party || !isMobile(party.phone)) return;
  const { villageId, enterpriseId, roomNames } = contract;
  await sendNotices(act, [
    {
      notice: "退房退款",
      channel: "sms",
      recipient: party.phone,
      body: `${party.name}您好，${roomNames}的退房结算（${record.actNo}）退款 ${yuan(amount)} 元已支付，请查收。`,
      source: "notice",
      sourceId: refundId,
      partyId: party.partyId,
      villageId,
      enterpriseId,
      once: `contract.refunded.${refundId}`,
    },
  ]);
}

/** So many days before the day of leaving who looks after it is told of it; the day itself included. */
const LEAVING_DAYS = [3, 0] as const;
type Leaving = {
  id: number;
  actNo: string;
  contractId: number;
  contractNo: string;
  villageId: number;
  partyName: string;
  roomNames: string;
  effectiveOn: Day;
  days: number;
  to: number;
};

/** Leavings near their day that are not settled; of days that were missed the last counts. */
export async function tellLeaving(act: Act): Promise<number> {
  const { today } = act;
  const { rows } = await sql<Leaving>`
    select a.id, a.act_no "actNo", c.id "contractId", c.contract_no "contractNo", a.village_id "villageId",
      c.party_name "partyName", c.room_names "roomNames", a.effective_on "effectiveOn", t.days,
      coalesce(h.id, k.id, v.manager_id) "to"
    from contract_act a join contract c on c.id = a.contract_id join village v on v.id = a.village_id
    left join operator h on h.id = a.handler_id and h.state = 'active'
    left join operator k on k.id = c.manager_operator_id and k.state = 'active'
    join lateral (select min(day) days from unnest(${[...LEAVING_DAYS]}::int[]) day where day >= a.effective_on - ${today}::date) t on true
    where a.kind = 'settle' and a.state in ('inspecting', 'settling', 'approving', 'confirming')
      and a.effective_on between ${today}::date and ${addDays(today, Math.max(...LEAVING_DAYS))}::date
      and not exists (select from message m where m.once_key = 'contract.leaving.' || a.id || '.' || a.effective_on || '.' || t.days)
    order by a.effective_on, a.id`.execute(act.tx);
  for (const { id, actNo, effectiveOn, days, to, ...c } of rows) {
    const left = daysBetween(today, effectiveOn);
    await tell(act, {
      to: [to],
      type: 3,
      title: `${c.roomNames} ${left ? `${left} 天后` : "今天"}退房`,
      content: `${c.partyName}（${c.contractNo}）将于 ${effectiveOn} 退房，退房申请 ${actNo} 还没有结算，请安排验房和抄表。`,
      bizType: "settlement",
      bizId: id,
      villageId: c.villageId,
      facts: [
        ["客户", c.partyName],
        ["房间", c.roomNames],
        ["退房日", effectiveOn],
      ],
      once: `contract.leaving.${id}.${effectiveOn}.${days}`,
    });
  }
  return rows.length;
}

export default [
  job({ name: "settlement.through", title: "退房收付完成", cron: "35 2 * * *", work: finishThrough }),
  job({ name: "settlement.leaving", title: "退房日提醒", cron: "18 8 * * *", work: tellLeaving }),
  job({
    name: "settlement.refunded",
    on: refundChanged,
    /** Its refund is over, or what was paid of it came back. */
    work: async (act, { id }) => {
      const { contractId, state, amount } = await theRow(act, "refund", ["contractId", "state", "amount"], {
        id,
      });
      if (contractId === null) return;
      if (!["paid", "cancelled", "rejected"].includes(state)) return reopenSettled(act, [contractId], id);
      await finishPaid(act, [contractId]);
      if (state === "paid") await tellRefunded(act, contractId, id, amount);
    },
  }),
  job({ name: "settlement.paid", on: billPaid, work: (act, data) => finishPaid(act, data.contractIds) }),
  job({
    name: "settlement.reopened",
    on: billReopened,
    /** Money of a settlement that was through was taken back. */
    work: async (act, data) => {
      await reopenSettled(act, await contractsOfBills(act, data.billIds), null);
    },
  }),
];
