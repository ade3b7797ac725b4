import { sql } from "kysely";
import { type Day, daysBetween } from "../../../platform/kernel/day.ts";
import { from, is, keyword, named, number, to } from "../../../platform/server/lists/conditions.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { noOpenAct } from "../act/act.queries.ts";
import { overdueBills, partyPhone } from "../contract/contract.queries.ts";
import { firstRoom } from "../contract/record.queries.ts";
import { partyShown } from "../settlement/settlement.queries.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import {
  type BATCH_STATES,
  type ExpiredRow,
  type leavingBatches,
  listExpired,
  MOST,
  type ROW_STATES,
} from "./leaving.contract.ts";

type Raw = Omit<ExpiredRow, "daysOver">;

/** Contracts of the caller's villages that ran out, the longest ago first. */
export const expired = listOf(listExpired, {
  id: "c.id",
  from: sql`contract c`,
  village: "c.village_id",
  scope: () => sql`c.state = 'expired' and ${noOpenAct}`,
  where: {
    kind: is("c.kind"),
    endFrom: from("c.end_date"),
    endTo: to("c.end_date"),
    keyword: keyword(number("c.contract_no"), named("c.party_name", "c.room_names"), partyPhone),
  },
  sort: {
    end: { by: "c.end_date", way: "asc" },
    overdue: {
      by: sql`coalesce(o.fen, 0)`,
      join: ({ today }) =>
        sql`left join lateral (select sum(b.outstanding) fen ${overdueBills(today)}) o on true`,
    },
  },
  order: "end",
  columns: ({ today }) => sql<
    Omit<ExpiredRow, "daysOver">
  >`c.id, c.contract_no "contractNo", c.kind "contractKind",
    v.name "villageName", ${firstRoom(sql`c.id`)} "roomId", c.room_names "roomNames",
    c.party_id "partyId", c.party_name "partyName", c.start_date "start", c.end_date "end",
    coalesce(d.held, 0) "depositHeld", coalesce((select sum(b.outstanding) ${overdueBills(today)}), 0)::bigint overdue,
    coalesce(k.real_name, '') "keeperName"`,
  join: sql`join contract c on c.id = page.id join village v on v.id = c.village_id
    left join deposit_balance d on d.contract_id = c.id and d.kind = 'deposit'
    left join operator k on k.id = c.manager_operator_id`,
  sums: {
    select: ({ today }) => sql`coalesce(sum(d.held), 0)::bigint "depositHeld",
      coalesce(sum((select sum(b.outstanding) ${overdueBills(today)})), 0)::bigint overdue`,
    join: sql`left join deposit_balance d on d.contract_id = c.id and d.kind = 'deposit'`,
  },
  rows: (raws: Raw[], read) =>
    raws.map((row) => ({ ...partyShown(read, row), daysOver: daysBetween(row.end, read.today) })),
});

/** Contracts in force of one store that nothing is under way on, those that end first. */
export async function leavableOf(
  read: Read,
  { villageId, buildingId, endBefore }: { villageId: number; buildingId?: number; endBefore?: Day },
) {
  const { rows } = await sql<Leavable & { total: number }>`
    select c.id, c.contract_no "contractNo", c.kind "contractKind", c.room_names "roomNames", c.party_name "partyName",
      c.start_date "start", c.end_date "end", count(*) over ()::int total
    from contract c
    where c.village_id = ${villageId} and in_force(c.state) and ${noOpenAct}
      and (${buildingId ?? null}::bigint is null or exists (
        select from contract_room k join room r on r.id = k.room_id join apartment a on a.id = r.apartment_id
        where k.contract_id = c.id and a.building_id = ${buildingId ?? null}))
      and (${endBefore ?? null}::date is null or c.end_date <= ${endBefore ?? null}::date)
    order by c.end_date, c.id limit ${MOST}`.execute(read.tx);
  return {
    total: rows[0]?.total ?? 0,
    list: rows.map((row) => partyShown(read, row)),
  };
}

type Leavable = {
  id: number;
  contractNo: string;
  contractKind: ContractKind;
  roomNames: string;
  partyName: string;
  start: Day;
  end: Day;
};

/** The last batches of a person, the newest first. */
export async function batchesOf(read: Read) {
  const { rows } = await sql<Reply<typeof leavingBatches>[number]>`
    select b.id, b.created_at "at", b.kind, b.state, r.* from leaving_batch b cross join lateral (
      select count(*)::int total, (count(*) filter (where state = 'done'))::int done,
        (count(*) filter (where state = 'refused'))::int refused
      from leaving_batch_row where batch_id = b.id) r
    where b.created_by = ${read.who.operatorId} order by b.id desc limit 20`.execute(read.tx);
  return rows;
}

/** A batch with what became of each, for whoever started it. */
export async function batchOf(read: Read, id: number) {
  const batch = await read.tx
    .selectFrom("leavingBatch")
    .select(["id", "state"])
    .where("id", "=", id)
    .where("createdBy", "=", read.who.operatorId)
    .executeTakeFirst();
  if (!batch) throw notFound();
  const { rows } = await sql<BatchRow>`
    select c.contract_no "contractNo", c.kind "contractKind", c.room_names "roomNames", c.party_name "partyName",
      r.act_id "actId", coalesce(a.act_no, '') "actNo", r.state, r.said
    from leaving_batch_row r join contract c on c.id = r.contract_id left join contract_act a on a.id = r.act_id
    where r.batch_id = ${id} order by r.seq`.execute(read.tx);
  const over = rows.filter((r) => r.state !== "waiting").length;
  return {
    id: batch.id,
    state: batch.state as keyof typeof BATCH_STATES,
    percent: Math.floor((over * 100) / rows.length),
    rows: rows.map((row) => partyShown(read, row)),
  };
}

type BatchRow = {
  contractNo: string;
  contractKind: ContractKind;
  roomNames: string;
  partyName: string;
  actId: number | null;
  actNo: string;
  state: keyof typeof ROW_STATES;
  said: string;
};
