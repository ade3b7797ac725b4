import { sql } from "kysely";
import { addDays } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { filesOf } from "../../system/file/file.service.ts";
import type { AgreedBy } from "../act/act.contract.ts";
import { netOfAct, paidSince } from "../act/act.queries.ts";
import type { ActKind } from "../act/act.rules.ts";
import { type ContractRecord, recordById } from "../contract/record.queries.ts";
import { demand } from "../contract/contract.queries.ts";
import { liveFlow } from "../esign/flow.queries.ts";
import { shownChange } from "../recut/preview.service.ts";
import type { ChangePreview } from "../recut/recut.contract.ts";
import { EXCHANGE_ROOMS } from "../room-change/exchange.service.ts";
import type { ExchangeDraft, ReturnDraft } from "../room-change/room-change.contract.ts";
import { ADD_ROOMS, RETURN_ROOMS } from "../room-change/room-change.service.ts";
import { chargeLines } from "../settlement/charge.service.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { type ActRow, type AmendDraft, getChange } from "./amendment.contract.ts";
import { amendClauses } from "./amendment.rules.ts";
import { AMEND, heldOf, namesOf } from "./amendment.service.ts";

const COLUMNS = sql`a.id, a.act_no "actNo", a.kind, a.source, a.requested_on "requestedOn", a.effective_on "effectiveOn",
  ${netOfAct} net, a.reason, coalesce(o.real_name, '') "handlerName", a.state, a.version`;

export async function actsOf(read: Read, contractId: number): Promise<ActRow[]> {
  const { rows } = await sql<ActRow>`
    select ${COLUMNS} from contract_act a left join operator o on o.id = a.handler_id
    where a.contract_id = ${contractId} order by a.id desc`.execute(read.tx);
  return rows;
}

type Raw = ActRow & {
  contractId: number;
  contractNo: string;
  contractKind: ContractKind;
  villageId: number;
  villageName: string;
  partyName: string;
  agreed: boolean;
  frozen: boolean;
  agreedHow: AgreedBy | null;
  agreedNote: string;
  endedWhy: string;
  paidSince: string | null;
  draft: Record<string, unknown>;
  done: ChangePreview["bills"] | null;
};
export const PARTS = {
  amend: AMEND,
  addRooms: ADD_ROOMS,
  returnRooms: RETURN_ROOMS,
  exchangeRooms: EXCHANGE_ROOMS,
};
export type ChangeKind = keyof typeof PARTS;

/** What a change comes to now, by the part of its kind. */
export const weighChange = async (
  read: Read,
  contract: ContractRecord,
  kind: ActKind,
  draft: object,
): Promise<ChangePreview> =>
  shownChange(await PARTS[kind as keyof typeof PARTS].weigh(read, contract, draft as never));

/** What is agreed, sentence by sentence. */
export async function clausesOf(
  read: Read,
  contract: ContractRecord,
  kind: ActKind,
  draft: object,
): Promise<string[]> {
  if (kind === "amend")
    return amendClauses(heldOf(contract), draft as AmendDraft, await namesOf(read, contract));
  const { effectiveOn, rooms = [], roomIds = [] } = draft as Partial<ExchangeDraft>;
  const joins = async () => {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, full_name name from room where id = any(${rooms.map((r) => r.roomId)}::bigint[])`.execute(
      read.tx,
    );
    const names = new Map(rows.map((r) => [r.id, r.name]));
    return rooms.map(
      (r) => `自 ${effectiveOn} 起增租 ${names.get(r.roomId) ?? ""}，月租金 ${yuan(r.monthlyRent)} 元`,
    );
  };
  if (kind === "addRooms") return joins();
  const leavers = contract.rooms.filter((r) => roomIds.includes(r.roomId)).map((r) => r.name);
  if (kind === "returnRooms")
    return [
      `于 ${effectiveOn} 退还 ${leavers.join("、")}，其余房间继续承租`,
      ...chargeLines((draft as Partial<ReturnDraft>).charges ?? []).map(
        ({ title, amount, clause, formula }) => {
          const why = [clause && `依据${clause}`, formula].filter(Boolean).join("，");
          return `乙方承担${title} ${yuan(-amount)} 元${why && `（${why}）`}`;
        },
      ),
    ];
  const last = addDays(effectiveOn!, -1);
  return [`退还 ${leavers.join("、")}，租用至 ${last}`, ...(await joins())];
}

export async function changeDetail(read: Read, id: number) {
  const { rows } = await sql<Raw>`
    select ${COLUMNS}, a.contract_id "contractId", c.contract_no "contractNo", c.kind "contractKind",
      a.village_id "villageId", v.name "villageName", c.party_name "partyName", (a.agreed is not null) agreed,
      (a.state = 'approving') frozen, a.agreed->>'how' "agreedHow", coalesce(a.agreed->>'note', '') "agreedNote",
      a.end_reason "endedWhy", a.payload draft, a.trace->'bills' done, ${paidSince} "paidSince"
    from contract_act a join contract c on c.id = a.contract_id join village v on v.id = a.village_id
    left join operator o on o.id = a.handler_id where a.id = ${id} and a.kind = any(${Object.keys(PARTS)}::text[])`.execute(
    read.tx,
  );
  const row = seen(read.who, rows[0]);
  demand(read.who, row.contractKind, getChange.needs);
  const contract = (await recordById(read, row.contractId))!;
  const open = ["handling", "approving", "signing"].includes(row.state) && contract.state === "effective";
  return {
    ...row,
    clauses: await clausesOf(read, contract, row.kind, row.draft),
    signing:
      row.state === "signing" &&
      (await liveFlow(read, { contractId: row.contractId, actId: id })) !== undefined,
    preview: open ? await weighChange(read, contract, row.kind, row.draft) : null,
    files: (await filesOf(read, "amendment", [id])).get(id) ?? [],
  };
}
