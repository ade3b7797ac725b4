import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { filesOf } from "../../system/file/file.service.ts";
import type { Sheet } from "./inspection.contract.ts";
import type { Item, Reading, SheetKind } from "./inspection.rules.ts";

type Raw = Omit<Sheet, "scans" | "signed"> & { signedFileIds: number[] };

/** The sheets of a contract, moving in before moving out. */
export async function sheetsOf(read: Read, contractId: number): Promise<Sheet[]> {
  const { rows } = await sql<Raw>`
    select s.id, s.room_id "roomId", r.full_name "roomName", s.kind, s.done_on "doneOn", s.items, s.readings, s.keys, s.cards,
      s.key_price "keyPrice", s.card_price "cardPrice",
      s.note, s.signed_file_ids "signedFileIds", o.real_name "operatorName", s.version
    from handover_sheet s join room r on r.id = s.room_id join operator o on o.id = s.operator_id
    where s.contract_id = ${contractId} order by s.room_id, s.kind`.execute(read.tx);
  const files = await filesOf(
    read,
    "handoverSheet",
    rows.map((r) => r.id),
  );
  return rows.map(({ signedFileIds, ...row }) => {
    const scans = (files.get(row.id) ?? []).filter((f) => signedFileIds.includes(f.id));
    return { ...row, scans, signed: scans.length > 0 };
  });
}

/** What each meter of a room read last, on other sheets than the one named. */
export async function lastReadings(
  read: Pick<Read, "tx">,
  roomId: number,
  besideId: number | null,
): Promise<Reading[]> {
  const { rows } = await sql<Reading>`
    select distinct on (m->>'meterNo') m->>'kind' kind, m->>'meterNo' "meterNo", m->>'reading' reading,
      (m->>'price')::bigint price
    from handover_sheet s, jsonb_array_elements(s.readings) m
    where s.room_id = ${roomId} and s.id is distinct from ${besideId}
    order by m->>'meterNo', s.done_on desc, s.id desc`.execute(read.tx);
  return rows.map((row) => ({ ...row, start: null, fileIds: [] }));
}

/** What stands in a room, with what damage to a piece costs. */
export async function roomItems(read: Pick<Read, "tx">, roomId: number): Promise<Item[]> {
  const { rows } = await sql<Item>`
    select min(a.id) "assetId", a.name, least(sum(a.quantity), 1000)::int quantity,
      case when bool_or(a.state = 'damaged') then 'damaged' else 'good' end condition,
      max(coalesce(a.damage_price, d.damage_price)) "listPrice", max(coalesce(a.damage_price, d.damage_price)) price
    from room_asset a join asset_dic d on d.id = a.asset_dic_id
    where a.room_id = ${roomId} and a.state in ('inUse', 'damaged')
    group by a.name order by min(a.id) limit 100`.execute(read.tx);
  return rows.map((row) => ({ ...row, reason: "", fileIds: [] }));
}

export type Kept = {
  id: number;
  doneOn: Day;
  items: Item[];
  readings: Reading[];
  keys: number;
  cards: number;
  version: number;
};

/** One sheet of a room, if it was written. */
export async function keptSheet(
  read: Pick<Read, "tx">,
  of: { contractId: number; roomId: number; kind: SheetKind },
): Promise<Kept | undefined> {
  const { rows } = await sql<Kept>`
    select id, done_on "doneOn", items, readings, keys, cards, version from handover_sheet
    where contract_id = ${of.contractId} and room_id = ${of.roomId} and kind = ${of.kind}`.execute(read.tx);
  return rows[0];
}

/** The meters of rooms of a contract that were read on moving in and not on leaving. */
export async function unreadMeters(
  read: Pick<Read, "tx">,
  contractId: number,
  roomIds: readonly number[],
): Promise<string[]> {
  const { rows } = await sql<{ meterNo: string }>`
    select m->>'meterNo' "meterNo" from handover_sheet s, jsonb_array_elements(s.readings) m
    where s.contract_id = ${contractId} and s.kind = 'in' and s.room_id = ${anyOf(roomIds)}
      and not exists (select from handover_sheet o, jsonb_array_elements(o.readings) n
        where o.contract_id = s.contract_id and o.room_id = s.room_id and o.kind = 'out' and n->>'meterNo' = m->>'meterNo')
    order by s.room_id, 1`.execute(read.tx);
  return rows.map((r) => r.meterNo);
}

/** What of it stands in the way of leaving the rooms. */
export const unreadObstacles = async (...rooms: Parameters<typeof unreadMeters>) =>
  (await unreadMeters(...rooms)).slice(0, 5).map((meterNo) => ({
    code: "notAllowed",
    msg: `请录入 ${meterNo} 的退房读数`,
  }));
