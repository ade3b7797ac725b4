import { sql } from "kysely";
import { revise, stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import { allows } from "../../../platform/kernel/call.ts";
import { forbidden, invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import { is, columnSql, isOn, type Column, type Sql } from "../../../platform/server/lists/conditions.ts";
import { serveList, listOf } from "../../../platform/server/lists/list.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import type { DicCalls, DicItem } from "./dic.contract.ts";
import { groupsOf, USED, type DicKind } from "./dic.rules.ts";
import { addWords, foundItem, heldOf, ordered, usedBy, type DicUses, type Uses } from "./dic.service.ts";

type Raw = Omit<DicItem, "usedIn" | "mapped" | "uses">;

/** The words of one dictionary, group by group. */
function wordsOf({ kind, list }: DicCalls, uses: DicUses) {
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

type Item = Awaited<ReturnType<typeof foundItem>>;

const note = (
  act: Act,
  kind: DicKind,
  item: { id: number; groupKey: string; name: string },
  summary: string,
) =>
  act.note({
    kind: "dicItem",
    recordId: item.id,
    number: `${groupsOf(kind)[item.groupKey]!.title}·${item.name}`,
    action: "字典",
    summary,
  });

/** What was changed, old and new, as the log tells it. */
const changes = (before: Item, after: Partial<Item>) =>
  (Object.keys(after) as (keyof Item)[])
    .filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
    .map(
      (key) =>
        `${key === "enabled" ? (after.enabled ? "启用" : "停用") : `${String(before[key])} → ${String(after[key])}`}`,
    )
    .join("，");

/** A code is what records and other systems know a word by: it is fixed once the word is used. */
async function refuseRecoding(
  act: Act,
  kind: DicKind,
  uses: DicUses,
  item: Item,
  code: string,
): Promise<void> {
  if (code === item.code) return;
  if (!code) throw invalid({ field: "code", msg: "请输入编码" });
  if (item.builtIn) throw invalid({ field: "code", msg: "系统内置项的编码不能修改" });
  if (usedBy(await uses.count(act, item.groupKey), heldOf(kind, item)))
    throw invalid({ field: "code", msg: "已被使用，编码不能修改" });
}

/** The handlers of one dictionary. `uses` comes from the domain whose records hold the words. */
export function dicServer(calls: DicCalls, uses: DicUses) {
  const { kind, code } = calls;
  const words = wordsOf(calls, uses);
  const ofGroups = Object.fromEntries(
    Object.keys(groupsOf(kind)).map((key) => [key, is("d.group_key")(key)]),
  );
  return [
    exportList(calls.exported),

    serveList(words),
    serveRead(calls.counts, (read, { query }) => words.counts(read, query, ofGroups)),

    serve(calls.add, async (act, { body: { group, ...fields } }) => {
      const [row] = await addWords(act, kind, group, [fields]);
      await note(act, kind, row!, `新增“${fields.name}”`);
      return { id: row!.id };
    }),

    serve(calls.edit, async (act, { params, body: { version, ...fields } }) => {
      const before = await foundItem(act, kind, params.id);
      const switched = fields.enabled !== undefined && fields.enabled !== before.enabled;
      const other = Object.keys(fields).some((key) => key !== "enabled");
      if (other && !allows(act.who.permits, `${code}.edit`)) throw forbidden();
      if (
        switched &&
        !allows(act.who.permits, [`${code}.edit`, `${code}.${fields.enabled ? "enable" : "disable"}`])
      )
        throw forbidden();
      if (fields.code !== undefined) await refuseRecoding(act, kind, uses, before, fields.code);
      const after = await revise(act, "dicItem", { id: before.id, version }, { ...fields, ...stamp(act) });
      const [was, is] = [heldOf(kind, before), heldOf(kind, after)];
      const moved = was === is ? 0 : await uses.move(act, before.groupKey, was, is);
      await note(act, kind, after, changes(before, fields) + (moved ? `，${moved} 处随之修改` : ""));
      return null;
    }),

    serve(calls.remove, async (act, { params }) => {
      const item = await foundItem(act, kind, params.id);
      if (item.builtIn) throw new Refusal("builtIn", "系统内置项不能删除，可改名或停用");
      if (usedBy(await uses.count(act, item.groupKey), heldOf(kind, item))) throw new Refusal("used", USED);
      await act.tx.deleteFrom("dicItem").where("id", "=", item.id).execute();
      await note(act, kind, item, `删除“${item.name}”`);
      return null;
    }),

    serve(calls.order, async (act, { body: { group, was, ids } }) => {
      const now = await ordered(act, kind, group);
      if (now.join() !== was.join())
        throw new Refusal("stale", "顺序已被他人修改，请刷新后重试", 409, { data: now });
      if (ids.toSorted((a, b) => a - b).join() !== now.toSorted((a, b) => a - b).join())
        throw invalid({ field: "ids", msg: "请给出该分组的全部字典项" });
      await sql`update dic_item d set sort = n.at * 10, version = version + 1
        from unnest(${ids}::bigint[]) with ordinality as n (id, at) where d.id = n.id`.execute(act.tx);
      return null;
    }),

    serve(calls.merge, async (act, { params, body: { into, version } }) => {
      const [from, to] = [await foundItem(act, kind, params.id), await foundItem(act, kind, into)];
      asSeen(from, version);
      if (from.id === to.id || from.groupKey !== to.groupKey)
        throw invalid({ field: "into", msg: "请选择同一分组的其他项" });
      if (from.builtIn) throw new Refusal("builtIn", "系统内置项不能合并");
      const moved = await uses.move(act, from.groupKey, heldOf(kind, from), heldOf(kind, to));
      await act.tx.deleteFrom("dicItem").where("id", "=", from.id).execute();
      await note(act, kind, to, `“${from.name}”并入“${to.name}”，${moved} 处随之修改`);
      return { moved };
    }),
  ];
}
