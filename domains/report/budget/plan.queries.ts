import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { nightsOf } from "../budget-indicator/actual.queries.ts";
import { type Indicator, isInput } from "../budget-indicator/source.rules.ts";
import { type LeafOf, plannedLeaf } from "../budget-indicator/value.rules.ts";
import type { BudgetState } from "./budget.rules.ts";

export type Version = {
  id: number;
  villageId: number;
  villageName: string;
  year: number;
  no: number;
  name: string;
  reason: string;
  state: BudgetState;
  createdBy: number | null;
  updatedAt: string;
  updatedName: string;
  inForceAt: string | null;
  version: number;
};

const VERSIONS = sql`
  select b.id, b.village_id "villageId", v.name "villageName", b.year, b.no, b.name, b.reason, b.state,
    b.created_by "createdBy", b.updated_at "updatedAt", coalesce(o.real_name, '系统') "updatedName",
    b.in_force_at "inForceAt", b.version
  from budget_version b join village v on v.id = b.village_id left join operator o on o.id = b.updated_by`;

/** All versions of some stores, store by store, the newest first. */
export async function versionsOf(
  read: Pick<Read, "tx">,
  villages: readonly number[],
  year?: number,
): Promise<Version[]> {
  const { rows } = await sql<Version>`${VERSIONS}
    where b.village_id = ${anyOf(villages)} ${year === undefined ? sql`` : sql`and b.year = ${year}`}
    order by v.name collate "zh-x-icu", v.id, b.year desc, b.no desc`.execute(read.tx);
  return rows;
}

export async function versionById(
  read: Pick<Read, "tx">,
  id: number,
  lock = false,
): Promise<Version | undefined> {
  const { rows } =
    await sql<Version>`${VERSIONS} where b.id = ${id} ${lock ? sql`for no key update of b` : sql``}`.execute(
      read.tx,
    );
  return rows[0];
}

export type Cell = {
  versionId: number;
  indicatorId: number;
  month: number;
  value: number;
  version: number;
  byName: string;
};

export async function cellsOf(read: Pick<Read, "tx">, versionIds: readonly number[]): Promise<Cell[]> {
  if (!versionIds.length) return [];
  const { rows } = await sql<Cell>`
    select c.version_id "versionId", c.indicator_id "indicatorId", c.month, c.value, c.version,
      coalesce(o.real_name, '系统') "byName"
    from budget_cell c left join operator o on o.id = c.updated_by where c.version_id = ${anyOf(versionIds)}`.execute(
    read.tx,
  );
  return rows;
}

/** What versions say of indicators in each store and month, one version a store. */
export async function plannedOf(
  read: Read,
  indicators: readonly Indicator[],
  versions: readonly Pick<Version, "id" | "villageId">[],
  year: number,
): Promise<LeafOf> {
  const weighs = indicators.some((i) => i.agg === "weighted" && isInput(i));
  const [cells, nights] = await Promise.all([
    cellsOf(
      read,
      versions.map((v) => v.id),
    ),
    weighs
      ? nightsOf(
          read,
          versions.map((v) => v.villageId),
          year,
        )
      : () => 0,
  ]);
  const byId = new Map(indicators.map((i) => [i.id, i]));
  const ofVillage = new Map(versions.map((v) => [v.villageId, v.id]));
  const at = new Map(cells.map((c) => [`${c.versionId} ${c.indicatorId} ${c.month}`, c.value]));
  return (indicatorId, villageId, month) => {
    const value = at.get(`${ofVillage.get(villageId)} ${indicatorId} ${month}`);
    return value === undefined ? null : plannedLeaf(byId.get(indicatorId)!, value, nights(villageId, month));
  };
}

/** The indicators of a kind that are in no other of it: together they are the whole. */
export const topOf = (indicators: readonly Indicator[], kind: "income" | "cost"): Indicator[] => {
  const inside = new Set(indicators.filter((i) => i.kind === kind).map((i) => i.id));
  return indicators.filter(
    (i) => i.kind === kind && i.enabled && (i.parentId === null || !inside.has(i.parentId)),
  );
};
