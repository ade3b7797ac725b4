import { sql, type RawBuilder } from "kysely";
import type { z } from "zod";
import type { Day, Period } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/act.ts";
import { pageEnd } from "../../../platform/server/prepared.ts";
import { emptyRooms, endsOf, movedRooms } from "./empty.queries.ts";
import { ended } from "./leases.queries.ts";
import type { overviewEmpty, overviewEnding, overviewMoved } from "./records.contract.ts";
import type { EndPart, MovePart } from "./records.rules.ts";

type Villages = readonly number[];
type Paged = { pageNo: number; pageSize: number; order?: "asc" | "desc" | undefined };
type RowOf<C extends { reply: z.ZodType }> = z.output<C["reply"]> extends { list: (infer R)[] } ? R : never;

const MOVED: Record<MovePart, RawBuilder<unknown>> = {
  start: sql`was`,
  came: sql`not was`,
  went: sql`not "is"`,
  end: sql`"is"`,
  renewed: sql`renewed`,
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

export const movedOf = (
  read: Read,
  villages: Villages,
  period: Period,
  { asOf, part, page }: { asOf: Day; part: MovePart; page: Paged },
) => {
  const { eve, last } = endsOf(period, asOf);
  return paged<RowOf<typeof overviewMoved>>(
    read,
    sql`select r.id, r.full_name "fullName", r.place, r.village_id, v.name "villageName", c.id "contractId",
        c.contract_no "contractNo", ${nameFor(read, sql`c.party_name`)} "partyName", c.start_date "startDate",
        c.end_date "endDate", c.current_rent rent
      from (${movedRooms(villages, eve, last)}) m join room r on r.id = m.room_id
      join village v on v.id = r.village_id left join contract c on c.id = m.contract_id where ${MOVED[part]}`,
    sql`village_id ${way(page, "asc")}, place ${way(page, "asc")}`,
    page,
  );
};

export const emptyOf = (
  read: Read,
  villages: Villages,
  day: Day,
  {
    why,
    daysFrom = 0,
    daysTo,
    sort,
    ...page
  }: Paged & Pick<z.output<typeof overviewEmpty.query>, "why" | "daysFrom" | "daysTo" | "sort">,
) =>
  paged<RowOf<typeof overviewEmpty>>(
    read,
    sql`select r.id, r.full_name "fullName", r.place, r.village_id, v.name "villageName", e.occupancy, e.condition, e.days,
        (select p.list_price from room_price p where p.room_id = r.id and p.effective_day <= ${day}::date
          order by p.effective_day desc limit 1) "listPrice"
      from (${emptyRooms(villages, day)}) e join room r on r.id = e.room_id join village v on v.id = r.village_id
      where e.days >= ${daysFrom} ${daysTo === undefined ? sql`` : sql`and e.days <= ${daysTo}`}
        ${why ? sql`and e.why = ${why}` : sql``}`,
    sort === "fullName"
      ? sql`village_id ${way(page, "asc")}, place ${way(page, "asc")}`
      : sql`days ${way(page, "desc")}`,
    page,
  );

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
