import { sql, type RawBuilder, type SqlBool } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";

/** What makes a bill open, as a condition over `bill b`: on the ledger and not settled; nothing of a void one is outstanding. */
export const isOpen: RawBuilder<SqlBool> = sql<SqlBool>`b.outstanding > 0 and b.issued_at is not null`;

/** What makes a bill late, as a condition over `bill b`: on the ledger, open, and its due day is past. */
export const isLate = (today: Day): RawBuilder<SqlBool> =>
  sql<SqlBool>`${isOpen} and b.due_date < ${today}::date`;

/** Money that is late, as a condition over `bill b`: what the arrears report counts. */
export const isLateMoney = (today: Day): RawBuilder<SqlBool> =>
  sql<SqlBool>`(b.direction = 'receivable' and ${isLate(today)})`;

/** What the customer disputes, as a condition over `bill b`: nobody is asked for it until that is settled. */
export const isDisputed = sql<SqlBool>`(b.disputed_from is not null and b.disputed_to is null)`;

/** Late money that is asked for, by message or letter. */
export const isAskedFor = (today: Day): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${isLateMoney(today)} and not ${isDisputed})`;

/** Money that is late in some villages. The list's 逾期 filtered by 应收 shows exactly these. */
export const isOverdue = (villages: readonly number[], today: Day): RawBuilder<SqlBool> =>
  sql<SqlBool>`(b.village_id = ${anyOf(villages)} and ${isLateMoney(today)})`;
