import { sql } from "kysely";
import type { z } from "zod";
import type { Sql } from "../../../platform/server/lists/conditions.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { netOfAct } from "../act/act.queries.ts";
import { phaseOf, type State } from "../contract/contract.rules.ts";
import { CONTRACT_KINDS, permitOf } from "../terms/kind.rules.ts";
import type { tenancyLine } from "./chain.contract.ts";

type Line = z.input<typeof tenancyLine.reply>;
type Contract = Line[number]["contract"];
type Row = Pick<Line[number], "key" | "on" | "act"> & {
  contract: Omit<Contract, "phase"> & { state: State };
};

/** What lies on the line of a room, of a party with its merged records, or of a tenancy. */
export const ofRoom = (id: number) =>
  sql`c.id in (select contract_id from contract_room where room_id = ${id})`;
export const ofParty = (id: number) => sql`c.party_id in (select ${id}::bigint
  union all select id from renter where merged_into_id = ${id} union all select id from firm where merged_into_id = ${id})`;
export const ofTenancy = (id: number) =>
  sql`c.chain_id = (select coalesce(chain_id, id) from contract where id = ${id})`;

const MOST = 500;

/** Contracts and what was done to them in one order, the newest first; of the kinds and villages that the caller sees. */
export async function lineOf(read: Read, which: Sql): Promise<Line> {
  const { permits, villages } = read.who;
  const kinds = CONTRACT_KINDS.filter(
    (kind) => permits.has(permitOf(kind, "query")) || permits.has(permitOf(kind, "get")),
  );
  const { rows } = await sql<Row>`
    with k as materialized (
      select c.id, json_build_object('id', c.id, 'contractNo', c.contract_no, 'kind', c.kind, 'source', c.source,
          'state', c.state, 'partyName', c.party_name, 'roomNames', c.room_names, 'startDate', c.start_date,
          'endDate', c.end_date, 'leaveDate', c.leave_date, 'currentRent', c.current_rent) contract, c.start_date
      from contract c
      where ${which} and c.state <> 'draft' and c.village_id = ${anyOf(villages)} and c.kind = any(${kinds}))
    select 'c' || k.id "key", k.start_date "on", k.contract, null act, 0 later, k.id from k
    union all
    select 'a' || a.id, a.effective_on, k.contract, json_build_object('id', a.id, 'actNo', a.act_no, 'kind', a.kind,
        'state', a.state, 'net', ${netOfAct}, 'reason', a.reason, 'resultId', n.id, 'resultNo', n.contract_no), 1, a.id
    from k join contract_act a on a.contract_id = k.id
    left join contract n on n.id = a.result_contract_id and n.village_id = ${anyOf(villages)}
    order by 2 desc, 5 desc, 6 desc limit ${MOST}`.execute(read.tx);
  return rows.map(({ key, on, contract: { state, ...contract }, act }) => ({
    key,
    on,
    act,
    contract: {
      ...contract,
      phase: phaseOf({ state, start: contract.startDate, end: contract.endDate }, read.today),
    },
  }));
}
