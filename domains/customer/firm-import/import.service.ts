import { sql } from "kysely";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { removeParties } from "../../party/party/party.service.ts";
import { refuseHanging, type Importer } from "../../system/import/importer.service.ts";
import { makeCompany } from "../company/company.service.ts";
import { makeMerchant } from "../merchant/merchant.service.ts";
import type { FirmKind } from "../firm/words.rules.ts";
import { checkFirms, type FirmRow } from "./check.service.ts";
import { FIRM_COLUMNS } from "./columns.rules.ts";

/** Firms of a batch, each with what hangs on it. */
async function madeBy(read: Read, importId: number) {
  const { rows } = await sql<{ name: string; why: string | null }>`
    select p.name, case when exists (select 1 from contract_brief where party_id = p.id) then '有合同'
        when exists (select 1 from bill where party_id = p.id) then '有账单'
        when exists (select 1 from flow where party_id = p.id) then '有流水'
        when exists (select 1 from examine e where e.target_kind = x.kind and e.target_id = p.id and e.state = 'approving') then '在审批中'
        when x.merged_into_id is not null or exists (select 1 from firm y where y.merged_into_id = p.id) then '已合并'
        when (select count(*) from party_village where party_id = p.id) > 1 then '已关联到其他门店' end why
    from firm x join party p on p.id = x.id where x.import_id = ${importId}`.execute(read.tx);
  return rows;
}

const made = (act: Act, row: FirmRow): Promise<number> =>
  row.kind === "company" ? makeCompany(act, row.input) : makeMerchant(act, row.input);

const firms = (
  kind: FirmKind,
  more: Pick<Importer<FirmRow[]>, "things" | "needs" | "template">,
): Importer<FirmRow[]> => ({
  ...more,
  table: "firmImport",
  own: { kind },
  whose: "village",
  columns: async () => FIRM_COLUMNS[kind],
  check: checkFirms(kind),
  letters: "DQ",
  counter: "家",
  make: async (act, rows, batch) => {
    const ids: number[] = [];
    for (const row of rows) ids.push(await made(act, row));
    await act.tx.updateTable("firm").set({ importId: batch.id }).where("id", "=", anyOf(ids)).execute();
    return ids.length;
  },
  remove: async (act, { id }) => {
    // whoever is just about to sign with one of them comes before or after
    const { rows: locked } = await sql<{ id: number }>`
      select id from party where id in (select id from firm where import_id = ${id}) order by id for update`.execute(
      act.tx,
    );
    const standing = await madeBy(act, id);
    refuseHanging(standing, (count) => `${count} 家`);
    await removeParties(
      act,
      locked.map((row) => row.id),
    );
    return standing.length;
  },
});

export const COMPANIES = firms("company", {
  things: "企业客户",
  needs: "113.import",
  template: { example: "云栖软件有限公司 91330108… 陈嘉禾 … 主联系人：孙晓梅" },
});
export const MERCHANTS = firms("merchant", {
  things: "商户",
  needs: "106.import",
  template: { example: "晨光早餐店 公司 91330108… 餐饮 … 主联系人：孙晓梅" },
});
