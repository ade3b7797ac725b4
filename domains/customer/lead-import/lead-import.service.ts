import { sql } from "kysely";
import { refuseHanging, type Importer } from "../../system/import/importer.service.ts";
import { insertLeads } from "../lead/many.service.ts";
import { checkLeads, type ImportedLead } from "./check.service.ts";
import { COLUMNS } from "./columns.rules.ts";

export const LEADS: Importer<ImportedLead[]> = {
  things: "客源",
  columns: async () => COLUMNS,
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
