import { sql } from "kysely";
import { phrase } from "../../../platform/server/lists/conditions.ts";
import type { Who } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { phaseOf, type State } from "./contract.rules.ts";
import { CONTRACT_KINDS, permitOf } from "./kind.rules.ts";
import { contractOptions } from "./options.contract.ts";

type Option = {
  id: number;
  contractNo: string;
  partyName: string;
  roomNames: string;
  state: State;
  startDate: string | null;
  endDate: string | null;
};

/** Who works with bills or money finds contracts of every kind, others those whose page they may open. */
const kindsSeen = ({ permits }: Who) =>
  CONTRACT_KINDS.filter(
    (kind) =>
      permits.has(permitOf(kind, "query")) ||
      ["26", "102", "72"].some((code) => permits.has(`${code}.query`)),
  );

export default [
  serveRead(contractOptions, async (read, { query: q }) => {
    const villages = villagesOf(read.who, q.villageId ? [q.villageId] : undefined);
    const { keyword: k } = q;
    const { rows } = await sql<Option>`
      select c.id, c.contract_no "contractNo", c.party_name "partyName", c.room_names "roomNames", c.state,
        c.start_date "startDate", c.end_date "endDate"
      from contract c where c.village_id = ${anyOf(villages)} and c.kind = any(${kindsSeen(read.who)})
        ${q.ids?.length ? sql`and c.id = ${anyOf(q.ids)}` : sql``}
        ${q.partyId ? sql`and c.party_id = ${q.partyId}` : sql``}
        ${q.state ? sql`and c.state = ${q.state}` : sql``}
        ${q.roomId ? sql`and exists (select 1 from contract_room r where r.contract_id = c.id and r.room_id = ${q.roomId})` : sql``}
        ${k ? sql`and ${phrase("c.contract_no", "c.party_name", "c.room_names")(k)}` : sql``}
      order by c.id desc limit ${q.pageSize}`.execute(read.tx);
    return rows.map(({ state, ...row }) => ({
      ...row,
      phase: phaseOf({ state, start: row.startDate, end: row.endDate }, read.today),
    }));
  }),
];
