import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { settingsOf } from "../setting/setting.service.ts";

/** The submission whose takings a line looks like. */
export type Handed = { submissionId: number; submissionNo: string };
type Fit = Handed & { id: number; villageId: number; apart: number };

/**
 * Of some lines `l` those that look like takings which a store in scope has handed over and which have not arrived: by the
 * account, the amount and the days around, where one fits one alone. Proposed, not booked.
 */
export async function handedLines(read: Read, of: RawBuilder<SqlBool>): Promise<Map<number, Handed>> {
  const { rows } = await sql<Fit>`
    select l.id, s.id "submissionId", s.submission_no "submissionNo", s.village_id "villageId",
      abs(l.day - (s.created_at at time zone ${read.settings.TIME_ZONE})::date) apart
    from submission s join bank_line l on l.merchant_account_id = s.to_account_id and l.free = s.submitted
    where s.state = 'submitted' and s.village_id = ${anyOf(read.who.villages)} and ${of}`.execute(read.tx);
  if (!rows.length) return new Map();
  const settings = await settingsOf(read, [...new Set(rows.map((row) => row.villageId))]);
  const fits = rows.filter((row) => row.apart <= settings(row.villageId).matchWindowDays);
  const once = fits.filter(
    (fit) => fits.filter((one) => one.id === fit.id || one.submissionId === fit.submissionId).length === 1,
  );
  return new Map(once.map(({ id, submissionId, submissionNo }) => [id, { submissionId, submissionNo }]));
}
