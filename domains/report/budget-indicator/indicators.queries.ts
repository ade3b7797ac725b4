import { sql } from "kysely";
import type { z } from "zod";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { IndicatorRow, indicatorBody } from "./budget-indicator.contract.ts";
import { formulaText, readFormula } from "./formula.rules.ts";
import { type Indicator, type Source, sourceText, treeOf } from "./source.rules.ts";

export type Kept = Indicator & {
  level: number;
  orderNo: number;
  updatedAt: string;
  updatedName: string;
  version: number;
};

/** The indicators of the caller's enterprise, parents before their children. */
export async function indicatorsOf(read: Pick<Read, "tx" | "who">): Promise<Kept[]> {
  const { rows } = await sql<Omit<Kept, "level">>`
    select i.id, i.code, i.name, i.parent_id "parentId", i.order_no "orderNo", i.kind, i.unit, i.basis, i.source, i.agg,
      i.better, i.must, i.enabled, i.updated_at "updatedAt", coalesce(o.real_name, '系统') "updatedName", i.version
    from budget_indicator i left join operator o on o.id = i.updated_by
    where i.enterprise_id = ${read.who.enterpriseId}`.execute(read.tx);
  return treeOf(rows);
}

export async function indicatorOf(read: Pick<Read, "tx" | "who">, id: number): Promise<Kept> {
  const found = (await indicatorsOf(read)).find((one) => one.id === id);
  if (!found) throw notFound();
  return found;
}

async function subjectNames(read: Pick<Read, "tx" | "who">): Promise<Map<number, string>> {
  const rows = await read.tx
    .selectFrom("feeSubject")
    .select(["id", "name"])
    .where("enterpriseId", "=", read.who.enterpriseId)
    .execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** How sources read, with the names of what they take. */
export async function sourceReader(read: Pick<Read, "tx" | "who">, all: readonly Indicator[]) {
  const subjects = await subjectNames(read);
  const names = new Map(all.map((i) => [i.code, i.name]));
  const named = {
    subject: (id: number) => subjects.get(id) ?? "已删除的费用",
    indicator: (code: string) => names.get(code) ?? code,
  };
  const formula = (text: string) => {
    const parsed = readFormula(text, (code) => code);
    // a name with a sign in it would not be read again
    const safe = (code: string) => {
      const name = named.indicator(code);
      return /[-+−×÷*/()（）＋－]/.test(name) ? code : name;
    };
    return "formula" in parsed ? formulaText(parsed.formula, safe) : text;
  };
  return { text: (source: Source) => sourceText(source, named), formula, knows: subjects };
}

/** Indicators as the page shows them. */
export async function shownIndicators(
  read: Pick<Read, "tx" | "who">,
  some?: (one: Kept) => boolean,
): Promise<IndicatorRow[]> {
  const all = await indicatorsOf(read);
  const reader = await sourceReader(read, all);
  return (some ? all.filter(some) : all).map(({ source, enabled, orderNo: _, ...one }) => ({
    ...one,
    by: source.by,
    sourceText: reader.text(source),
    state: enabled ? "enabled" : "disabled",
    parts: source.by === "money" ? source.parts : [],
    measure: source.by === "measure" ? source.measure : null,
    formula: source.by === "formula" ? reader.formula(source.formula) : "",
  }));
}

export type Typed = z.output<typeof indicatorBody>;
