import { sql } from "kysely";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { Batch } from "../../system/import/batch.service.ts";
import { type Outcome, refuseHanging } from "../../system/import/importer.service.ts";
import { hangs, referencesTo } from "../room/room.queries.ts";
import { removeRooms } from "../block/use.service.ts";

/** A place with what stands in the way of taking it away. */
type Standing = { name: string; called: string };

/** Rooms and flats of the batch that something refers to, with what it is; at most six. */
async function hangingBy(read: Read, importId: number): Promise<Standing[]> {
  const found: Standing[] = [];
  for (const table of ["room", "apartment"] as const) {
    const mine =
      table === "room"
        ? sql`select r.id, r.full_name name from room r join apartment a on a.id = r.apartment_id where a.import_id = ${importId}`
        : sql`select a.id, concat_ws('·', b.name, a.name) from apartment a join building b on b.id = a.building_id where a.import_id = ${importId}`;
    const references = (await referencesTo(read, table)).filter((r) => r.table !== "room");
    if (!references.length) continue;
    const { rows } = await sql<{ name: string; i: number }>`
      with mine(id, name) as (${mine})
      ${sql.join(
        references.map(
          (r, i) =>
            sql`select m.name, ${i}::int i from mine m where exists (select 1 from ${sql.table(r.table)} x where ${hangs(r, { row: sql`m.id` })})`,
        ),
        sql` union all `,
      )} limit 12`.execute(read.tx);
    found.push(...rows.map((row) => ({ name: row.name, called: references[row.i]!.called })));
  }
  return found;
}

/** What was added by hand to places or rooms of the batch since. */
async function addedSince(read: Read, importId: number): Promise<Standing[]> {
  const { rows } = await sql<Standing>`
    select r.full_name name, '改价记录' called from room_price p join room r on r.id = p.room_id
      join apartment a on a.id = r.apartment_id
      where a.import_id = ${importId} and (p.source <> 'import' or p.source_id is distinct from ${importId})
    union all
    select concat_ws('·', b.name, u.name, a.name), '后来新增的房源' from apartment a join building b on b.id = a.building_id
      left join unit u on u.id = a.unit_id left join floor f on f.id = a.floor_id
      where a.import_id is distinct from ${importId}
        and (b.import_id = ${importId} or u.import_id = ${importId} or f.import_id = ${importId})
    union all
    select concat_ws('·', b.name, f.name), '后来新增的楼层' from floor f join building b on b.id = f.building_id
      left join unit u on u.id = f.unit_id
      where f.import_id is distinct from ${importId} and (b.import_id = ${importId} or u.import_id = ${importId})
    union all
    select concat_ws('·', b.name, u.name), '后来新增的单元' from unit u join building b on b.id = u.building_id
      where u.import_id is distinct from ${importId} and b.import_id = ${importId}
    union all
    select concat_ws('·', b.name, f.name, p.name), '公共区域' from public_area p join building b on b.id = p.building_id
      left join floor f on f.id = p.floor_id
      where b.import_id = ${importId} or f.import_id = ${importId}
    limit 12`.execute(read.tx);
  return rows;
}

/** Takes a batch back to nothing, or names what stands in the way. */
export async function takeBack(act: Act, { id, number, villageIds }: Batch): Promise<Outcome> {
  const standing = [...(await hangingBy(act, id)), ...(await addedSince(act, id))];
  // a room that a record names twice is told once
  const hanging = [...new Map(standing.map((s) => [`${s.name} ${s.called}`, s])).values()];
  refuseHanging(
    hanging.map((s) => ({ ...s, why: `（${s.called}）` })),
    () => "已有关联记录，",
    true,
  );
  const { rows } = await sql<{ id: number }>`
    select r.id from room r join apartment a on a.id = r.apartment_id where a.import_id = ${id}`.execute(
    act.tx,
  );
  const rooms = await removeRooms(
    act,
    rows.map((row) => row.id),
  );
  const gone = await act.tx.deleteFrom("apartment").where("importId", "=", id).executeTakeFirst();
  for (const table of ["floor", "unit", "building"] as const)
    await act.tx.deleteFrom(table).where("importId", "=", id).execute();
  const count = Number(gone.numDeletedRows);
  const told = `撤销导入，移除 ${count} 套房源、${rooms} 个房间（${number}）`;
  await act.note(
    villageIds!.map((villageId) => ({
      kind: "village",
      recordId: villageId,
      villageId,
      action: "导入房源",
      summary: told,
    })),
  );
  return { count, told };
}
