import { sql } from "kysely";
import { maskCertificate, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { from, keyword, number, phrase, to } from "../../../platform/server/lists/conditions.ts";
import { listOf, type RowOf } from "../../../platform/server/lists/list.ts";
import { listOccupants, type STAYS } from "./roster.contract.ts";

type Listed = Omit<RowOf<typeof listOccupants>, "state"> & { held: boolean };

/** Who left with the contract has left, whatever day was expected. */
const stateOn = (
  today: string,
) => sql`case when o.to_date < ${today}::date or not in_force(c.state) then 'left'
  when o.from_date > ${today}::date then 'coming' else 'living' end`;

/** Occupants of companies' contracts in the caller's villages, the newest first. */
export const roster = listOf(listOccupants, {
  id: "o.id",
  from: sql`contract_occupant o join contract c on c.id = o.contract_id`,
  village: "c.village_id",
  scope: () => sql`c.kind = 'company' and c.signed_on is not null and c.state <> 'voided'`,
  where: {
    state: (states: readonly (keyof typeof STAYS)[], { today }) =>
      sql`${stateOn(today)} = any(${states as string[]}::text[])`,
    fromFrom: from("o.from_date"),
    fromTo: to("o.from_date"),
    keyword: (text) =>
      /^\d{4}$/.test(text)
        ? sql`right(o.phone, 4) = ${text}`
        : keyword(number("c.contract_no"), phrase("o.name", "c.party_name", "c.room_names"))(text),
  },
  sort: { fromDate: "o.from_date", toDate: "o.to_date" },
  order: "fromDate",
  columns: sql<Listed>`o.id, o.name, o.phone, coalesce(o.cert_no_masked, '') "certNo", o.gender, o.relation,
    c.party_id "partyId", c.party_name "partyName", c.id "contractId", c.contract_no "contractNo", v.name "villageName",
    coalesce(r.full_name, c.room_names) "roomName", o.from_date "fromDate", o.to_date "toDate", o.lock_access "lockAccess",
    o.leave_reason "leaveReason", in_force(c.state) held`,
  join: sql`join contract_occupant o on o.id = page.id join contract c on c.id = o.contract_id
    join village v on v.id = c.village_id left join room r on r.id = o.room_id`,
  rows: (rows: Listed[], { today }) =>
    rows.map(({ held, ...row }) => ({
      ...row,
      phone: row.phone && maskPhone(row.phone),
      certNo: row.certNo.includes("*") ? row.certNo : maskCertificate(row.certNo),
      state:
        !held || (row.toDate !== null && row.toDate < today)
          ? ("left" as const)
          : row.fromDate > today
            ? ("coming" as const)
            : ("living" as const),
    })),
});
