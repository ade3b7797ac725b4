import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { PayBy } from "../pay-order/pay-order.rules.ts";
import type { Share } from "./checkout.rules.ts";

/** The kind of target under which a pay order pays bills. */
export const BILLS = "bills";

export type Checkout = {
  id: number;
  villageId: number;
  partyId: number;
  way: PayBy;
  linkId: number | null;
  createdBy: number | null;
  shares: Share[];
};

/** What an order pays. `lock` keeps it until the act is done, before its order and everything of the bills. */
export async function checkoutOf(read: Pick<Read, "tx">, id: number, lock = false): Promise<Checkout> {
  const { rows } = await sql<Omit<Checkout, "shares">>`
    select id, village_id "villageId", party_id "partyId", way, link_id "linkId", created_by "createdBy"
    from checkout where id = ${id} ${lock ? sql`for update` : sql``}`.execute(read.tx);
  const lines = await sql<Share>`
    select bill_id "billId", bill_line_id "lineId", amount from checkout_line where checkout_id = ${id}
    order by bill_id, bill_line_id nulls last`.execute(read.tx);
  return { ...rows[0]!, shares: lines.rows };
}

/** Checkouts with an open order that pays one of these bills, oldest first: who locks several does so in this order. */
export async function openOn(read: Pick<Read, "tx">, billIds: readonly number[]): Promise<Checkout[]> {
  const { rows } = await sql<{ id: number }>`
    select o.target_id id from pay_order o where o.target_kind = ${BILLS} and o.state = 'created'
      and o.target_id in (select checkout_id from checkout_line where bill_id = ${anyOf(billIds)})
    order by 1`.execute(read.tx);
  const found: Checkout[] = [];
  for (const { id } of rows) found.push(await checkoutOf(read, id));
  return found;
}
