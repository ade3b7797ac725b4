import { sql } from "kysely";
import { is } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import {
  FIRM_SORT,
  FIRM_WHERE,
  type FirmShown,
  creditUsed,
  firmList,
  firmRows,
  firmVillages,
} from "../firm/firm-list.queries.ts";
import { listCompanies } from "./company.contract.ts";

/** A company always has its code; a row without one would be a merchant's. */
export const coded = (row: FirmShown) => ({ ...row, creditCode: row.creditCode ?? "" });

export const companies = listOf(listCompanies, {
  ...firmList("company"),
  where: {
    ...FIRM_WHERE,
    industry: is("k.industry"),
    ownerId: is("k.owner_id"),
    credit: () => sql`${creditUsed} > k.credit_limit`,
  },
  sort: FIRM_SORT,
  rows: async (raws, read, asked) => {
    const ids = raws.map((row) => row.id);
    return (await firmRows(read, firmVillages(read, asked), ids)).map(coded);
  },
});
