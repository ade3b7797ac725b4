import { sql } from "kysely";
import { type Day, minDay } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { stamp } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { whoHolds } from "../../access/operator/scope.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { applyRefund, takeBack } from "../../finance/refund/refund.service.ts";
import { reopenAccount } from "../../finance/setoff/reopen.service.ts";
import { type Trace, closeAccount, lockStanding } from "../../finance/setoff/setoff.service.ts";
import { returnClawed } from "../../customer/commission/claw.service.ts";
import {
  closeLeaving,
  comeBack,
  freeRooms,
  release,
  shorten,
  startLeaving,
  withdrawLeaving,
} from "../../listing/occupancy/occupancy.service.ts";
import { cleanAfterLeaving, withdrawCleaning } from "../../listing/turnover/turnover.service.ts";
import { closingOf } from "../act/cut.queries.ts";
import type { ActRecord } from "../act/act.queries.ts";
import { type Outcome, type Part, changedPreview } from "../act/act.service.ts";
import { configOf, enterpriseOf } from "../config/config.service.ts";
import { handoverHeld } from "../contract/facts.queries.ts";
import { type ContractRecord, stillLet } from "../contract/record.queries.ts";
import { payeeGiven } from "./payee.service.ts";
import { type SettleDraft, contractSettled } from "./settlement.contract.ts";
import { END_REASONS, RESUBMIT, silenceError } from "./settlement.rules.ts";
import { type Worked, check, weighSettlement } from "./weigh.service.ts";

/** Carries it out: bills, deposit, refund, timeline and contract in one transaction, or nothing of it. */
async function carryOut(
  act: Act,
  contract: ContractRecord,
  record: ActRecord<SettleDraft>,
  previewHash: string,
): Promise<Outcome> {
  const draft = record.payload;
  await check(act, contract, { ...draft, penalty: null, settleOn: null });
  const of = closingOf(contract);
  const standing = await lockStanding(act, of);
  const { cut, charge, fromPrepaid, ...weighed } = await weighSettlement(act, contract, draft, standing);
  if (weighed.previewHash !== previewHash) throw changedPreview(await weighSettlement(act, contract, draft));
  if (record.sheetHash !== null && weighed.sheetHash !== record.sheetHash)
    throw new Refusal("resubmit", RESUBMIT, 409);
  const [obstacle] = weighed.obstacles;
  if (obstacle) throw new Refusal(obstacle.code, obstacle.msg, 409);
  const settleOn = draft.settleOn ?? draft.effectiveOn;
  const reason = `退房结算 ${record.actNo}`;
  const closed = await closeAccount(act, of, standing, {
    backs: cut.map((c) => ({ lineId: c.line.id, back: c.before - c.after })),
    charge: charge && { ...charge, sourceId: record.id },
    prepaid: fromPrepaid,
    settleOn,
    reason,
  });
  // what was shown is what was booked; otherwise nothing is
  if (closed.deposit + closed.prepaid - closed.open !== weighed.net)
    throw new Error(`settlement ${record.actNo} shows ${weighed.net} and books ${JSON.stringify(closed)}`);
  const back = closed.deposit + closed.prepaid;
  const refund = back
    ? await applyRefund(act, {
        source: "settlement",
        sourceId: contract.id,
        villageId: contract.villageId,
        amount: back,
        reason: `${reason}：${draft.reason}`.slice(0, 200),
        later: true,
        ...(await payeeGiven(act, record.id)),
      })
    : null;
  if (refund)
    await tell(act, {
      to: await whoHolds(act, "#24401", contract.villageId),
      type: 2,
      title: `退房退款待付：${contract.partyName} ${yuan(back)} 元`,
      content: `${contract.roomNames} 的退房结算 ${record.actNo} 已确认，应退 ${yuan(back)} 元，请在退款管理中支付。`,
      bizType: "refund",
      bizId: refund.id,
      villageId: contract.villageId,
      once: `contract.toRefund.${refund.id}`,
    });
  // a company's may be tens of thousands
  await sql`
    insert into settlement_line (act_id, seq, kind, amount, title, clause, formula)
    select ${record.id}, r.seq, r.kind, r.amount, r.title, r.clause, r.formula
    from json_to_recordset(${JSON.stringify(weighed.lines.map((line, seq) => ({ seq, ...line })))}::json)
      r(seq int, kind text, amount bigint, title text, clause text, formula text)`.execute(act.tx);
  const through = !back && !closed.open;
  const kept = await leave(act, contract, draft, through);
  return {
    state: through ? "done" : "toPay",
    net: weighed.net,
    trace: { ...closed.trace, ...kept },
    refundId: refund?.id ?? null,
    billId: closed.trace.billId,
  };
}

/** What the contract, its people and its rooms were before, to be brought back by an undo. */
type Kept = { state: string; end: Day; occupants: { id: number; toDate: Day | null }[] };

