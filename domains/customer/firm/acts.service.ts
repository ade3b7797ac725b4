import { sql } from "kysely";
import { maskName } from "../../../platform/kernel/texts/mask.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { type Served, serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { refuseFrozen } from "../../approval/examine/propose.service.ts";
import { wholeAccount } from "../../party/account/account.service.ts";
import { linkParty, noteParty, removeParty } from "../../party/party/party.service.ts";
import { seenIn } from "../record/seen.queries.ts";
import { countReveal } from "../record/reveal.service.ts";
import { firmSummary } from "./firm-detail.queries.ts";
import type { FirmCalls, REVEALABLE } from "./firm.contract.ts";
import { type SeenFirm, seenFirm, wholeFirm } from "./firm.queries.ts";
import { mergeFirms, previewMerge } from "./merge.service.ts";
import { FIRM_TITLE, type FirmKind } from "./words.rules.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";

/** The one record of a number in the operator's enterprise, and whether a village in scope deals with it. */
async function byNumber(read: Read, kind: FirmKind, number: string) {
  return read.tx
    .selectFrom("firm")
    .innerJoin("party", "party.id", "firm.id")
    .select(["firm.id", "party.name", "firm.homeVillageId", seenIn(read, "firm.id").as("here")])
    .where("firm.enterpriseId", "=", read.who.enterpriseId)
    .where("firm.kind", "=", kind)
    .where("firm.numberHash", "=", read.cipher.hash(number))
    .where("firm.mergedIntoId", "is", null)
    .executeTakeFirst();
}

export async function lookupFirm(read: Read, kind: FirmKind, number: string) {
  const row = await byNumber(read, kind, number);
  if (!row) return { found: "none" as const, id: null, maskedName: null };
  return {
    found: row.here ? ("here" as const) : ("elsewhere" as const),
    id: row.id,
    maskedName: row.here ? row.name : maskName(row.name),
  };
}

/** Only who knows the whole number may link; a guessed id finds nothing. */
export async function linkFirm(
  act: Act,
  kind: FirmKind,
  id: number,
  wanted: { villageId: number; number: string },
): Promise<{ id: number }> {
  const villageId = inScope(act.who, wanted.villageId);
  const row = await byNumber(act, kind, wanted.number);
  if (!row || row.id !== id) throw notFound();
  const village = await theRow(act, "village", ["name"], { id: villageId });
  if (await linkParty(act, id, villageId, "link"))
    await noteParty(
      act,
      { id, kind, homeVillageId: row.homeVillageId },
      { action: "关联", summary: `关联到门店“${village.name}”` },
      villageId,
    );
  return { id };
}

type Field = (typeof REVEALABLE)[number];
const LABELS: Record<Field, string> = {
  phone: "电话",
  certNo: "证件号",
  contactPhone: "联系人电话",
  bankNumber: "银行账号",
};

async function wholeOf(act: Act, firm: SeenFirm, field: Field, partId: number | undefined) {
  if (field === "phone") return firm.phone;
  if (field === "certNo") return firm.certNoCipher && act.cipher.open(firm.certNoCipher);
  if (!partId) return undefined;
  if (field === "bankNumber") return wholeAccount(act, firm.id, partId);
  const contact = await aRow(act, "partyContact", ["phone"], { id: partId, partyId: firm.id });
  return contact?.phone;
}

export async function revealFirm(
  act: Act,
  kind: FirmKind,
  id: number,
  { field, partId, reason }: { field: Field; partId?: number | undefined; reason: string },
): Promise<{ value: string }> {
  const firm = await seenFirm(act, kind, id);
  const value = await wholeOf(act, firm, field, partId);
  if (!value) throw new Refusal("empty", `没有登记${LABELS[field]}`);
  await countReveal(act);
  await noteParty(
    act,
    { id, kind, homeVillageId: firm.homeVillageId },
    { action: "查看", summary: `查看完整${LABELS[field]}：${reason}` },
  );
  return { value };
}

type Ties = { contracts: string[]; bills: number; flows: number; links: number; told: number };

/** A firm without any record goes for good; the refusal names what stands in the way, in whatever village. */
export async function removeFirm(act: Act, kind: FirmKind, id: number, version: number): Promise<void> {
  const firm = await seenFirm(act, kind, id);
  await refuseFrozen(act, kind, [id]);
  const ids = await wholeFirm(act, id);
  const any = sql`any(${ids}::bigint[])`;
  const { rows } = await sql<Ties>`
    select (select coalesce(array_agg(contract_no order by id), '{}') from contract_brief where party_id = ${any}) contracts,
      (select count(*)::int from bill where party_id = ${any}) bills,
      (select count(*)::int from flow where party_id = ${any}) flows,
      greatest((select count(*) from party_village where party_id = ${any} and because in ('lead', 'reservation')),
        (select count(*) from lead where company_id = ${any} or merchant_id = ${any})
          + (select count(*) from reservation where party_id = ${any}))::int links,
      (select count(*)::int from push_recipient where party_id = ${any}) told`.execute(act.tx);
  const { contracts, bills, flows, links, told } = rows[0]!;
  const named = contracts.slice(0, 5).join("、") + (contracts.length > 5 ? `等 ${contracts.length} 份` : "");
  const standing = [
    ...(contracts.length ? [`合同 ${named}`] : []),
    ...(bills ? [`${bills} 笔账单`] : []),
    ...(flows ? [`${flows} 笔流水`] : []),
    ...(links ? [`${links} 条客源或预订`] : []),
    ...(ids.length > 1 ? [`${ids.length - 1} 条合并记录`] : []),
  ];
  // who has dealt with the house has mostly been written to as well: that is said where it is all there is
  if (!standing.length && told) standing.push(`${told} 条推送或提醒`);
  const title = FIRM_TITLE[kind];
  if (standing.length) throw new Refusal("inUse", `该${title}有${standing.join("、")}，不能删除`);
  await removeParty(act, id, version);
  await noteParty(
    act,
    { id, kind, homeVillageId: firm.homeVillageId },
    { action: "删除", summary: `删除${title}${firm.name}` },
  );
}

/** The handlers of the calls that both kinds have alike. */
export const servedFirm = (calls: FirmCalls): Served[] => {
  const { kind } = calls;
  return [
    serveRead(calls.lookup, (read, { body }) => lookupFirm(read, kind, body.number)),
    serve(calls.link, (act, { params, body }) => linkFirm(act, kind, params.id, body)),
    serve(calls.reveal, (act, { params, body }) => revealFirm(act, kind, params.id, body)),
    serveRead(calls.summary, (read, { params }) => firmSummary(read, kind, params.id)),
    serve(calls.remove, async (act, { params, query }) => {
      await removeFirm(act, kind, params.id, query.version);
      return null;
    }),
    serveRead(calls.mergePreview, (read, { body }) => previewMerge(read, kind, body)),
    serve(calls.merge, async (act, { body }) => {
      await mergeFirms(act, kind, body);
      return { id: body.keepId };
    }),
  ];
};
