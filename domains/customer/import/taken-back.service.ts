import { sql, type RawBuilder } from "kysely";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { removeParties } from "../../party/party/party.service.ts";
import { refuseHanging } from "../../system/import/importer.service.ts";

/** What hangs on one kind of party alone, over `p` and its own row `x`: the leads it has, and a branch of a case after flows. */
type Hanging = { leads: RawBuilder<unknown>; last: RawBuilder<unknown> };

/** Takes away the tenants or firms of a batch, or says what hangs on them. */
export const takingBack =
  (table: "renter" | "firm", counter: string, { leads, last }: Hanging) =>
  async (act: Act, { id }: { id: number }): Promise<number> => {
    const own = sql.table(table);
    // whoever is just about to sign with one of them comes before or after
    const { rows: locked } = await sql<{ id: number }>`
      select id from party where id in (select id from ${own} where import_id = ${id}) order by id for update`.execute(
      act.tx,
    );
    const { rows } = await sql<{ name: string; why: string | null }>`
      select p.name, case when exists (select 1 from contract_brief where party_id = p.id) then '有合同'
          when exists (select 1 from reservation where party_id = p.id) then '有预订'
          when exists (select 1 from lead where ${leads}) then '有客源'
          when exists (select 1 from bill where party_id = p.id) then '有账单'
          when exists (select 1 from flow where party_id = p.id) then '有流水' ${last}
          when exists (select 1 from push_recipient where party_id = p.id) then '有推送或提醒'
          when x.merged_into_id is not null or exists (select 1 from ${own} y where y.merged_into_id = p.id) then '已合并'
          when (select count(*) from party_village where party_id = p.id) > 1 then '已关联到其他门店' end why
      from ${own} x join party p on p.id = x.id where x.import_id = ${id}`.execute(act.tx);
    refuseHanging(rows, (count) => `${count} ${counter}`);
    await removeParties(
      act,
      locked.map((row) => row.id),
    );
    return rows.length;
  };
