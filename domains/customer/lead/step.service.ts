import { sql } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { LIVE } from "./lead.rules.ts";

const live = [...LIVE] as string[];

/** Whose room is kept has got as far as that. */
export async function leadReserved(act: Act, leadId: number | null): Promise<void> {
  if (!leadId) return;
  await sql`
    update lead set state = 'reserved', reserved_at = coalesce(reserved_at, ${act.now.toISOString()}::timestamptz),
      version = version + 1
    where id = ${leadId} and state = any(${live}::text[]) and state <> 'reserved'`.execute(act.tx);
}

/** The reservation came to nothing: the lead is followed up again. */
export async function leadFree(act: Act, leadId: number | null): Promise<void> {
  if (!leadId) return;
  await sql`
    update lead set state = 'following', following_at = coalesce(following_at, ${act.now.toISOString()}::timestamptz),
      version = version + 1
    where id = ${leadId} and state = 'reserved'`.execute(act.tx);
}

/** Who has seen a room for the first time has got as far as that. */
export async function leadViewed(act: Act, leadId: number | null): Promise<void> {
  if (!leadId) return;
  await sql`
    update lead set state = 'viewed', viewed_at = coalesce(viewed_at, ${act.now.toISOString()}::timestamptz),
      last_follow_at = ${act.now.toISOString()}::timestamptz, version = version + 1
    where id = ${leadId} and state in ('new', 'following')`.execute(act.tx);
}

/** It was won by a contract. */
export async function leadSigned(act: Act, leadId: number | null): Promise<void> {
  if (!leadId) return;
  await sql`
    update lead set state = 'signed', signed_at = ${act.now.toISOString()}::timestamptz, next_follow_day = null,
      version = version + 1
    where id = ${leadId} and state = any(${live}::text[])`.execute(act.tx);
}
