import { sql } from "kysely";
import type { z } from "zod";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { seesWhole } from "../../access/operator/scope.service.ts";
import { lateFeeFieldsOf } from "../../finance/setting/late-terms.rules.ts";
import type { configRow } from "./config.contract.ts";
import { configOf, type ContractConfig } from "./config.service.ts";

type Row = z.input<typeof configRow>;
type Query = {
  pageNo: number;
  pageSize: number;
  order?: "asc" | "desc" | undefined;
  villageIds?: number[] | undefined;
};

const rowOf = ({ defaultTerms, ...config }: ContractConfig, name: string, editable: boolean): Row => ({
  ...config,
  ...lateFeeFieldsOf(defaultTerms),
  id: config.villageId ?? 0,
  name,
  editable,
});

/** The enterprise's set first, unless villages are asked for; then villages with a set of their own, by name. */
export async function configRows(read: Read, query: Query): Promise<{ list: Row[]; total: number }> {
  const { enterpriseId } = read.who;
  const villages = villagesOf(read.who, query.villageIds);
  const { rows } = await sql<{ villageId: number; enterpriseId: number; name: string }>`
    select v.id "villageId", v.enterprise_id "enterpriseId", v.name
    from contract_config c join village v on v.id = c.village_id
    where v.id = any(${villages as number[]}::bigint[])
    order by v.name collate "zh-x-icu" ${query.order === "desc" ? sql`desc` : sql`asc`}, v.id`.execute(
    read.tx,
  );
  const owners = [
    ...(query.villageIds?.length ? [] : [{ villageId: null, enterpriseId, name: "企业默认" }]),
    ...rows,
  ];
  const first = (query.pageNo - 1) * query.pageSize;
  const whole = await seesWhole(read, enterpriseId);
  const list: Row[] = [];
  for (const { name, ...owner } of owners.slice(first, first + query.pageSize))
    list.push(rowOf(await configOf(read, owner), name, owner.villageId !== null || whole));
  return { list, total: owners.length };
}
