import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { offered } from "../../system/dic/dic.service.ts";
import { type Importer, type Place, refuseHanging } from "../../system/import/importer.service.ts";
import { type Row, eachRow } from "../../system/import/rows.service.ts";
import { type LeadInput, leadInput } from "../lead/lead.contract.ts";
import { ownersOf } from "../record/owners.queries.ts";
import { LIVE } from "../lead/lead.rules.ts";
import { insertLeads } from "../lead/lead.service.ts";
import { LEAD_COLUMNS } from "./columns.rules.ts";

export type ImportedLead = { input: LeadInput; ownerId: number | null };
type Words = {
  sources: Map<string, string>;
  most: number;
  owners: Map<string, { id: number; free: number }[]>;
};

/** One lead to a row, known by the phone that nobody else is looked after under. */
export const checkLeads = eachRow<ImportedLead, Place>({
  judge: async (read, { villageId }) => {
    const words = await wordsOf(read, villageId);
    return ({ typed, say, as }) => {
      const source = words.sources.get(String(typed.source));
      if (typed.source !== undefined && !source)
        say("source", `来源应为：${[...words.sources.keys()].join("、")}`);
      const ownerId = ownerIn(words, typed.owner, say);
      const input = as(leadInput, { ...typed, villageIds: [villageId], source });
      if (input?.moveInDay && input.moveInDay < read.today) say("moveInDay", "入住日不能早于今天");
      return input
        ? { row: { input, ownerId }, unique: { key: "phone", value: input.phone } }
        : { row: undefined };
    };
  },
  taken: async (read, { enterpriseId }, uniques) => {
    const phones = uniques.map(({ value }) => value);
    const rows = await read.tx
      .selectFrom("lead")
      .select(["phone", "number"])
      .where("enterpriseId", "=", enterpriseId)
      .where("state", "in", [...LIVE])
      .where("phone", "=", sql<string>`any(${phones}::text[])`)
      .execute();
    return new Map(rows.map((row) => [row.phone, `已有在跟进的客源 ${row.number}`]));
  },
});

/** Sources by their names, and who may look after leads here, with how many more each can take. */
async function wordsOf(read: Read, villageId: number): Promise<Words> {
  const sources = new Map((await offered(read, "customer", "source")).map((s) => [s.name, s.code]));
  const people = (await ownersOf(read)).filter((o) => o.villages.includes(villageId));
  const busy = await read.tx
    .selectFrom("lead")
    .select(["ownerId", (eb) => eb.fn.countAll<number>().as("n")])
    .where("ownerId", "in", [...people.map((p) => p.id), 0])
    .where("state", "in", [...LIVE])
    .groupBy("ownerId")
    .execute();
  const most = read.settings.LEADS_PER_PERSON;
  const taken = new Map(busy.map((b) => [b.ownerId, b.n]));
  const free = people.map((p) => ({
    id: p.id,
    name: p.name,
    free: most - (taken.get(p.id) ?? 0),
  }));
  return { sources, most, owners: Map.groupBy(free, (p) => p.name) };
}

function ownerIn({ owners, most }: Words, name: unknown, say: Row["say"]): number | null {
  if (name === undefined) return null;
  const [owner, ...same] = owners.get(String(name)) ?? [];
  if (!owner) say("owner", "没有这位可以负责客源的员工");
  else if (same.length) say("owner", "有重名的员工，请导入后再分配");
  else if (--owner.free < 0) say("owner", `该员工在跟进的客源最多${most}条`);
  return owner?.id ?? null;
}

export const LEADS: Importer<ImportedLead[]> = {
  things: "客源",
  columns: async () => LEAD_COLUMNS,
  check: checkLeads,
  whose: "village",
  table: "leadImport",
  letters: "DK",
  needs: "15.import",
  counter: "条",
  template: { example: "沈知夏 13812345678 来源：上门 预算：2500-3500" },
  make: async (act, rows, batch) => {
    await insertLeads(act, batch.enterpriseId, rows, batch.id);
    return rows.length;
  },
  remove: async (act, { id }) => {
    // whoever is just about to work on one of them comes before or after
    await sql`select 1 from lead where import_id = ${id} order by id for update`.execute(act.tx);
    const { rows } = await sql<{ name: string; why: string | null }>`
      select l.name, case when l.state <> 'new'
        or exists (select 1 from reservation r where r.lead_id = l.id)
        or exists (select 1 from viewing w where w.lead_id = l.id) then '' end why
      from lead l where l.import_id = ${id} order by l.id`.execute(act.tx);
    refuseHanging(rows, (count) => `${count} 条客源已有跟进，`);
    await act.tx.deleteFrom("lead").where("importId", "=", id).execute();
    return rows.length;
  },
};
