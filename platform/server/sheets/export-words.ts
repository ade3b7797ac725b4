import { z } from "zod";
import { columnsOf, type Exporting } from "../../kernel/export.ts";
import { metaOf, type FieldMeta } from "../../kernel/field.ts";
import type { Read } from "../pipeline/act.ts";
import { said } from "./cell.ts";
import { anyOf } from "../pipeline/scope.ts";

const PAGING = new Set(["pageNo", "pageSize", "sort", "order", "want"]);
/** Filters that many lists have. */
const USUAL: Record<string, string> = {
  villageIds: "门店",
  keyword: "关键词",
  from: "开始",
  to: "截止",
  ids: "所选记录",
};

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

/** The filter as a person would say it: 门店 滨江店；状态 未付、部分支付. */
export async function filterWords(
  read: Read,
  { of, asked }: { of: Exporting; asked: { query: Record<string, string> } },
): Promise<string> {
  const shape = of.list.query instanceof z.ZodObject ? of.list.query.shape : {};
  const columns = new Map(columnsOf(of.list).map((c) => [c.key, c.meta]));
  const words: string[] = [];
  for (const [key, value] of Object.entries(asked.query)) {
    if (!value || PAGING.has(key) || !(key in shape)) continue;
    const meta: FieldMeta | undefined = metaOf(shape[key] as z.ZodType) ?? columns.get(key);
    const title = of.filters?.[key] ?? USUAL[key] ?? meta?.title ?? key;
    const shown =
      key === "villageIds"
        ? await villageNames(read, value.split(",").map(Number))
        : meta?.words
          ? said(meta, value.split(","))
          : meta?.kind === "money" && Number.isSafeInteger(Number(value))
            ? said(meta, Number(value))
            : value;
    words.push(`${title} ${shown}`);
  }
  return words.join("；") || "全部";
}
