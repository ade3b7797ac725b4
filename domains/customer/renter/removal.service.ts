import { sql } from "kysely";
import { addMonths, type Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { claimVersion, removeParty } from "../../party/party/party.service.ts";
import { erasePeople, refuseDealtWith } from "./erase.service.ts";
import { wholeOf } from "./renter-edit.service.ts";
import { seenRenter } from "./renter.queries.ts";
import { noteRenter } from "./renter.service.ts";

/** How long records of a former tenant are kept whole. */
const RETENTION_YEARS = 5;

type Ties = {
  drafts: number;
  inForce: number;
  past: number;
  lastDay: Day | null;
  bills: number;
  flows: number;
  owed: number;
  prepaid: number;
  held: number;
  lived: number;
  links: number;
  told: number;
};

/** What hangs on a person in all villages, also those outside the operator's scope. */
async function tiesOf(act: Act, ids: readonly number[]): Promise<Ties> {
  const any = sql`any(${ids as number[]}::bigint[])`;
  const { rows } = await sql<Ties>`
    select (select count(*) from contract_brief where party_id = ${any} and state in ('draft', 'approving', 'signing')) drafts,
      (select count(*) from contract_brief where party_id = ${any} and in_force) "inForce",
      (select count(*) from contract_brief where party_id = ${any} and not in_force and state not in ('draft', 'approving', 'signing')) past,
      (select max(coalesce(leave_date, end_date)) from contract_brief where party_id = ${any} and state <> 'voided') "lastDay",
      (select count(*) from bill where party_id = ${any}) bills,
      (select count(*) from flow where party_id = ${any}) flows,
      (select coalesce(sum(outstanding), 0)::bigint from bill where party_id = ${any}) owed,
      (select coalesce(sum(balance), 0)::bigint from party_balance where party_id = ${any}) prepaid,
      (select coalesce(sum(d.held), 0)::bigint from deposit_balance d join contract_brief c on c.id = d.contract_id where c.party_id = ${any})
        + (select coalesce(sum(e.held), 0)::bigint from earnest_balance e join bill b on b.id = e.bill_id where b.party_id = ${any}) held,
      (select count(*) from contract_occupant_brief where renter_id = ${any}) lived,
      greatest((select count(*) from party_village where party_id = ${any} and because in ('lead', 'reservation')),
        (select count(*) from lead where renter_id = ${any}) + (select count(*) from reservation where party_id = ${any})) links,
      (select count(*) from push_recipient where party_id = ${any}) told`.execute(act.tx);
  return rows[0]!;
}

/** A prospect without any record goes for good; anybody else stays, and the refusal counts what stands in the way. */
export async function removeRenter(act: Act, id: number, version: number): Promise<void> {
  const renter = await seenRenter(act, id);
  const ids = await wholeOf(act, id);
  const t = await tiesOf(act, ids);
  const blockers = [
    [t.drafts + t.inForce + t.past, "份合同"],
    [t.bills, "笔账单"],
    [t.flows, "笔流水"],
    [t.lived, "条同住记录"],
    [t.links, "条客源或预订"],
    [ids.length - 1, "条合并记录"],
  ] as const;
  const standing = blockers.filter(([n]) => n).map(([n, what]) => `${n} ${what}`);
  // who has dealt with the house has mostly been written to as well: that is said where it is all there is
  if (!standing.length && t.told) standing.push(`${t.told} 条推送或提醒`);
  if (standing.length) throw new Refusal("inUse", `该租客有 ${standing.join("、")}，不能删除`);
  await removeParty(act, id, version);
  await noteRenter(
    act,
    { id, homeVillageId: renter.homeVillageId },
    { action: "删除", summary: `删除租客${renter.name}` },
  );
}

function refuseAnonymising(act: Act, t: Ties): void {
  const no = (msg: string): never => {
    throw new Refusal("notAllowed", msg);
  };
  if (t.inForce || t.drafts) no("该租客仍有未结束的合同，不能匿名化");
  if (!t.past || !t.lastDay) no("仅历史租客可以匿名化");
  if (t.owed) no(`该租客尚有未收款项 ${yuan(t.owed)} 元，不能匿名化`);
  if (t.prepaid) no(`该租客尚有预存款 ${yuan(t.prepaid)} 元，不能匿名化`);
  if (t.held) no(`该租客尚有押金 ${yuan(t.held)} 元，不能匿名化`);
  if (addMonths(t.lastDay!, RETENTION_YEARS * 12) > act.today)
    no(`最后一份合同于 ${t.lastDay} 结束，满${RETENTION_YEARS}年后方可匿名化`);
}

/** Erases who it was, with pictures, papers and copies; contracts, bills and flows stay. */
export async function anonymise(act: Act, id: number, version: number, reason: string): Promise<void> {
  const renter = await seenRenter(act, id);
  const ids = await wholeOf(act, id);
  refuseAnonymising(act, await tiesOf(act, ids));
  await refuseDealtWith(act, ids, renter.enterpriseId);
  await claimVersion(act, id, version);
  await erasePeople(act, ids, renter.enterpriseId);
  const nothing = { certNoCipher: null, certNoHash: null, certNoMasked: null, certType: null };
  const nobody = { gender: null, birthday: null, nationality: "", email: "", occupation: "", employer: "" };
  const noContact = {
    emergencyName: "",
    emergencyPhone: "",
    emergencyRelation: "",
    guardianName: "",
    guardianPhone: "",
  };
  await act.tx
    .updateTable("renter")
    .set({
      ...nothing,
      ...nobody,
      ...noContact,
      tags: [],
      remark: "",
      photoFileId: null,
      certFrontFileId: null,
      certBackFileId: null,
      verify: "unverified",
      verifyNote: "",
      verifiedAt: null,
      anonymisedAt: act.now.toISOString(),
    })
    .where("id", "in", ids)
    .execute();
  await noteRenter(
    act,
    { id, homeVillageId: renter.homeVillageId },
    { action: "匿名化", summary: `匿名化租客：${reason}` },
  );
}
