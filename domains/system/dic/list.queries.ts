import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { columnSql, is, isOn, type Column, type Sql } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { DicCalls, DicItem } from "./dic.contract.ts";
import { heldOf, usedBy, type DicUses, type Uses } from "./dic.service.ts";
import { groupsOf } from "./dic.rules.ts";

type Raw = Omit<DicItem, "usedIn" | "mapped" | "uses">;

/** The words of one dictionary, group by group. */
export function wordsOf({ kind, list }: DicCalls, uses: DicUses) {
  const keys = Object.keys(groupsOf(kind));
  const by = (column: Column) => ({
    order: (way: Sql) => sql`array_position(${keys}::text[], d.group_key), ${columnSql(column)} ${way}, d.id`,
  });
  return listOf(list, {
    id: "d.id",
    from: sql`dic_item d`,
    scope: ({ who }) => sql`d.enterprise_id = ${who.enterpriseId} and d.kind = ${kind}`,
    where: {
      group: is("d.group_key"),
      state: isOn("d.enabled"),
      keyword: (text) => sql`strpos(lower(d.name || ' ' || d.code), lower(${text})) > 0`,
      uses: () => undefined,
    },
    sort: { sort: by("d.sort"), name: by(sql`d.name collate "zh-x-icu"`), updatedAt: by("d.updated_at") },
    order: "sort",
    columns: sql<Raw>`d.id, d.group_key "group", d.name, d.code, d.colour, d.hint, d.photo,
      d.village_ids "villageIds", d.icon, d.sort, case when d.enabled then 'on' else 'off' end state,
      d.built_in "builtIn", coalesce(o.real_name, '系统') "updaterName", d.updated_at "updatedAt", d.version`,
    join: sql`join dic_item d on d.id = page.id left join operator o on o.id = d.updated_by`,
    rows: async (rows: Raw[], read: Read, asked: { uses?: "1" | undefined }) => {
      const counts = new Map<string, Uses | undefined>();
      const mapped = new Map<string, ReadonlyMap<string, number> | undefined>();
      if (asked.uses)
        for (const group of new Set(rows.map((row) => row.group))) {
          counts.set(group, await uses.count(read, group));
          mapped.set(group, await uses.mapped?.(read, group));
        }
      return rows.map((row) => {
        const [count, outside] = [counts.get(row.group), mapped.get(row.group)];
        const held = heldOf(kind, { ...row, groupKey: row.group });
        return {
          ...row,
          uses: count ? usedBy(count, held) : null,
          usedIn: count?.get(held) ?? {},
          mapped: outside ? (outside.get(row.name) ?? 0) : null,
        };
      });
    },
  });
}
