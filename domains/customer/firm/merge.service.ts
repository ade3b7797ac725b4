import { sql } from "kysely";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { frozenBy } from "../../approval/examine/propose.service.ts";
import { changeParty, noteParty } from "../../party/party/party.service.ts";
import { bringAlong, reservedRefusal } from "../record/merge.service.ts";
import { standing } from "./firm-detail.queries.ts";
import { seenFirm, type SeenFirm } from "./firm.queries.ts";
import { FIRM_TITLE, MERGEABLE, mergeableOf, type FirmKind, type Mergeable } from "./words.rules.ts";

type Pair = { keepId: number; goneId: number };
type Wish = Pair & {
  keepVersion: number;
  goneVersion: number;
  take: readonly Mergeable[];
  reason: string;
};

/** The sentence against merging, or nothing. */
async function refusalOf(read: Read, keep: SeenFirm, gone: SeenFirm): Promise<string | undefined> {
  const title = FIRM_TITLE[keep.kind as FirmKind];
  if (keep.id === gone.id) return `请选择两条不同的${title}记录`;
  if (keep.enterpriseId !== gone.enterpriseId) return "两条记录不属于同一企业，不能合并";
  const frozen = await frozenBy(read, keep.kind, [keep.id, gone.id]);
  if (frozen.size) return "审批中的记录不能合并，请先完成或撤回审批";
  return reservedRefusal(read, gone.id);
}

/**
 * What comes along and what stands in the way; counts everything of the record that goes. One that has been merged
 * meanwhile stands for the record it was merged into, as everywhere.
 */
export async function previewMerge(read: Read, kind: FirmKind, { keepId, goneId }: Pair) {
  const keep = await seenFirm(read, kind, await standing(read, keepId));
  const gone = await seenFirm(read, kind, await standing(read, goneId));
  const { rows } = await sql<
    Record<"contracts" | "bills" | "flows" | "contacts" | "titles" | "accounts" | "papers", number>
  >`
    with ids as (select ${gone.id}::bigint id union all select id from firm where merged_into_id = ${gone.id})
    select (select count(*)::int from contract_brief where party_id in (select id from ids)) contracts,
      (select count(*)::int from bill where party_id in (select id from ids)) bills,
      (select count(*)::int from flow where party_id in (select id from ids)) flows,
      (select count(*)::int from party_contact where party_id = ${gone.id}) contacts,
      (select count(*)::int from invoice_title where party_id = ${gone.id}) titles,
      (select count(*)::int from bank_account where party_id = ${gone.id}) accounts,
      (select count(*)::int from party_paper where party_id = ${gone.id}) papers`.execute(read.tx);
  return { ...rows[0]!, refusal: (await refusalOf(read, keep, gone)) ?? null };
}

/** Values that are taken over; a name stands on the party, the rest on the firm and on its kind. */
function taken(gone: SeenFirm, take: readonly Mergeable[]) {
  const has = (field: Mergeable) => take.includes(field);
  return {
    name: has("name") ? gone.name : undefined,
    firm: {
      ...(has("address") && { address: gone.address }),
      ...(has("remark") && { remark: gone.remark }),
      ...(has("number") && {
        creditCode: gone.creditCode,
        certType: gone.certType,
        certNoCipher: gone.certNoCipher,
        certNoMasked: gone.certNoMasked,
        numberHash: gone.numberHash,
      }),
    },
    company: {
      ...(has("trade") && { industry: gone.industry ?? "", scale: gone.scale ?? "" }),
      ...(has("owner") && { ownerId: gone.ownerId! }),
    },
    merchant: {
      ...(has("trade") && { category: gone.category! }),
      ...(has("brand") && { brand: gone.brand ?? "" }),
      ...(has("legalName") && { legalName: gone.legalName ?? "" }),
      // who is known by another kind of number is another kind of subject
      ...(has("number") && { subject: gone.subject! }),
    },
  };
}

/**
 * Two records of one firm become one. The other turns into an alias: its contracts, bills and flows stay as they were
 * written and are found under the record kept, so no financial record is rewritten.
 */
export async function mergeFirms(act: Act, kind: FirmKind, wish: Wish): Promise<void> {
  const keep = await seenFirm(act, kind, wish.keepId);
  const gone = await seenFirm(act, kind, wish.goneId);
  const why = await refusalOf(act, keep, gone);
  if (why) throw new Refusal("notMergeable", why);
  const allowed = new Set(mergeableOf(kind));
  if (wish.take.some((field) => !allowed.has(field))) throw notFound();
  const over = taken(gone, wish.take);
  const versions = [
    [keep.id, wish.keepVersion, over.name],
    [gone.id, wish.goneVersion, undefined],
  ] as const;
  // in the order of ids, so that two merges the other way round wait instead of locking each other out
  for (const [id, version, name] of versions.toSorted((a, b) => a[0] - b[0]))
    await changeParty(act, id, version, { name });
  // the record that goes gives its number free first
  await act.tx
    .updateTable("firm")
    .set({ mergedIntoId: keep.id })
    .where((eb) => eb.or([eb("id", "=", gone.id), eb("mergedIntoId", "=", gone.id)]))
    .execute();
  const tags = [...new Set([...keep.tags, ...gone.tags])].slice(0, 10);
  await act.tx
    .updateTable("firm")
    .set({ ...over.firm, tags })
    .where("id", "=", keep.id)
    .execute();
  if (kind === "company" && Object.keys(over.company).length)
    await act.tx.updateTable("company").set(over.company).where("id", "=", keep.id).execute();
  if (kind === "merchant" && Object.keys(over.merchant).length)
    await act.tx.updateTable("merchant").set(over.merchant).where("id", "=", keep.id).execute();
  await bringAlong(act, keep.id, gone.id);
  const title = FIRM_TITLE[kind];
  await noteParty(
    act,
    { id: keep.id, kind, homeVillageId: keep.homeVillageId },
    {
      action: "合并",
      summary: `并入${title}${gone.name}的记录：${wish.reason}`,
      after: { 取自被并入记录: wish.take.map((field) => MERGEABLE[field]).join("、") },
    },
  );
  await noteParty(
    act,
    { id: gone.id, kind, homeVillageId: gone.homeVillageId },
    { action: "合并", summary: `已并入${title}${keep.name}：${wish.reason}` },
  );
}
