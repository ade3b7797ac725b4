import type { Pool } from "pg";
import { addDays, type Day } from "../../platform/kernel/day.ts";
import { chooseFor, judgeBy } from "../../domains/report/indicator/indicator.service.ts";
import type { ShownCode } from "../../domains/report/indicator/indicator.rules.ts";
import type { Database } from "../../platform/server/database/database.ts";
import { acting } from "../acting.ts";

/** Who looks at what: the consultant at rooms and contracts, the cashier at money; everybody else at all of it. */
const CHOSEN: Record<string, readonly ShownCode[]> = {
  租赁顾问: ["occupancyRate", "vacant", "newContracts", "movedIn", "avgRent", "renewalRate"],
  出纳: ["collected", "arrears", "billed", "collectionRate"],
};

/** What head office chose about figures, by the very acts that do it in the console. */
export async function chooseIndicators(
  place: Pick<Database, "pool" | "db">,
  roles: ReadonlyMap<string, number>,
  chief: number,
  today: Day,
): Promise<void> {
  await acting(place, chief, new Date(`${addDays(today, -40)}T10:20:00+08:00`), async (act) => {
    for (const [role, codes] of Object.entries(CHOSEN)) await chooseFor(act, roles.get(role)!, codes, 0);
    const given = { version: 0, greenFrom: 98, amberFrom: 95 };
    await judgeBy(act, { ...given, code: "collectionRate", better: "more", defaultTarget: 0.97, weight: 60 });
    await judgeBy(act, {
      ...given,
      code: "arrears",
      better: "less",
      greenFrom: 95,
      amberFrom: 80,
      defaultTarget: 5_000_000,
      weight: 20,
    });
  });
}

/**
 * What head office wants of its stores, for the year that runs and the one before: shares as people set them, amounts
 * a little above what the books of the month say.
 */
export async function setTargets(pool: Pool, enterpriseId: number, today: Day): Promise<void> {
  const years = [Number(today.slice(0, 4)) - 1, Number(today.slice(0, 4))];
  await pool.query(
    `with months as (select v.id village_id, make_date(y, m, 1) "month"
       from village v, unnest($2::int[]) y, generate_series(1, 12) m where v.enterprise_id = $1),
     shares as (select n.village_id, n.month, s.code, s.value from months n,
       (values ('occupancyRate', 0.95), ('collectionRate', 0.97)) s (code, value)),
     due as (select village_id, date_trunc('month', due_date)::date "month", sum(amount + adjusted) fen from bill
       where direction = 'receivable' and voided_at is null group by 1, 2),
     amounts as (select n.village_id, n.month, c.code, round(d.fen * 1.02 / 100000) * 100000 "value"
       from months n join due d on d.village_id = n.village_id and d.month = n.month,
       (values ('incomeAccrued'), ('billed'), ('collected')) c (code)),
     rents as (select c.village_id, avg(k.monthly_rent) fen from contract c join contract_room k on k.contract_id = c.id
       where c.state in ('effective', 'expired') group by 1),
     rented as (select n.village_id, n.month, 'avgRent' code, round(r.fen * 1.02 / 1000) * 1000 "value"
       from months n join rents r on r.village_id = n.village_id)
     insert into indicator_target (code, village_id, month, value)
     select code, village_id, month, value from shares union all select code, village_id, month, value from amounts
     union all select code, village_id, month, value from rented`,
    [enterpriseId, years],
  );
}
