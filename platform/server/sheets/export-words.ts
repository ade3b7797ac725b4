import { z } from "zod";
import type { Call } from "../../kernel/call.ts";
import { columnsOf, type Exporting } from "../../kernel/export.ts";
import { metaOf, type FieldMeta } from "../../kernel/field.ts";
import { filterOf, type Source } from "../../kernel/filter.ts";
import type { Read } from "../pipeline/act.ts";
import { said } from "./cell.ts";
import { anyOf } from "../pipeline/scope.ts";

const PAGING = new Set(["pageNo", "pageSize", "sort", "order", "want"]);
/** Filters that many lists have. */
const USUAL: Record<string, string> = {
  villageIds: "门店",
  keyword: "关键字",
  from: "开始",
  to: "截止",
  ids: "所选记录",
};

/** What codes of a dictionary are called; given by the domain that keeps the words. */
type Wording = (
  read: Read,
  dic: readonly [kind: string, group: string],
  codes: string[],
) => Promise<string[]>;
let wording: Wording | undefined;
export const namesWords = (by: Wording): void => void (wording = by);

async function villageNames(read: Read, ids: number[]): Promise<string> {
  const rows = await read.tx
    .selectFrom("village")
    .select("name")
    .where("id", "=", anyOf(ids))
    .orderBy("id")
    .limit(20)
    .execute();
  const names = rows.map((row) => row.name).join("、");
  return ids.length > rows.length ? `${names}等${ids.length}个` : names;
}

/** Records are called as the list's own filter calls them; what may not be seen, or is gone, has no name. */
async function namesOf(
  ask: (call: Call, query: Record<string, unknown>) => Promise<unknown>,
  { call, query, option }: Source,
  ids: string,
): Promise<string> {
  const found = await ask(call, { ...query, ids, pageSize: 200 });
  const rows = Array.isArray(found) ? found : ((found as { list?: unknown[] }).list ?? []);
  const names = new Map(
    rows.map((row) => option(row as never)).map(({ value, label }) => [String(value), label]),
  );
  return ids
    .split(",")
    .map((id) => names.get(id) ?? "（不可见）")
    .join("、");
}

/** The filter as a person would say it: 门店 滨江店；状态 未付、部分支付. */
export async function filterWords(
  read: Read,
  { of, asked }: { of: Exporting; asked: { query: Record<string, string> } },
  ask: (call: Call, query: Record<string, unknown>) => Promise<unknown>,
): Promise<string> {
  const shape = of.list.query instanceof z.ZodObject ? of.list.query.shape : {};
  const columns = new Map(columnsOf(of.list).map((c) => [c.key, c.meta]));
  const words: string[] = [];
  const { picked } = asked.query;
  if (picked) words.push(`所选 ${picked.split(",").length} 条`);
  for (const [key, value] of Object.entries(asked.query)) {
    if (!value || PAGING.has(key) || !(key in shape)) continue;
    const meta: FieldMeta | undefined = metaOf(shape[key] as z.ZodType) ?? columns.get(key);
    const filter = filterOf(shape[key] as z.ZodType);
    const end = !filter || !("from" in filter) ? "" : key === filter.from ? "起" : "止";
    const title =
      (filter?.kind === "keyword" ? "关键字" : filter && `${filter.title}${end}`) ??
      of.filters?.[key] ??
      USUAL[key] ??
      meta?.title ??
      key;
    const shown =
      filter?.kind === "village" || key === "villageIds"
        ? await villageNames(read, value.split(",").map(Number))
        : filter && "source" in filter
          ? await namesOf(ask, filter.source, value)
          : filter?.kind === "choice"
            ? "words" in filter
              ? said({ title, kind: "status", words: filter.words }, value.split(","))
              : ((await wording?.(read, filter.dic, value.split(",")))?.join("、") ?? value)
            : filter?.kind === "flag"
              ? said({ title, kind: "flag" }, value === "true")
              : meta?.words
                ? said(meta, value.split(","))
                : (meta?.kind ?? filter?.kind) === "money" && Number.isSafeInteger(Number(value))
                  ? said({ title, kind: "money" }, Number(value))
                  : value;
    words.push(`${title} ${shown}`);
  }
  return words.join("；") || "全部";
}
