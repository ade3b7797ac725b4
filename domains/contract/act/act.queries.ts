import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import type { AgreedBy } from "./act.contract.ts";
import { ACT_OPEN, type ACT_SOURCES, type ActKind, type ActState, FIGURED, OPEN } from "./act.rules.ts";

/** What act a comes to, as it was handed in or carried out; nothing while that does not stand. */
export const netOfAct = sql`case when a.state in (${sql.join(FIGURED.map((s) => sql.lit(s)))}) then a.net end`;

/** Why act a cannot be taken back because of money that was paid since, in the words of the refusal; null where none was. */
export const paidSince = sql`case when a.state in ('toPay', 'done') then coalesce(
  (select '退款 ' || f.refund_no || ' 已支付或支付中，不能撤销' from refund f
    where f.id = a.refund_id and (f.paid > 0 or f.state = 'paying')),
  (select '账单 ' || b.bill_no || ' 已收款，不能撤销，请先撤销其收款分配' from bill b where b.id = a.bill_id and exists (
    select from allocation_standing s where s.bill_id = b.id and not coalesce(a.trace -> 'setOff', '[]') @> to_jsonb(s.id))))
  end`;

/** An act on a contract as its steps work with it. */
export type ActRecord<P = object, T = object> = {
  id: number;
  actNo: string;
  kind: ActKind;
  contractId: number;
  villageId: number;
  status: ActState;
  source: keyof typeof ACT_SOURCES;
  requestedOn: Day;
  effectiveOn: Day;
  payload: P;
  trace: T | null;
  net: Fen | null;
  refundId: number | null;
  billId: number | null;
  /** Of a paper its scans; of one that was registered before they were kept here none. */
  agreed: { how: AgreedBy; note: string; on: Day; fileIds?: number[] } | null;
  /** Since when the party has what it is to agree to. */
  presentedOn: Day | null;
  frozen: boolean;
  /** It holds rooms, until a deadline. */
  held: boolean;
  /** Of what was handed in, approved and agreed to. */
  sheetHash: string | null;
  handlerId: number | null;
  createdBy: number | null;
  version: number;
};

/** For jobs, which look everywhere. */
export async function actById(
  read: Pick<Read, "tx">,
  id: number,
  lock = false,
): Promise<ActRecord | undefined> {
  const { rows } = await sql<ActRecord>`
    select a.id, a.act_no "actNo", a.kind, a.contract_id "contractId", a.village_id "villageId", a.state status, a.source,
      a.requested_on "requestedOn", a.effective_on "effectiveOn", a.payload, a.trace, a.net, a.refund_id "refundId",
      a.bill_id "billId", a.agreed, (a.state = 'approving') frozen, (a.hold_until is not null) held, a.sheet_hash "sheetHash", a.presented_on "presentedOn", a.handler_id "handlerId", a.created_by "createdBy",
      a.version
    from contract_act a where a.id = ${id} ${lock ? sql`for no key update of a` : sql``}`.execute(read.tx);
  return rows[0];
}

/** The act with its contract's village in scope. */
export const actRecord = async (
  read: Read,
  id: number,
  kind: ActKind | readonly ActKind[],
  lock = false,
): Promise<ActRecord> => {
  const record = await actById(read, id, lock);
  return seen(read.who, record && [kind].flat().includes(record.kind) ? record : undefined);
};

/** The tab that an act `a` stands in, as counts name it. */
export const TAB_OF = sql`case when a.state in ('rejected', 'cancelled') then 'ended' else a.state end`;

/** Nothing is under way on contract c. */
export const noOpenAct = sql`not exists (select from contract_act o where o.contract_id = c.id
  and o.state = any(${OPEN as unknown as string[]}::text[]))`;

/** The number of the act that is under way on a contract, if one is; a tenant's request that `takesUp` answers is none. */
export async function openActOf(
  read: Pick<Read, "tx">,
  contractId: number,
  takesUp?: ActKind,
): Promise<string | undefined> {
  const open = await read.tx
    .selectFrom("contractAct")
    .select(["actNo", "kind", "state"])
    .where("contractId", "=", contractId)
    .where("state", "in", [...OPEN])
    .executeTakeFirst();
  return open?.state === "requested" && open.kind === takesUp ? undefined : open?.actNo;
}

/** Refuses what would change a contract that an act is under way on (409 actOpen). */
export async function refuseOpenAct(
  read: Pick<Read, "tx">,
  contractId: number,
  takesUp?: ActKind,
): Promise<void> {
  const open = await openActOf(read, contractId, takesUp);
  if (open) throw new Refusal("actOpen", `${ACT_OPEN}（${open}）`, 409);
}
