import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import type { Day, Period } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { pageEnd } from "../../../platform/server/database/prepared.ts";
import { emptyRooms, movedRooms, type MovedRoom } from "./empty.queries.ts";
import { ended } from "./leases.queries.ts";
import type { overviewEmpty, overviewEnding, overviewMoved } from "./records.contract.ts";
import type { EndPart, MovePart } from "./records.rules.ts";

type Villages = readonly number[];
type Paged = { pageNo: number; pageSize: number; order?: "asc" | "desc" | undefined };
type RowOf<C extends { reply: z.ZodType }> = z.output<C["reply"]> extends { list: (infer R)[] } ? R : never;

const MOVED: Record<MovePart, (room: MovedRoom) => boolean> = {
  start: (room) => room.was,
  came: (room) => !room.was,
  went: (room) => !room.is,
  end: (room) => room.is,
  renewed: (room) => room.renewed,
};
const ENDING: Record<EndPart, RawBuilder<unknown>> = {
  all: sql`true`,
  renewed: sql`renewed`,
  open: sql`not renewed`,
};

/** Names of tenants as the board shows them. */
const nameFor = (read: Read, name: RawBuilder<unknown>) =>
  read.who.permits.has("16.query") ? name : sql`left(${name}, 1) || '*'`;
const way = ({ order }: Paged, otherwise: "asc" | "desc") => sql.raw(order ?? otherwise);

/** One page of some rows, and how many there are of them. */
async function paged<R>(read: Read, rows: RawBuilder<unknown>, order: RawBuilder<unknown>, page: Paged) {
  const [list, counted] = await Promise.all([
    sql<R>`select * from (${rows}) x order by ${order}, id ${pageEnd(page)}`.execute(read.replica),
    sql<{ total: number }>`select count(*)::int total from (${rows}) x`.execute(read.replica),
  ]);
  return { list: list.rows, total: counted.rows[0]!.total };
}

/** The rows of one page out of all that are known, and how many those are. */
const pageOf = <T>(all: readonly T[], { pageNo, pageSize }: Paged) => ({
  some: all.slice((pageNo - 1) * pageSize, pageNo * pageSize),
  total: all.length,
});

export async function movedOf(
  read: Read,
  villages: Villages,
  period: Period,
  { asOf, part, page }: { asOf: Day; part: MovePart; page: Paged },
) {
  const rooms = (await movedRooms(read, villages, period, asOf)).filter(MOVED[part]);
  const { some, total } = pageOf(page.order === "desc" ? rooms.toReversed() : rooms, page);
  const { rows } = await sql<RowOf<typeof overviewMoved>>`
    select r.id, r.full_name "fullName", v.name "villageName", c.id "contractId", c.contract_no "contractNo", c.kind,
      ${nameFor(read, sql`c.party_name`)} "partyName", c.start_date "startDate", c.end_date "endDate", c.current_rent rent
    from unnest(${some.map((m) => m.roomId)}::bigint[], ${some.map((m) => m.contractId)}::bigint[])
      with ordinality m(room_id, contract_id, n) join room r on r.id = m.room_id
    join village v on v.id = r.village_id left join contract c on c.id = m.contract_id order by m.n`.execute(
    read.replica,
  );
  return { list: rows, total };
}

export async function emptyOf(
  read: Read,
  villages: Villages,
  day: Day,
  {
    why,
    daysFrom = 0,
    daysTo = Infinity,
    sort,
    ...page
  }: Paged & Pick<z.output<typeof overviewEmpty.query>, "why" | "daysFrom" | "daysTo" | "sort">,
) {
  const found = (await emptyRooms(read, villages, day)).filter(
    (room) => room.days >= daysFrom && room.days <= daysTo && (!why || room.why === why),
  );
  const byPlace = () => (page.order === "desc" ? found.toReversed() : found);
  const first = page.order === "asc" ? 1 : -1;
  const byDays = () => found.toSorted((a, b) => first * (a.days - b.days));
  const { some, total } = pageOf(sort === "fullName" ? byPlace() : byDays(), page);
  const { rows } = await sql<RowOf<typeof overviewEmpty>>`
    select r.id, r.full_name "fullName", v.name "villageName", e.occupancy, e.condition, e.days,
      (select p.list_price from room_price p where p.room_id = r.id and p.effective_day <= ${day}::date
        order by p.effective_day desc limit 1) "listPrice"
    from jsonb_to_recordset(${JSON.stringify(some.map((room, n) => ({ ...room, n })))}::jsonb)
      e("roomId" bigint, occupancy text, condition text, days int, n int)
    join room r on r.id = e."roomId" join village v on v.id = r.village_id order by e.n`.execute(
    read.replica,
  );
  return { list: rows, total };
}

export const endingOf = (
  read: Read,
  villages: Villages,
  period: Period,
  { asOf, part, page }: { asOf: Day; part: EndPart; page: Paged },
) =>
  paged<RowOf<typeof overviewEnding>>(
    read,
    sql`select c.id, c.contract_no "contractNo", c.kind, v.name "villageName", c.room_names "roomNames",
        ${nameFor(read, sql`c.party_name`)} "partyName", c.end_date "endDate", c.current_rent rent, e.renewed
      from (${ended(villages, period, asOf)}) e join contract c on c.id = e.id join village v on v.id = c.village_id
      where ${ENDING[part]}`,
    sql`"endDate" ${way(page, "asc")}`,
    page,
  );
