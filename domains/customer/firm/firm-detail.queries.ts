import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { isLateMoney } from "../../finance/bill/overdue.service.ts";
import { blackHitOfParty } from "../blacklist/blacklist.service.ts";
import { storesOf } from "../record/seen.queries.ts";
import { firmRows, HELD } from "./firm-list.queries.ts";
import { seenFirm, wholeFirm } from "./firm.queries.ts";
import type { CONTRACT_STATES, FirmKind } from "./words.rules.ts";
import { aRow } from "../../../platform/server/database/row.ts";

/** A record that was merged away opens the one it was merged into. */
export async function standing(read: Read, id: number): Promise<number> {
  const row = await aRow(read, "firm", ["mergedIntoId"], { id });
  return row?.mergedIntoId ?? id;
}

export async function firmDetail(read: Read, kind: FirmKind, asked: number) {
  const id = await standing(read, asked);
  const firm = await seenFirm(read, kind, id);
  const [rows, villages, mergedFrom, hit] = await Promise.all([
    firmRows(read, read.who.villages, [id]),
    storesOf(read, id),
    read.tx
      .selectFrom("firm")
      .innerJoin("party", "party.id", "firm.id")
      .select(["party.id", "party.name"])
      .where("firm.mergedIntoId", "=", id)
      .orderBy("party.id")
      .execute(),
    blackHitOfParty(read, id),
  ]);
  const { address, remark, homeVillageId, certType, legalName } = firm;
  return {
    ...rows[0]!,
    address,
    remark,
    homeVillageId,
    certType,
    legalName: legalName ?? "",
    villages,
    mergedFrom,
    blackReason: hit?.reason ?? null,
  };
}

type ContractRow = {
  id: number;
  contractNo: string;
  state: keyof typeof CONTRACT_STATES;
  villageName: string;
  roomNames: string;
  rooms: number;
  startDate: string | null;
  endDate: string | null;
  monthlyRent: number;
  overdue: number;
};

type RoomRow = {
  roomId: number;
  contractId: number;
  roomName: string;
  contractNo: string;
  area: number;
  monthlyRent: number;
  endDate: string | null;
};

/** Contracts, rooms, and two figures that are counted apart so that the record never waits. */
export async function firmSummary(read: Read, kind: FirmKind, asked: number) {
  const id = await standing(read, asked);
  await seenFirm(read, kind, id);
  const any = sql`any(${await wholeFirm(read, id)}::bigint[])`;
  const v = anyOf(read.who.villages);
  const [money, contracts, rooms] = await Promise.all([
    sql<{ received: number; overdueBills: number }>`
      select (select coalesce(sum(f.amount), 0)::bigint from flow f
          where f.party_id = ${any} and f.village_id = ${v} and f.direction = 'in' and f.state = 'confirmed') received,
        (select count(*)::int from bill b where b.party_id = ${any} and b.village_id = ${v} and ${isLateMoney(read.today)}) "overdueBills"`.execute(
      read.tx,
    ),
    sql<ContractRow>`
      select c.id, c.contract_no "contractNo", c.state, g.name "villageName", c.room_names "roomNames",
        k.rooms, c.start_date "startDate", c.end_date "endDate", coalesce(k.rent, c.monthly_rent, 0)::bigint "monthlyRent",
        coalesce((select sum(b.outstanding) from bill b where b.contract_id = c.id and ${isLateMoney(read.today)}), 0)::bigint overdue
      from contract_brief c join village g on g.id = c.village_id
      cross join lateral (select count(*)::int rooms, sum(monthly_rent) rent from contract_room_brief where contract_id = c.id and leave_date is null) k
      where c.party_id = ${any} and c.village_id = ${v}
      order by c.start_date desc nulls first, c.id desc limit 200`.execute(read.tx),
    sql<RoomRow>`
      select r.id "roomId", c.id "contractId", r.full_name "roomName", c.contract_no "contractNo", r.area::float8 area,
        k.monthly_rent "monthlyRent", c.end_date "endDate"
      from contract_brief c join contract_room_brief k on k.contract_id = c.id join room r on r.id = k.room_id
      where c.party_id = ${any} and c.village_id = ${v} and ${HELD}
      order by r.full_name, c.id limit 2000`.execute(read.tx),
  ]);
  return { ...money.rows[0]!, contracts: contracts.rows, rooms: rooms.rows };
}
