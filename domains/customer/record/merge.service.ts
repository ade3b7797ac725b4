import { sql } from "kysely";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { bringParts } from "../../party/merge/merge.service.ts";
import { shareVillages } from "../../party/party/party.service.ts";

/** A room that is kept for one record would find itself taken when the other signs: the sentence against merging. */
export async function reservedRefusal(read: Read, goneId: number): Promise<string | undefined> {
  const open = await read.tx
    .selectFrom("reservation")
    .select("number")
    .where("partyId", "=", goneId)
    .where("state", "in", ["pending", "held", "lapsed", "refunding"])
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return open && `要并入的记录有未了结的预订 ${open.number}，请先处理该预订，或保留这条记录`;
}

/** The parts and the leads of a merged record come along, and the stores that know it. */
export async function bringAlong(act: Act, keepId: number, goneId: number): Promise<void> {
  await bringParts(act, keepId, goneId);
  await sql`update lead set renter_id = case when renter_id is not null then ${keepId}::bigint end,
      company_id = case when company_id is not null then ${keepId}::bigint end,
      merchant_id = case when merchant_id is not null then ${keepId}::bigint end
    where renter_id = ${goneId} or company_id = ${goneId} or merchant_id = ${goneId}`.execute(act.tx);
  await shareVillages(act, keepId, goneId);
}
