import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { heldOf, usedBy, type DicUses, type Uses } from "./dic.service.ts";
import { groupsOf, type DIC_COLOURS, type DicKind } from "./dic.rules.ts";

type Filter = { state?: "on" | "off" | undefined; keyword?: string | undefined };

const items = (read: Read, kind: DicKind, { state, keyword }: Filter) =>
  read.tx
    .selectFrom("dicItem as d")
    .where("d.enterpriseId", "=", read.who.enterpriseId)
    .where("d.kind", "=", kind)
    .$if(!!state, (q) => q.where("d.enabled", "=", state === "on"))
    .$if(!!keyword, (q) =>
      q.where(sql<boolean>`strpos(lower(d.name || ' ' || d.code), lower(${keyword!})) > 0`),
    );

export async function itemRows(
  read: Read,
  kind: DicKind,
  uses: DicUses,
  query: Filter & {
    group?: string | undefined;
    uses?: "1" | undefined;
    pageNo: number;
    pageSize: number;
    sort?: "sort" | "name" | "updatedAt" | undefined;
    order?: "asc" | "desc" | undefined;
  },
) {
  const { group, pageNo, pageSize, sort = "sort", order = "asc" } = query;
  const found = items(read, kind, query).$if(!!group, (q) => q.where("d.groupKey", "=", group!));
  const keys = Object.keys(groupsOf(kind));
  const [rows, { n }] = await Promise.all([
    found
      .leftJoin("operator as o", "o.id", "d.updatedBy")
      .selectAll("d")
      .select("o.realName")
      .orderBy(sql`array_position(${keys}::text[], d.group_key)`)
      .$if(sort === "sort", (q) => q.orderBy("d.sort", order))
      .$if(sort === "name", (q) => q.orderBy(sql`d.name collate "zh-x-icu"`, order))
      .$if(sort === "updatedAt", (q) => q.orderBy("d.updatedAt", order))
      .orderBy("d.id")
      .limit(pageSize)
      .offset((pageNo - 1) * pageSize)
      .execute(),
    found.select((eb) => eb.fn.countAll<number>().as("n")).executeTakeFirstOrThrow(),
  ]);
  const counts = new Map<string, Uses | undefined>();
  const mapped = new Map<string, ReadonlyMap<string, number> | undefined>();
  if (query.uses)
    for (const key of new Set(rows.map((row) => row.groupKey))) {
      counts.set(key, await uses.count(read, key));
      mapped.set(key, await uses.mapped?.(read, key));
    }
  return {
    total: n,
    list: rows.map((row) => ({
      ...row,
      usedIn: counts.get(row.groupKey)?.get(heldOf(kind, row)) ?? {},
      mapped: mapped.get(row.groupKey) ? (mapped.get(row.groupKey)!.get(row.name) ?? 0) : null,
      group: row.groupKey,
      colour: row.colour as keyof typeof DIC_COLOURS,
      uses: counts.get(row.groupKey) ? usedBy(counts.get(row.groupKey), heldOf(kind, row)) : null,
      state: row.enabled ? ("on" as const) : ("off" as const),
      updaterName: row.realName ?? "系统",
    })),
  };
}

export async function itemCounts(read: Read, kind: DicKind, filter: Filter): Promise<Record<string, number>> {
  const rows = await items(read, kind, filter)
    .select(["d.groupKey", (eb) => eb.fn.countAll<number>().as("n")])
    .groupBy("d.groupKey")
    .execute();
  return {
    ...Object.fromEntries(Object.keys(groupsOf(kind)).map((key) => [key, 0])),
    ...Object.fromEntries(rows.map((row) => [row.groupKey, row.n])),
  };
}
