import { sql } from "kysely";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import type { Holding } from "./held.queries.ts";
import type { RefundSource, RefundState, Route } from "./refund.rules.ts";

/** A refund as acts work with it. */
export type Refund = Holding & {
  id: number;
  refundNo: string;
  source: Exclude<RefundSource, "settlement">;
  partyName: string;
  amount: Fen;
  paid: Fen;
  reason: string;
  status: RefundState;
  route: Route;
  payeeName: string;
  payeeBank: string;
  payeeTail: string;
  payeeAccount: Buffer | null;
  relation: string;
  createdBy: number | null;
  version: number;
};

export async function readRefund(
  read: Pick<Read, "tx">,
  id: number,
  lock = false,
): Promise<Refund | undefined> {
  const { rows } = await sql<Refund>`
    select r.id, r.refund_no "refundNo", r.source, r.source_id "sourceId", r.village_id "villageId",
      r.party_id "partyId", p.name "partyName", r.room_id "roomId", r.contract_id "contractId", r.amount, r.paid, r.reason,
      r.state status, r.route, r.payee_name "payeeName", r.payee_bank "payeeBank", r.payee_tail "payeeTail",
      r.payee_account "payeeAccount", r.relation, r.created_by "createdBy", r.version
    from refund r join party p on p.id = r.party_id where r.id = ${id} ${lock ? sql`for update of r` : sql``}`.execute(
    read.tx,
  );
  return rows[0];
}

/** The record when it lies in scope; every act on a refund locks it first. */
export const lockRefund = async (read: Read, id: number): Promise<Refund> =>
  seen(read.who, await readRefund(read, id, true));

/** What was sent and nobody knows of: no other way may be tried meanwhile. */
export async function unsure(read: Pick<Read, "tx">, refundId: number): Promise<boolean> {
  const row = await read.tx
    .selectFrom("refundAttempt")
    .select("id")
    .where("refundId", "=", refundId)
    .where("state", "in", ["requested", "unknown"])
    .executeTakeFirst();
  return row !== undefined;
}
