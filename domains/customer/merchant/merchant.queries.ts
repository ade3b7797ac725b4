import { sql } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import { amongWords, is } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import { REMIND_DAYS } from "../../party/paper/paper.rules.ts";
import { FIRM_SORT, FIRM_WHERE, firmList, firmRows, firmVillages } from "../firm/firm-list.queries.ts";
import { listMerchants } from "./merchant.contract.ts";

export const merchants = listOf(listMerchants, {
  ...firmList("merchant"),
  where: {
    ...FIRM_WHERE,
    category: is("s.category"),
    subject: amongWords("s.subject"),
    papers: (_, read) => sql`exists (select 1 from party_paper w
      where w.party_id = p.id and w.end_day <= ${addDays(read.today, REMIND_DAYS)}::date)`,
  },
  sort: FIRM_SORT,
  rows: (raws, read, asked) =>
    firmRows(
      read,
      firmVillages(read, asked),
      raws.map((row) => row.id),
    ),
});
