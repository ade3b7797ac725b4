import { type RawBuilder, sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read, LogEntry } from "../../../platform/server/pipeline/act.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { configOf } from "../config/config.service.ts";
import type { Succession, Terms } from "../terms/terms.contract.ts";
import type { LetRoom } from "../terms/terms.rules.ts";
import { frozenBy, refuseFrozen } from "../../approval/examine/propose.service.ts";
import { type Facts, type MoveName, type State, contractMoves, isInForce } from "./contract.rules.ts";
import { permitOf } from "../terms/kind.rules.ts";
import type { SignerRole } from "../config/sign.rules.ts";
import { handoverHeld } from "./facts.queries.ts";

/** A room as the contract holds it. */
export type ContractRoom = LetRoom & {
  name: string;
  kind: string;
  role: "main" | "attached";
  capacity: number;
  listPrice: Fen | null;
  lowestPrice: Fen | null;
};

/** What every act on a contract needs of it. */
export type ContractRecord = {
  id: number;
  contractNo: string;
  kind: "renter" | "company" | "merchant";
  state: State;
  enterpriseId: number;
  villageId: number;
  partyId: number | null;
  partyName: string;
  /** The lessor that its paper names, as it was when it was handed in; null where the store had no seal. */
  lessor: { id: number; name: string; creditCode: string; address: string } | null;
  roomNames: string;
  start: Day | null;
  end: Day | null;
  anchorDate: Day | null;
  /** The day on which its tenant has left, or the last before its successor. */
  leaveDate: Day | null;
  signedOn: Day | null;
  handoverOn: Day | null;
  signDeadline: string | null;
  previewHash: string | null;
  /** Somebody may sign with whom the black list forbids, and did so on handing in. */
  blackListForbids: boolean;
  /** Who handed it in last; null before contracts kept it. */
  submittedBy: number | null;
  /** Why it was handed in beyond the company's credit limit. */
  creditReason: string | null;
  terms: Terms;
  termsVersion: number;
  monthlyRent: Fen | null;
  managerId: number | null;
  signerId: number | null;
  /** Where the tenant came from, empty where nobody said, and the agent who brought it. */
  channel: string;
  agentId: number | null;
  /** Of the customer's titles; null: the usual one. */
  titleId: number | null;
  remark: string;
  createdAt: string;
  createdBy: number | null;
  version: number;
  /** Version of the template that it was handed in with; null: the built-in text. */
  templateVersionId: number | null;
  /** How it is to be signed, as it was chosen on handing it in; null: as the store signs. */
  sealId: number | null;
  linkHours: number | null;
  signOrder: SignerRole[] | null;
  /** Its links go out as soon as it is approved. */
  sendsLinks: boolean;
  /** The contract that it comes after, as what; and the one that comes after it. */
  previousId: number | null;
  source: "new" | "import" | Succession;
  nextId: number | null;
  chainId: number | null;
  rooms: ContractRoom[];
};

const ROOMS = sql`(select coalesce(json_agg(json_build_object('roomId', cr.room_id, 'name', cr.name, 'kind', cr.kind,
  'role', cr.role, 'monthlyRent', cr.monthly_rent, 'unitPrice', trim_scale(cr.unit_price)::text, 'area', cr.area::text,
  'capacity', cr.capacity, 'joinDate', cr.join_date, 'leaveDate', cr.leave_date, 'listPrice', cr.list_price,
  'lowestPrice', cr.lowest_price) order by cr.seq, cr.room_id), '[]') from contract_room cr where cr.contract_id = c.id)`;

/** The contract with its rooms; not found outside the operator's villages. `lock` keeps others off until the commit. */
export const contractRecord = async (read: Read, id: number, lock = false): Promise<ContractRecord> =>
  seen(read.who, await recordById(read, id, lock));

/** The rooms that were not returned before: the others may be let to somebody else. */
export const stillLet = ({ id, rooms }: Pick<ContractRecord, "id" | "rooms">) => ({
  contractId: id,
  letRoomIds: rooms.flatMap((r) => (r.leaveDate ? [] : [r.roomId])),
});

/** For jobs, which act for nobody and look everywhere. */
export async function recordById(
  read: Pick<Read, "tx">,
  id: number,
  lock = false,
): Promise<ContractRecord | undefined> {
  const { rows } = await sql<ContractRecord>`
    select c.id, c.contract_no "contractNo", c.kind, c.state, c.enterprise_id "enterpriseId", c.village_id "villageId",
      c.party_id "partyId", c.party_name "partyName", c.lessor_snapshot lessor, c.room_names "roomNames", c.start_date "start", c.end_date "end",
      c.anchor_date "anchorDate", c.leave_date "leaveDate", c.signed_on "signedOn", c.handover_on "handoverOn", c.sign_deadline "signDeadline",
      c.preview_hash "previewHash", c.black_list_forbids "blackListForbids", c.submitted_by "submittedBy", c.credit_reason "creditReason", c.terms, c.terms_version "termsVersion", c.monthly_rent "monthlyRent",
      c.manager_operator_id "managerId", c.signer_operator_id "signerId", c.channel, c.agent_id "agentId", c.invoice_title_id "titleId", c.remark, c.created_at "createdAt",
      c.created_by "createdBy", c.version, c.template_version_id "templateVersionId",
      c.seal_id "sealId", c.link_hours "linkHours", c.sign_order "signOrder", c.sends_links "sendsLinks",
      c.previous_id "previousId", c.source, c.next_id "nextId", c.chain_id "chainId", ${ROOMS} rooms
    from contract c where c.id = ${id} ${lock ? sql`for no key update of c` : sql``}`.execute(read.tx);
  return rows[0];
}

