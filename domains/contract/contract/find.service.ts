import { sql } from "kysely";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { number } from "../../../platform/server/lists/conditions.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { PHASES, type State, phaseOf } from "./contract.rules.ts";
import { type ContractKind } from "../terms/kind.rules.ts";

type Row = {
  id: number;
  kind: ContractKind;
  contractNo: string;
  oldNo: string;
  partyName: string;
  roomNames: string;
  state: State;
  start: string | null;
  end: string | null;
};

/** Contracts by the beginning of their number, with or without HT, by an old number, or of the parties and rooms given. */
export async function findContracts(
  read: Read,
  typed: string,
  of: { kinds: readonly ContractKind[]; parties: readonly number[]; rooms: readonly number[] },
  most: number,
) {
  const [, digits] = /^(?:ht)?(\d{4}[\d-]*)$/i.exec(typed) ?? [];
  const found = [
    sql`c.old_no = ${typed} and c.old_no <> ''`,
    sql`c.party_id = ${anyOf(of.parties)}`,
    sql`c.id = any(array(select contract_id from contract_room where room_id = ${anyOf(of.rooms)}))`,
  ];
  if (digits) found.push(number("c.contract_no")(`HT${digits}`)!);
  const { rows } = await sql<Row>`
    select c.id, c.kind, c.contract_no "contractNo", c.old_no "oldNo", c.party_name "partyName", c.room_names "roomNames", c.state,
      c.start_date "start", c.end_date "end"
    from contract c
    where c.village_id = ${anyOf(read.who.villages)} and c.kind = any(${of.kinds as ContractKind[]})
      and (${sql.join(found, sql` or `)})
    order by (in_force(c.state) or c.state = 'signing') desc, c.id desc limit ${most}`.execute(read.tx);
  return rows.map(({ id, kind, contractNo, partyName, roomNames, ...row }) => ({
    id,
    kind,
    title: contractNo,
    note: [partyName, roomNames, PHASES[phaseOf(row, read.today)][0]].filter(Boolean).join(" · "),
  }));
}
