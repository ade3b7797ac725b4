import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import type { Terms } from "../terms/terms.contract.ts";
import type { LetRoom } from "../terms/terms.rules.ts";
import type { State } from "./contract.rules.ts";

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
  roomNames: string;
  start: Day | null;
  end: Day | null;
  anchorDate: Day | null;
  signedOn: Day | null;
  handoverOn: Day | null;
  signDeadline: string | null;
  previewHash: string | null;
  /** Why it was handed in beyond the company's credit limit. */
  creditReason: string | null;
  terms: Terms;
  termsVersion: number;
  monthlyRent: Fen | null;
  managerId: number | null;
  signerId: number | null;
  remark: string;
  createdAt: string;
  createdBy: number | null;
  version: number;
  rooms: ContractRoom[];
};

const ROOMS = sql`(select coalesce(json_agg(json_build_object('roomId', cr.room_id, 'name', cr.name, 'kind', cr.kind,
  'role', cr.role, 'monthlyRent', cr.monthly_rent, 'unitPrice', trim_scale(cr.unit_price)::text, 'area', cr.area::text,
  'capacity', cr.capacity, 'joinDate', cr.join_date, 'leaveDate', cr.leave_date, 'listPrice', cr.list_price,
  'lowestPrice', cr.lowest_price) order by cr.seq, cr.room_id), '[]') from contract_room cr where cr.contract_id = c.id)`;

/** The contract with its rooms; not found outside the operator's villages. `lock` keeps others off until the commit. */
export const contractRecord = async (read: Read, id: number, lock = false): Promise<ContractRecord> =>
  seen(read.who, await recordById(read, id, lock));

/** For jobs, which act for nobody and look everywhere. */
export async function recordById(
  read: Pick<Read, "tx">,
  id: number,
  lock = false,
): Promise<ContractRecord | undefined> {
  const { rows } = await sql<ContractRecord>`
    select c.id, c.contract_no "contractNo", c.kind, c.state, c.enterprise_id "enterpriseId", c.village_id "villageId",
      c.party_id "partyId", c.party_name "partyName", c.room_names "roomNames", c.start_date "start", c.end_date "end",
      c.anchor_date "anchorDate", c.signed_on "signedOn", c.handover_on "handoverOn", c.sign_deadline "signDeadline",
      c.preview_hash "previewHash", c.credit_reason "creditReason", c.terms, c.terms_version "termsVersion", c.monthly_rent "monthlyRent",
      c.manager_operator_id "managerId", c.signer_operator_id "signerId", c.remark, c.created_at "createdAt",
      c.created_by "createdBy", c.version, ${ROOMS} rooms
    from contract c where c.id = ${id} ${lock ? sql`for no key update of c` : sql``}`.execute(read.tx);
  return rows[0];
}
