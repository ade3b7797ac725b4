import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";

/** Signed contracts of a party in one village, the newest first. */
export async function contractsOfParty(
  read: Read,
  of: { partyId: number; villageId: number; ids?: readonly number[] | undefined },
): Promise<{ id: number; contractNo: string; rooms: string; start: string; end: string }[]> {
  const ids = of.ids?.length ? [...of.ids] : null;
  const { rows } = await sql<{ id: number; contractNo: string; rooms: string; start: string; end: string }>`
    select id, contract_no "contractNo", room_names rooms, start_date "start", end_date "end" from contract_brief
    where party_id = ${of.partyId} and village_id = ${of.villageId} and state not in ('draft', 'voided')
      and start_date is not null and (${ids}::bigint[] is null or id = any(${ids}::bigint[]))
    order by id desc limit 50`.execute(read.tx);
  return rows;
}
