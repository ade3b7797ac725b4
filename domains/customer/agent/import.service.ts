import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { ImportColumn } from "../../system/import/import.rules.ts";
import { refuseHanging, type Importer, type Place } from "../../system/import/importer.service.ts";
import { eachRow } from "../../system/import/rows.service.ts";
import { agentInput, type AgentInput } from "./agent.contract.ts";
import { createAgent } from "./agent.service.ts";

const COLUMNS: readonly ImportColumn[] = [
  { title: "姓名", key: "name", must: true, note: "2到30个字" },
  { title: "电话", key: "phone", must: true, note: "11位手机号，不能重复" },
  { title: "机构", key: "agency", note: "已登记的中介机构名称；独立经纪人不填" },
  { title: "佣金规则", key: "rule", note: "独立经纪人必填；不填则随机构" },
  { title: "身份证号", key: "certNo" },
  { title: "户名", key: "bankHolder", note: "填写银行账号时必填" },
  { title: "开户银行", key: "bankName", note: "填写银行账号时必填" },
  { title: "开户支行", key: "bankBranch" },
  { title: "银行账号", key: "bankNo" },
];
const COLUMN_OF: Record<string, string> = { ruleId: "rule", agencyId: "agency" };

/** Names that cells may use, of the enterprise and within scope. */
async function known(read: Read, enterpriseId: number) {
  const [agencies, rules] = await Promise.all([
    read.tx
      .selectFrom("agency")
      .select(["id", "name", "villageIds"])
      .where("enterpriseId", "=", enterpriseId)
      .execute(),
    read.tx
      .selectFrom("commissionRule")
      .select(["seriesId", "name"])
      .where("enterpriseId", "=", enterpriseId)
      .execute(),
  ]);
  const seen = agencies.filter((a) => a.villageIds.some((v) => read.who.villages.includes(v)));
  return {
    agencies: new Map(seen.map((a) => [a.name, a.id])),
    rules: new Map(rules.map((r) => [r.name, r.seriesId])),
  };
}

/** Agents of a batch, each with what hangs on them. */
async function madeBy(read: Read, importId: number) {
  const { rows } = await sql<{ name: string; why: string | null }>`
    select a.name, case when exists (select 1 from lead where agent_id = a.id) then '有客源'
        when exists (select 1 from reservation where agent_id = a.id) then '有预订'
        when exists (select 1 from contract_brief where agent_id = a.id) then '有合同'
        when exists (select 1 from commission where agent_id = a.id) then '有佣金' end why
    from agent a where a.import_id = ${importId} order by a.id`.execute(read.tx);
  return rows;
}

/** One agent to a row, known by the phone. */
const check = eachRow<AgentInput, Place>({
  judge: async (read, { villageId, enterpriseId }) => {
    const { agencies, rules } = await known(read, enterpriseId);
    return ({ typed: { agency, rule, ...rest }, say, as }) => {
      // an empty cell is no name
      const [agencyName, ruleName] = [String(agency ?? ""), String(rule ?? "")];
      const [agencyId, ruleId] = [agencies.get(agencyName), rules.get(ruleName)];
      if (agencyName && !agencyId) say("agency", `没有登记机构“${agencyName}”`);
      if (ruleName && !ruleId) say("rule", `没有佣金规则“${ruleName}”`);
      const row = as(
        agentInput,
        { ...rest, villageIds: [villageId], agencyId, ruleId },
        ([field]) => COLUMN_OF[String(field)] ?? String(field),
      );
      return { row, unique: rest.phone ? { key: "phone", value: String(rest.phone) } : undefined };
    };
  },
  taken: async (read, { enterpriseId }, uniques) => {
    const phones = uniques.map(({ value }) => value);
    const rows = await read.tx
      .selectFrom("agent")
      .select("phone")
      .where("enterpriseId", "=", enterpriseId)
      .where("phone", "=", sql<string>`any(${phones}::text[])`)
      .execute();
    return new Map(rows.map(({ phone }) => [phone, "该手机号已登记经纪人"]));
  },
});

export const AGENTS: Importer<AgentInput[]> = {
  table: "agentImport",
  letters: "DA",
  needs: "115.import",
  things: "经纪人",
  counter: "位",
  whose: "village",
  template: { example: "周启明 13812345678 …" },
  columns: async () => COLUMNS,
  check,
  make: async (act, rows, batch) => {
    for (const row of rows) await createAgent(act, row, batch.id);
    return rows.length;
  },
  remove: async (act, { id }) => {
    // whoever is just about to name one of them comes before or after
    await sql`select 1 from agent where import_id = ${id} order by id for update`.execute(act.tx);
    const made = await madeBy(act, id);
    refuseHanging(made, (count) => `${count} 位`);
    await act.tx.deleteFrom("agent").where("importId", "=", id).execute();
    return made.length;
  },
};