/** The contract ends on the day of leaving, its people leave, its rooms are free; `through`: no money is to come. */
async function leave(
  act: Act,
  contract: ContractRecord,
  draft: SettleDraft,
  through: boolean,
): Promise<Kept> {
  const { id } = contract;
  const day = draft.effectiveOn;
  const state = contract.state === "expired" || day >= contract.end! ? "ended" : "terminated";
  await act.tx
    .updateTable("contract")
    .set({ state, leaveDate: day, endReason: draft.endReason, version: contract.version + 1, ...stamp(act) })
    .where("id", "=", id)
    .execute();
  const { rows: occupants } = await sql<{ id: number; toDate: Day | null }>`
    with before as (select id, to_date from contract_occupant where contract_id = ${id}
      and (to_date is null or to_date > ${day}::date) for update),
    gone as (update contract_occupant o set to_date = greatest(o.from_date, ${day}::date) from before b where o.id = b.id)
    select id, to_date "toDate" from before`.execute(act.tx);
  if (day < contract.start!) await release(act, { contractId: id });
  else await shorten(act, { contractId: id }, minDay(day, contract.end!));
  if (through || (await configOf(act, contract)).freeRoomAt === "confirmed") {
    await freeRooms(act, { contractId: id }, day);
    await cleanAfterLeaving(act, stillLet(contract), day);
  }
  if (through) await closeLeaving(act, { contractId: id });
  await act.emit(contractSettled, { contractId: id, villageId: contract.villageId, leaveDate: day });
  return { state: contract.state, end: contract.end!, occupants };
}

/** Everything back as it was: only while nothing was paid and nobody else has the rooms. */
async function undo(act: Act, contract: ContractRecord, record: ActRecord<SettleDraft>): Promise<void> {
  const trace = record.trace as (Trace & Kept) | null;
  if (!trace) throw new Refusal("notAllowed", "该退房没有可撤销的结算");
  const held = await handoverHeld(act, contract.id);
  if (held?.why === "lived")
    throw new Refusal("roomTaken", `${held.room} 已有下一租客入住，不能撤销退房`, 409);
  if (record.refundId) await takeBack(act, record.refundId, `撤销退房结算 ${record.actNo}`);
  await reopenAccount(act, closingOf(contract), trace, `撤销退房结算 ${record.actNo}`);
  await act.tx.deleteFrom("settlementLine").where("actId", "=", record.id).execute();
  await act.tx
    .updateTable("contract")
    .set({
      state: trace.state,
      leaveDate: null,
      endReason: null,
      version: contract.version + 1,
      ...stamp(act),
    })
    .where("id", "=", contract.id)
    .execute();
  await comeBack(act, { ...stillLet(contract), leaveDate: record.effectiveOn, lastDay: trace.end });
  await withdrawCleaning(act, stillLet(contract));
  await returnClawed(act, contract.id);
  for (const { id, toDate } of trace.occupants)
    await act.tx.updateTable("contractOccupant").set({ toDate }).where("id", "=", id).execute();
}

const lineTable = (weighed: Worked) => ({
  title: "结算明细",
  columns: [
    { title: "项目", kind: "text" as const },
    { title: "金额", kind: "money" as const },
    { title: "依据", kind: "text" as const },
    { title: "计算说明", kind: "text" as const },
  ],
  rows: weighed.lines.map((l) => [l.title, l.amount, l.clause, l.formula]),
});

/** 退房, as the engine of acts takes it. */
export const SETTLE: Part<SettleDraft, Worked> = {
  kind: "settle",
  title: "退房",
  target: "settlement",
  page: "/contract/SettleRoomApplicationPage",
  permit: "72.query",
  sheet: "结算单",
  files: "72.get",
  check,
  weigh: (read, contract, draft) => weighSettlement(read, contract, draft),
  carryOut,
  undo,
  mayAgree: async (read, { villageId, presentedOn }, how) => {
    if (how !== "silence") return;
    const { silentDays } = await configOf(read, {
      enterpriseId: await enterpriseOf(read, villageId),
      villageId,
    });
    const msg = silenceError(presentedOn, read.today, silentDays);
    if (msg) throw invalid({ field: "how", msg });
  },
  begun: async (act, contract, on) => {
    if (contract.start! <= act.today) await startLeaving(act, stillLet(contract), on);
  },
  dropped: (act, contract) => withdrawLeaving(act, { contractId: contract.id }),
  judgedBy: {
    fields: [{ key: "waived", title: "违约金减免额", kind: "money" }],
    values: ({ waived }) => ({ waived }),
  },
  facts: (contract, draft, weighed) => [
    ["合同", contract.contractNo],
    ["客户", contract.partyName],
    ["房间", contract.roomNames],
    ["退房日", draft.effectiveOn],
    ["类型", END_REASONS[draft.endReason][0]],
    [weighed.net < 0 ? "应收" : "应退", `${yuan(Math.abs(weighed.net))} 元`],
    ...(weighed.waived ? ([["违约金减免", `${yuan(weighed.waived)} 元`]] as const) : []),
  ],
  tables: (weighed) => [lineTable(weighed)],
};
