import { sql } from "kysely";
import type { Reply } from "../../../platform/kernel/call.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { Terms } from "../terms/terms.contract.ts";
import type { LetRoom } from "../terms/terms.rules.ts";
import type { termsVersions } from "./paper.contract.ts";
import { besideEachOther, versionSections } from "./versions.rules.ts";

type Kept = {
  version: number;
  startDate: Day;
  endDate: Day;
  anchorDate: Day | null;
  terms: Terms;
  rooms: (LetRoom & { name: string })[];
  depositAmount: Fen | null;
};

/** Versions as they were agreed. The deposit of one that is past is kept with the change that came after it. */
const keptOf = async (read: Read, contractId: number, versions: readonly number[]): Promise<Kept[]> =>
  (
    await sql<Kept>`
      select t.version, c.start_date "startDate", t.end_date "endDate", c.anchor_date "anchorDate", t.terms, t.rooms,
        (case when n.version is null then c.deposit_amount
          else (a.trace->'kept'->>'depositAmount')::bigint end) "depositAmount"
      from contract_terms t join contract c on c.id = t.contract_id
      left join contract_terms n on n.contract_id = t.contract_id and n.version = t.version + 1
      left join contract_act a on a.id = n.act_id
      where t.contract_id = ${contractId} and t.version = any(${versions as number[]}::int[])`.execute(
      read.tx,
    )
  ).rows;

/** Every version of a contract's terms, and two of them side by side: the last two unless others are asked for. */
export async function versionsOf(
  read: Read,
  contractId: number,
  asked: { older?: number | undefined; newer?: number | undefined },
): Promise<Reply<typeof termsVersions>> {
  const { rows: versions } = await sql<Reply<typeof termsVersions>["versions"][number]>`
    select t.version, t.effective_from "effectiveFrom", t.end_date "endDate", a.kind "actKind", a.act_no "actNo"
    from contract_terms t left join contract_act a on a.id = t.act_id
    where t.contract_id = ${contractId} order by t.version desc`.execute(read.tx);
  const newer = asked.newer ?? versions[0]?.version;
  const older = asked.older ?? versions[1]?.version;
  if (newer === undefined || older === undefined) return { versions, older: null, newer: null, rows: [] };
  const kept = new Map((await keptOf(read, contractId, [older, newer])).map((v) => [v.version, v]));
  const [before, after] = [kept.get(older), kept.get(newer)];
  if (!before || !after) throw notFound();
  return { versions, older, newer, rows: besideEachOther(versionSections(before), versionSections(after)) };
}
