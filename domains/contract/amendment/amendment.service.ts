import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { Standing } from "../../finance/setoff/setoff.service.ts";
import { type Subjects, subjectsFor } from "../../finance/subject/subject.service.ts";
import { lengthen, shorten } from "../../listing/occupancy/occupancy.service.ts";
import type { ActRecord } from "../act/act.queries.ts";
import { type Outcome, type Part, changedPreview } from "../act/act.service.ts";
import { mayAgreeOnPaper } from "../act/part.service.ts";
import { checkedFees } from "../contract/contract.queries.ts";
import { contractMoves } from "../contract/contract.rules.ts";
import { takenBetween } from "../contract/facts.queries.ts";
import { type ContractRecord, contractFacts, stillLet } from "../contract/record.queries.ts";
import { belowLowest } from "../preview/preview.rules.ts";
import {
  type WorkedChange,
  changeFacts,
  changeTables,
  previewOf,
  shownChange,
} from "../recut/preview.service.ts";
import type { Change } from "../recut/joining.rules.ts";
import {
  type RecutTrace,
  carryRecut,
  lockFor,
  standingFor,
  undoRecut,
  weighRecut,
} from "../recut/recut.service.ts";
import type { Stays } from "../room-change/rooms.service.ts";
import { canonical } from "../schedule/net.rules.ts";
import { type Day, addDays } from "../../../platform/kernel/day.ts";
import { KINDS, permitOf } from "../terms/kind.rules.ts";
import { scheduleOf } from "../terms/terms.rules.ts";
import type { AmendDraft } from "./amendment.contract.ts";
import { amendClauses, amendErrors, amended, isRetermed, termsErrors } from "./amendment.rules.ts";

export const heldOf = (contract: ContractRecord) => ({
  ...contract,
  start: contract.start!,
  end: contract.end!,
});

export const namesOf = async (read: Read, contract: ContractRecord): Promise<(id: number) => string> => {
  const subjects: Subjects = await subjectsFor(read, [contract.villageId]);
  return (id) => subjects.find(contract.villageId, id).name;
};

async function changeOf(read: Read, contract: ContractRecord, draft: AmendDraft): Promise<Change> {
  const next = amended(heldOf(contract), draft, await namesOf(read, contract));
  return { next, from: draft.effectiveOn, retermed: isRetermed(draft) };
}

/** What cannot be agreed on this contract. A rent below the lowest price is for who may sign below it. */
async function check(read: Read, contract: ContractRecord, draft: AmendDraft): Promise<void> {
  contractMoves.next("amend", await contractFacts(read, contract));
  const held = heldOf(contract);
  const { errors } = await checkedFees(
    read,
    contract.enterpriseId,
    draft.fees.map(({ payer: _, ...fee }) => ({ ...fee, name: "" })),
  );
  const wrong = amendErrors(draft, held, read.today);
  if (wrong) throw invalid(wrong);
  if (errors.length) throw invalid(...errors);
  const { next } = await changeOf(read, contract, draft);
  const cannot = termsErrors(held, next, draft);
  if (cannot.length) throw invalid(...cannot);
  if (canonical([next.terms, next.end]) === canonical([held.terms, held.end]))
    throw invalid({ field: "effectiveOn", msg: "请填写要变更的条款" });
  const lowest = contract.rooms.map((r) => r.lowestPrice);
  const below = belowLowest(scheduleOf({ ...held, ...next }), lowest, next.terms.turnover);
  const was = belowLowest(scheduleOf(held), lowest, held.terms.turnover);
  if (below && !was && !read.who.permits.has(permitOf(contract.kind, "belowLowest")))
    throw new Refusal("belowLowest", below, 422);
}

async function weigh(
  read: Read,
  contract: ContractRecord,
  draft: AmendDraft,
  locked?: Standing,
): Promise<WorkedChange> {
  const change = await changeOf(read, contract, draft);
  const standing = locked ?? (await standingFor(read, contract));
  const worked = await weighRecut(read, contract, change, standing);
  const { next } = change;
  const names = new Map(contract.rooms.map((r) => [r.roomId, r.name]));
  const taken = await takenBetween(
    read,
    stillLet(contract).letRoomIds,
    addDays(contract.end!, 1),
    next.end,
    contract.id,
  );
  const obstacles = taken.slice(0, 5).map((t) => ({
    code: "roomTaken",
    msg: `${names.get(t.roomId)} 在 ${t.from} 至 ${t.to ?? "未定"} 已被 ${t.label} 占用`,
  }));
  return previewOf("amend", contract, draft, { worked, change, standing, today: read.today, obstacles });
}

