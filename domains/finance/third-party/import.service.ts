import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { refuseHanging, type Importer } from "../../system/import/importer.service.ts";
import { monthOfCell, type ImportColumn } from "../../system/import/import.rules.ts";
import type { Row } from "../../system/import/rows.service.ts";
import { villagesNamed } from "../import/find.queries.ts";
import { makeSheet } from "./income.service.ts";
import { partnersNamed, standingSheets } from "./third-party.queries.ts";
import { sheetRefusal } from "./third-party.rules.ts";

const COLUMNS: readonly ImportColumn[] = [
  { title: "门店", key: "village", must: true, note: "门店名称或简称" },
  { title: "月份", key: "month", must: true, note: "如 2026-03，不晚于本月" },
  { title: "合作方", key: "partner", must: true, note: "合作方名称，协议须包含该门店和月份" },
  { title: "总额", key: "gross", must: true, yuan: true, note: "对方收入总额，元，最多两位小数" },
];

type Brought = { villageId: number; month: string; thirdPartyId: number; gross: number };
type Found = { rows: Brought[]; amount: number; villageIds: number[] };

async function check(read: Read, all: readonly Row[]): Promise<Found> {
  const villages = await villagesNamed(read);
  const partners = await partnersNamed(
    read,
    all.map((row) => String(row.typed["partner"] ?? "")),
  );
  const standing = await standingSheets(
    read,
    [...partners.values()].map(({ id }) => id),
  );
  const firsts = new Map<string, number>();
  const rows: Brought[] = [];
  for (const row of all) {
    const { village, month, partner, gross } = row.typed as Partial<Record<string, string>> & {
      gross?: number;
    };
    const store = villages.find((v) => v.name === village || (v.shortName && v.shortName === village));
    if (village && !store) row.say("village", "没有这个门店，或不在您的管辖范围");
    const at = monthOfCell(month ?? "");
    const isMonth = /^20\d\d-(0[1-9]|1[0-2])$/.test(at);
    if (month && !isMonth) row.say("month", "月份格式应为 2026-03");
    const of = partners.get(partner ?? "");
    if (partner && !of) row.say("partner", "没有这个合作方");
    if (!isMonth || !store || !of) continue;
    const brought = { villageId: store.id, month: at };
    const wrong = sheetRefusal(of, brought, read.today);
    const key = `${store.id} ${at} ${of.id}`;
    const first = firsts.get(key);
    if (wrong) row.say(wrong.field === "month" ? "month" : "partner", wrong.msg);
    else if (first !== undefined) row.say("partner", `与第 ${first} 行重复`);
    else if (standing.has(key)) row.say("partner", "该门店该月该合作方已有记录");
    firsts.set(key, first ?? row.number);
    if (!row.wrong.length && gross !== undefined) rows.push({ ...brought, thirdPartyId: of.id, gross });
  }
  const amount = rows.reduce((sum, row) => sum + row.gross, 0);
  return { rows, amount, villageIds: [...new Set(rows.map((row) => row.villageId))] };
}

/** 导入第三方收入: a partner's takings of one store and month to a row, each a draft. */
export const SHEET_IMPORT: Importer<Found, object> = {
  table: "thirdPartyImport",
  letters: "DT",
  needs: "252.import",
  whose: "villages",
  things: "第三方收入",
  counter: "笔",
  columns: async () => COLUMNS,
  template: { example: "滨江店　2026-03　顺达停车　5000.00" },
  place: async () => ({}),
  sameFile: "anybody",
  check,
  kept: (found) => ({ amount: found?.amount ?? 0, villageIds: found?.villageIds ?? [] }),
  make: async (act, { rows, amount }, batch) => {
    for (const row of rows) await makeSheet(act, { ...row, overrideReason: "" }, batch.id);
    return { count: rows.length, told: `导入第三方收入 ${rows.length} 笔，总额 ${yuan(amount)}` };
  },
  remove: async (act, { id }) => {
    await sql`select from third_party_income where import_id = ${id} order by id for update`.execute(act.tx);
    const { rows: made } = await sql<{ name: string; why: string | null }>`
      select i.sheet_no "name", case when i.state <> 'draft' then '已确认'
        when exists (select from examine e where e.target_kind = 'thirdPartyIncome' and e.target_id = i.id
          and e.state = 'approving') then '审批中' end why
      from third_party_income i where i.import_id = ${id} order by i.id`.execute(act.tx);
    refuseHanging(made, (count) => `${count} 笔`);
    await act.tx.deleteFrom("thirdPartyIncome").where("importId", "=", id).execute();
    return made.length;
  },
};
