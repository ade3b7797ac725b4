import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { removeParties } from "../../party/party/party.service.ts";
import { refuseHanging, type Importer } from "../../system/import/importer.service.ts";
import type { RenterInput } from "../renter/renter-input.contract.ts";
import { RENTER_ROWS } from "./check.service.ts";
import { createRenters } from "./make.service.ts";

/** Tenants of a batch, each with what hangs on them. */
async function madeBy(read: Read, importId: number) {
  const { rows } = await sql<{ name: string; why: string | null }>`
    select p.name, case when exists (select 1 from contract_brief where party_id = p.id) then '有合同'
        when exists (select 1 from reservation where party_id = p.id) then '有预订'
        when exists (select 1 from lead where renter_id = p.id) then '有客源'
        when exists (select 1 from bill where party_id = p.id) then '有账单'
        when exists (select 1 from flow where party_id = p.id) then '有流水'
        when exists (select 1 from contract_occupant_brief where renter_id = p.id) then '有同住记录'
        when r.merged_into_id is not null or exists (select 1 from renter x where x.merged_into_id = p.id) then '已合并'
        when (select count(*) from party_village where party_id = p.id) > 1 then '已关联到其他门店' end why
    from renter r join party p on p.id = r.id where r.import_id = ${importId}`.execute(read.tx);
  return rows;
}

export const RENTERS: Importer<RenterInput> = {
  ...RENTER_ROWS,
  table: "renterImport",
  letters: "DZ",
  needs: "16.import",
  counter: "人",
  example: "张雅婷 13812345678 身份证 … 来源：上门",
  make: (act, rows, batch) => createRenters(act, rows, batch.id),
  remove: async (act, { id }) => {
    // whoever is just about to sign with one of them comes before or after
    const { rows: locked } = await sql<{ id: number }>`
      select id from party where id in (select id from renter where import_id = ${id}) order by id for update`.execute(
      act.tx,
    );
    const made = await madeBy(act, id);
    refuseHanging(made, (count) => `${count} 人`);
    await removeParties(
      act,
      locked.map((row) => row.id),
    );
    return made.length;
  },
};
