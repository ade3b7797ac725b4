import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import type { PriceUnit } from "../../listing/room/words.rules.ts";
import type { ChoiceKind } from "../choice/choice.rules.ts";
import type { PayPlan, ReservationState } from "./reservation.rules.ts";

/** A reservation as acts work with it. */
export type Reservation = {
  id: number;
  number: string;
  enterpriseId: number;
  villageId: number;
  leadId: number | null;
  partyId: number;
  partyName: string;
  partyKind: ChoiceKind;
  roomId: number;
  roomName: string;
  area: string;
  status: ReservationState;
  moveInDay: Day;
  plannedEndDay: Day | null;
  holdUntil: Day;
  rent: Fen;
  unit: PriceUnit;
  payPlan: PayPlan | null;
  earnestKind: "定金" | "订金";
  earnest: Fen;
  billId: number | null;
  refundId: number | null;
  contractId: number | null;
  ownerId: number;
  payUntil: string | null;
  heldOn: Day | null;
  held: Fen;
  signing: boolean;
  version: number;
};

const COLUMNS = sql`r.id, r.number, r.enterprise_id "enterpriseId", r.village_id "villageId", r.lead_id "leadId",
  r.party_id "partyId", p.name "partyName", p.kind "partyKind",
  r.room_id "roomId", m.full_name "roomName", m.area::text area, r.state status,
  r.move_in_day "moveInDay", r.planned_end_day "plannedEndDay", r.hold_until "holdUntil", r.rent, r.unit, r.pay_plan "payPlan",
  r.earnest_kind "earnestKind", r.earnest, r.bill_id "billId", r.refund_id "refundId", r.contract_id "contractId",
  r.owner_id "ownerId", r.pay_until "payUntil", r.held_on "heldOn", coalesce(e.held, 0) held,
  (r.contract_id is not null and r.state = 'held') signing, r.version`;

export async function readReservation(
  read: Pick<Read, "tx">,
  id: number,
  lock = false,
): Promise<Reservation | undefined> {
  // locked before what hangs on it is looked at, so that what is read is what stands
  if (lock) await sql`select from reservation where id = ${id} for no key update`.execute(read.tx);
  const { rows } = await sql<Reservation>`
    select ${COLUMNS} from reservation r join party p on p.id = r.party_id join room m on m.id = r.room_id
    left join earnest_balance e on e.bill_id = r.bill_id where r.id = ${id}`.execute(read.tx);
  return rows[0];
}

/** The record when it lies in scope; every act on a reservation locks it first. */
export const lockReservation = async (read: Read, id: number): Promise<Reservation> =>
  seen(read.who, await readReservation(read, id, true));