/**
 * What is paid, invoiced and still open of the bills that fall due with the signing. A deposit that an import brought
 * in was paid on no bill of ours.
 */
const MONEY = sql`
  select (coalesce(sum(b.settled), 0)
      + coalesce(max(m.deposit_held) filter (where c.import_id is not null), 0))::bigint received,
    count(*) filter (where b.invoiced > 0)::int invoiced,
    coalesce(sum(b.outstanding) filter (where b.due_date <= c.signed_on + coalesce((c.terms->'due'->>'firstDueDays')::int, 0)), 0)::bigint "firstOpen",
    coalesce(sum((select sum(l.outstanding) from bill_line l join fee_subject s on s.id = l.fee_subject_id
      where l.bill_id = b.id and s.kind = 'deposit')) filter (where b.outstanding > 0), 0)::bigint "depositOpen"
  from contract c left join contract_money m on m.contract_id = c.id left join bill b on b.contract_id = c.id and b.voided_at is null`;

type Money = Pick<Facts, "received" | "invoiced" | "firstOpen" | "depositOpen">;

/** Everything the table of moves looks at, for one contract. */
export async function contractFacts(
  read: Read,
  contract: ContractRecord,
): Promise<Facts & { status: State }> {
  const running = isInForce(contract.state);
  const money: Money = running
    ? (await sql<Money>`${MONEY} where c.id = ${contract.id}`.execute(read.tx)).rows[0]!
    : { received: 0, invoiced: 0, firstOpen: 0, depositOpen: 0 };
  const waits = contract.state === "effective" && !contract.handoverOn;
  const open = (await frozenBy(read, "contract", [contract.id])).get(contract.id);
  return {
    ...money,
    frozen: !open ? null : open.submitterId === read.who.operatorId ? "mine" : "others",
    status: contract.state,
    today: read.today,
    start: contract.start,
    handoverOn: contract.handoverOn,
    submitted: contract.previewHash !== null,
    moveInRule: waits ? (await configOf(read, contract)).moveInRule : "any",
    roomHeld: waits ? await handoverHeld(read, contract.id) : null,
    mayOverride: read.who.permits.has(permitOf(contract.kind, "moveInUnpaid")),
    mayWithdraw: mayWithdraw(read.who, contract),
  };
}

export const mayWithdraw = (
  { operatorId, permits }: Read["who"],
  { kind, submittedBy }: Pick<ContractRecord, "kind" | "submittedBy">,
): boolean => submittedBy === operatorId || permits.has(permitOf(kind, "sign"));

/** What two contracts that swap their rooms do together or not at all. */
const BOTH: readonly MoveName[] = ["submit", "sign", "void", "remove"];

/**
 * What the contract's state does not allow is refused, and so is what an approval that is open on it stands in the way of (409
 * frozen), and what is done to one of two that swap their rooms, unless it is done to both.
 */
export async function nextOf(
  read: Read,
  move: MoveName,
  contract: ContractRecord,
  { both = false }: { both?: boolean | undefined } = {},
): Promise<Facts & { status: State }> {
  const drawn = contract.state === "draft" || contract.state === "signing";
  if (!both && drawn && contract.terms.takeOver?.swapWith && BOTH.includes(move))
    throw new Refusal("notAllowed", "对调的两份合同须一并办理，请在换房管理中提交、确认或取消", 409);
  const facts = await contractFacts(read, contract);
  if (facts.frozen && move !== "withdraw") await refuseFrozen(read, "contract", [contract.id]);
  contractMoves.next(move, facts);
  return facts;
}

/** A line of the log about a contract. */
export const contractNote = (
  contract: { id: number; contractNo: string; villageId: number },
  action: string,
  summary: string,
  more: Partial<LogEntry> = {},
): LogEntry => {
  const { id: recordId, contractNo: number, villageId } = contract;
  return { kind: "contract", recordId, number, villageId, action, summary, ...more };
};

/** The room that a contract names first. */
export const firstRoom = (contractId: RawBuilder<unknown>) =>
  sql`(select cr.room_id from contract_room cr where cr.contract_id = ${contractId} order by cr.seq limit 1)`;
