import { chooseFor, judgeBy } from "../domains/report/indicator/indicator.service.ts";
import type { ShownCode } from "../domains/report/indicator/indicator.rules.ts";
import { addDays, type Day } from "../platform/kernel/day.ts";
import type { Database } from "../platform/server/database/database.ts";
import { acting } from "./acting.ts";

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
