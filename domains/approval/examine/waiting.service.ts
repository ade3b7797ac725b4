import { sql, type RawBuilder } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";

/** Conditions over `examine e`, one for the lists, their counts and the workbench. */
export const waitsForMe = ({
  who,
}: Pick<Read, "who">): RawBuilder<boolean> => sql`(e.state = 'approving' and e.id in (
  select s.examine_id from examine_step s where s.operator_id = ${who.operatorId} and s.state = 'waiting'))`;

/** Own submissions that were rejected; a newer submission of the same act takes the place of a rejected one. */
export const rejectedOfMine = ({ who }: Pick<Read, "who">): RawBuilder<boolean> => sql`(
  e.submitter_id = ${who.operatorId} and e.state = 'rejected' and not exists (
    select from examine n where n.target_kind = e.target_kind and n.target_id = e.target_id
      and n.module_type = e.module_type and n.id > e.id))`;

/** The hours after which the node that waits reminds its people. */
const REMIND = sql`coalesce((e.process_snapshot -> 'nodes' -> (e.current_order - 1) ->> 'remindHours')::int, 0)`;

/** Older than the reminder of its node. */
export const isLate = ({
  now,
}: Pick<Read, "now">): RawBuilder<boolean> => sql`(e.state = 'approving' and ${REMIND} > 0
  and e.node_since + ${REMIND} * interval '1 hour' < ${now.toISOString()}::timestamptz)`;

/** Whole days that a late one has waited, at least 1; null while it is in time. */
export const daysWaited = (
  read: Pick<Read, "now">,
): RawBuilder<number | null> => sql`case when ${isLate(read)} then
  greatest(1, floor(extract(epoch from ${read.now.toISOString()}::timestamptz - e.node_since) / 86400))::int end`;
