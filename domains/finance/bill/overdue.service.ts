import { sql, type RawBuilder } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { anyOf } from "../../../platform/server/scope.ts";

/**
 * What makes a bill overdue, as a condition over `bill b`: the list's 逾期, the workbench and the reports all ask by this
 * one, so their counts agree. Late from the day after the due day.
 */
export const isOverdue = (villages: readonly number[], today: Day): RawBuilder<boolean> => sql<boolean>`
  (b.village_id = ${anyOf(villages)} and b.direction = 'receivable' and b.outstanding > 0
    and b.issued_at is not null and b.due_date < ${today}::date)`;