async function carryOut(
  act: Act,
  contract: ContractRecord,
  record: ActRecord<AmendDraft>,
  previewHash: string,
): Promise<Outcome> {
  contractMoves.next("amend", await contractFacts(act, contract));
  const standing = await lockFor(act, contract);
  const weighed = await weigh(act, contract, record.payload, standing);
  if (weighed.previewHash !== previewHash) throw changedPreview(shownChange(weighed));
  const [obstacle] = weighed.obstacles;
  if (obstacle) throw new Refusal(obstacle.code, obstacle.msg, 409);
  const { change, worked } = weighed;
  const booked = await carryRecut(act, contract, record, change, worked, standing, {
    reason: `变更条款 ${record.actNo}`,
  });
  const of = stillLet(contract);
  const [was, end] = [contract.end!, change.next.end];
  if (end > was) await lengthen(act, { ...of, until: was, lastDay: end });
  if (end < was) await shorten(act, of, end);
  const occupants = end === was ? [] : await moveEnd(act, contract.id, was, end);
  return {
    state: "done",
    net: weighed.net,
    trace: { ...booked.trace, occupants, bills: weighed.bills },
    refundId: null,
    billId: null,
  };
}

/** People stay as long as the lease, and leave with it. Answers until when they would have stayed. */
async function moveEnd(act: Act, contractId: number, was: Day, end: Day): Promise<Stays> {
  const { rows } = await sql<Stays[number]>`
    with before as (select id, to_date from contract_occupant where contract_id = ${contractId}
      and ${end > was ? sql`to_date = ${was}::date` : sql`(to_date is null or to_date > ${end}::date)`} for update),
    moved as (update contract_occupant o set to_date = greatest(o.from_date, ${end}::date) from before b where o.id = b.id)
    select id, to_date "toDate" from before`.execute(act.tx);
  return rows;
}

async function undo(act: Act, contract: ContractRecord, record: ActRecord<AmendDraft>): Promise<void> {
  // what was carried out before people followed the end kept nothing of them
  const trace = (await undoRecut(act, contract, record, "变更条款")) as RecutTrace & {
    occupants?: Stays;
  };
  const of = stillLet(contract);
  const [now, was] = [contract.end!, trace.kept.end];
  if (was > now) await lengthen(act, { ...of, until: now, lastDay: was });
  if (was < now) await shorten(act, of, was);
  // who moved out or in meanwhile stays as that was
  await sql`
    update contract_occupant o set to_date = r."toDate"
    from json_to_recordset(${JSON.stringify(trace.occupants ?? [])}::json) r(id bigint, "toDate" date)
    where o.id = r.id and o.to_date = greatest(o.from_date, ${now}::date)`.execute(act.tx);
}

const nothing = () => Promise.resolve();

/** 变更条款, as the engine of acts takes it. */
export const AMEND: Part<AmendDraft, WorkedChange> = {
  kind: "amend",
  title: "变更条款",
  target: "amendment",
  approvalTitle: "合同变更",
  page: (kind) => `${KINDS[kind].path}?of=change`,
  permit: "9.query",
  sheet: "补充协议",
  files: (kind) => permitOf(kind, "get"),
  byKind: true,
  check,
  weigh: (read, contract, draft) => weigh(read, contract, draft),
  carryOut,
  undo,
  mayAgree: mayAgreeOnPaper,
  begun: nothing,
  dropped: nothing,
  facts: (contract, draft, weighed) => [
    ["合同", contract.contractNo],
    ["客户", contract.partyName],
    ["房间", contract.roomNames.slice(0, 60)],
    ["生效日", draft.effectiveOn],
    [
      "约定",
      amendClauses(heldOf(contract), draft, () => "费用")
        .join("；")
        .slice(0, 200),
    ],
    ...changeFacts(weighed).slice(0, 3),
  ],
  tables: changeTables,
};

/** 应退 290.32 */
export const resultOf = (net: number): string =>
  net > 0 ? `应退 ${yuan(net)} 元` : net < 0 ? `应收 ${yuan(-net)} 元` : "两清";
