import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { monthOfCell, type ImportColumn } from "../../system/import/import.rules.ts";
import { refuseHanging, type Importer, type Place } from "../../system/import/importer.service.ts";
import { eachRow } from "../../system/import/rows.service.ts";
import { STATEMENT_SOURCES, monthRefusal } from "./statement.rules.ts";
import { type Shop, cameIntoForce, shopOf } from "./statement.queries.ts";
import { type DeclaredSales, declaredSales } from "./statement.contract.ts";
import { declare, SALES } from "./statement.service.ts";

const { declared, pos } = STATEMENT_SOURCES;
const SOURCES = { declared, pos };
const COLUMNS: readonly ImportColumn[] = [
  {
    title: "铺位",
    key: "shop",
    must: true,
    aliases: ["铺位号", "铺号", "商铺", "店铺", "店铺名称", "商户", "商户名称", "品牌", "合同号"],
    note: "合同号，或铺位、招牌、商户的名称；一间铺位有多份合同时填合同号",
  },
  {
    title: "月份",
    key: "month",
    must: true,
    aliases: ["所属月份", "营业月份", "销售月份", "统计月份"],
    note: "如 2026-11；按合同月结算的填该期第一天所在的月份",
  },
  {
    title: "营业额",
    key: "gross",
    must: true,
    aliases: ["销售额", "销售金额", "营业收入", "交易金额", "收款金额", "实收金额"],
    yuan: true,
  },
  { title: "退货", key: "refunds", aliases: ["退款", "退款金额", "退货金额"], yuan: true },
  { title: "不计入金额", key: "excluded", yuan: true },
  { title: "来源", key: "source", words: SOURCES, note: "商户申报或收银数据；不填为商户申报" },
  { title: "备注", key: "note" },
];
const COLUMN_OF: Record<string, string> = { monthNo: "month", contractId: "shop" };

type Named = { id: number; names: string[] };
/** Leases of shops that are or were in force in a store, by every name that a cell may call them. */
async function shopsNamed(read: Read, villageId: number): Promise<Map<string, number[]>> {
  const { rows } = await sql<Named>`
    select c.id, array_remove(array[c.contract_no, c.room_names, c.party_name, h.brand], null) ||
      array(select r.full_name from contract_room m join room r on r.id = m.room_id where m.contract_id = c.id) names
    from contract c left join merchant h on h.id = c.party_id where c.kind = 'merchant' and c.village_id = ${villageId} and ${cameIntoForce}`.execute(
    read.tx,
  );
  const found = new Map<string, number[]>();
  for (const { id, names } of rows)
    for (const name of new Set(names.filter(Boolean))) found.set(name, [...(found.get(name) ?? []), id]);
  return found;
}

type Sold = DeclaredSales & { source: keyof typeof SOURCES };

/** A month of a shop to a row. */
const check = eachRow<Sold, Place>({
  judge: async (read, { villageId }) => {
    const named = await shopsNamed(read, villageId);
    const ids = [...new Set([...named.values()].flat())];
    const shops = new Map<number, Shop>();
    for (const id of ids) shops.set(id, await shopOf(read, id));
    return ({ typed: { shop, month, source = "declared", ...figures }, say, as }) => {
      const name = String(shop ?? "");
      const months = monthOfCell(String(month ?? ""));
      const isMonth = /^\d{4}-(0[1-9]|1[0-2])$/.test(months);
      if (month && !isMonth) say("month", "月份格式应为 2026-11");
      // of several leases of a shop the one that the month is of
      const all = named.get(name) ?? [];
      const of = all.filter((id) => shops.get(id)!.months.some((m) => m.from.startsWith(months)));
      if (name && !all.length) say("shop", `门店没有铺位或合同“${name.slice(0, 30)}”`);
      else if (name && isMonth && of.length > 1) say("shop", "有多份合同，请填写合同号");
      const contractId = of.length === 1 && isMonth ? of[0] : undefined;
      const found = contractId === undefined ? undefined : shops.get(contractId);
      const at = found?.months.find((m) => m.from.startsWith(months));
      const why = all.length === 0 || !isMonth || of.length > 1 ? undefined : monthRefusal(at, read.today);
      if (why) say("month", why);
      if (!at || contractId === undefined || why) return { row: undefined };
      const row = as(
        declaredSales,
        { ...figures, contractId, monthNo: at.no },
        ([field]) => COLUMN_OF[String(field)] ?? String(field),
      );
      const unique = { key: "month", value: `${contractId} ${at.no}` };
      return { row: row && { ...row, source: source as Sold["source"] }, unique };
    };
  },
  taken: async (read, { villageId }, uniques) => {
    // what was only estimated gives way
    const { rows } = await sql<{ value: string }>`
      select contract_id || ' ' || month_no value from sales_statement
      where village_id = ${villageId} and state <> 'corrected' and not (source = 'estimated' and state = 'submitted')
        and contract_id || ' ' || month_no = any(${uniques.map((u) => u.value)}::text[])`.execute(read.tx);
    return new Map(rows.map(({ value }) => [value, "该月已申报，请更正"]));
  },
});

/** 导入营业额: what the shops of a store sold, a month of a shop to a row; each waits for confirmation. */
export const SALES_SHEETS: Importer<Sold[]> = {
  table: "salesImport",
  letters: "DS",
  needs: "107.import",
  things: "营业额",
  counter: "份",
  whose: "village",
  template: { example: "1F-101 2026-11 120000.00 …" },
  columns: async () => COLUMNS,
  check,
  make: async (act, rows, batch) => {
    for (const { source, ...row } of rows) await declare(act, row, source, batch.id);
    return rows.length;
  },
  remove: async (act, { id }) => {
    await sql`select from sales_statement where import_id = ${id} order by id for update`.execute(act.tx);
    const { rows: made } = await sql<{ name: string; why: string | null }>`
      select c.room_names || ' ' || to_char(s.from_date, 'YYYY-MM') name, case
        when s.state in ('confirmed', 'billed', 'corrected') then '已确认' when s.version > 1 then '已修改'
        when exists (select from examine e where e.target_kind = ${SALES} and e.target_id = s.id
          and e.state = 'approving') then '在审批中' end why
      from sales_statement s join contract c on c.id = s.contract_id where s.import_id = ${id} order by s.id`.execute(
      act.tx,
    );
    refuseHanging(made, (count) => `${count} 份`);
    const guessed = await act.tx
      .deleteFrom("salesStatement")
      .where("importId", "=", id)
      .returning("correctsId")
      .execute();
    const estimates = guessed.flatMap((s) => s.correctsId ?? []);
    // the estimate that had given way stands again
    await sql`update sales_statement set state = 'submitted', version = version + 1
      where id = any(${estimates}::bigint[])`.execute(act.tx);
    return made.length;
  },
};
