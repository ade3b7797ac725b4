import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { lockDeposits, lockPrepaid } from "../balance/balance.service.ts";
import type { CounterChannel, FlowKind, FlowState, Purse } from "./flow.rules.ts";
import type { Channel } from "./words.rules.ts";

/** A flow as acts work with it, with the account its money stands in. */
export type Flow = Purse & {
  id: number;
  flowNo: string;
  direction: "in" | "out";
  flowKind: FlowKind;
  villageId: number;
  partyId: number | null;
  channel: Channel;
  merchantAccountId: number;
  amount: Fen;
  fee: Fen;
  paidAt: string;
  paidOn: Day;
  allocated: Fen;
  refunded: Fen;
  unallocated: Fen;
  status: FlowState;
  wanted: unknown;
  createdBy: number | null;
  version: number;
};
export const counterChannelOf = (flow: Pick<Flow, "channel">) => flow.channel as CounterChannel;

export async function readFlow(read: Pick<Read, "tx">, id: number, lock = false): Promise<Flow> {
  const { rows } = await sql<Flow>`
    select f.id, f.flow_no "flowNo", f.direction, f.kind "flowKind", f.village_id "villageId", f.party_id "partyId",
      f.channel, f.merchant_account_id "merchantAccountId", f.amount, f.fee, f.paid_at "paidAt", f.paid_on "paidOn",
      f.allocated, f.refunded, f.unallocated, f.state status, f.wanted, f.created_by "createdBy", f.version,
      a.kind, a.holder_village_id "holderVillageId"
    from flow f join merchant_account a on a.id = f.merchant_account_id
    where f.id = ${id} ${lock ? sql`for update of f` : sql``}`.execute(read.tx);
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** Locks a flow after its party's balance and the deposits of some contracts, the order of every act on money. */
export async function lockFlow(act: Act, id: number, contractIds: readonly number[] = []): Promise<Flow> {
  const seen = await readFlow(act, id);
  if (seen.partyId !== null && seen.direction === "in") await lockPrepaid(act, seen.villageId, seen.partyId);
  await lockDeposits(act, contractIds);
  return readFlow(act, id, true);
}
