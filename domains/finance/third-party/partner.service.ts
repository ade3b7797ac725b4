import { sql } from "kysely";
import { type Day, monthOf, type Month } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { type Switched, switchMoves } from "../../../platform/kernel/switched.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { NEXT_VERSION, revise, stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import { type Act, entryOn, type Read } from "../../../platform/server/pipeline/act.ts";
import { refuseFrozen } from "../../approval/examine/propose.service.ts";
import { changeParty, linkParty, makeParty } from "../../party/party/party.service.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import { taxOf } from "../bill/bill.rules.ts";
import { shareOf, type Terms, termsWord } from "./share.rules.ts";
import type { NewPartner, NewTerms, PartnerEdit } from "./third-party.contract.ts";
import { type KeptTerms, termsAt } from "./third-party.queries.ts";
import { covers, sheetRefusal } from "./third-party.rules.ts";

constraintSays("third_party_name", { field: "name", msg: "合作方名称已存在" });

export type Partner = {
  id: number;
  partyId: number;
  name: string;
  villageIds: number[];
  startDate: Day;
  endDate: Day | null;
  enabled: boolean;
  version: number;
};

async function readPartner(
  read: Pick<Read, "tx" | "who">,
  id: number,
  lock: "update" | "share" | "none",
): Promise<Partner> {
  const held = { update: sql`for update`, share: sql`for share`, none: sql`` }[lock];
  const { rows } = await sql<Partner>`
    select id, party_id "partyId", name, village_ids "villageIds", start_date "startDate", end_date "endDate", enabled,
      version
    from third_party where id = ${id} and village_ids && ${[...read.who.villages]}::bigint[] ${held}`.execute(
    read.tx,
  );
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** A locked partner, which only who manages all of its stores may change. */
async function lockPartner(act: Act, id: number, version: number): Promise<Partner> {
  const partner = await readPartner(act, id, "update");
  const mine = new Set(act.who.villages);
  if (!partner.villageIds.every((villageId) => mine.has(villageId)))
    throw new Refusal("noPermission", "该合作方含您不能管理的门店，请由可管理其全部门店的人员修改", 403);
  asSeen(partner, version);
  return partner;
}

const notePartner = (act: Act, partner: Pick<Partner, "id" | "name">, action: string, summary: string) =>
  act.note(entryOn("thirdParty", partner, partner.name, action, summary));

type TermsTyped = Pick<NewTerms, "shareMode" | "percent" | "amount" | "bands" | "taxRate">;
/** Only what the mode needs is kept. */
const termsRow = ({ shareMode, percent, amount, bands, taxRate }: TermsTyped) => ({
  shareMode,
  shareTerms: JSON.stringify(
    shareMode === "percent"
      ? { percent }
      : shareMode === "fixed"
        ? { amount }
        : shareMode === "tiered"
          ? { bands }
          : { percent, amount },
  ),
  taxRate: (Number(taxRate) / 100).toFixed(4),
});

const attach = (act: Act, id: number, fileIds: readonly number[]) =>
  attachFiles(act, fileIds, { targetKind: "thirdParty", targetId: id, needs: "252.get" });

async function linkAll(act: Act, partyId: number, villageIds: readonly number[]): Promise<void> {
  for (const villageId of villageIds) await linkParty(act, partyId, villageId, "link");
}

export async function makePartner(act: Act, typed: NewPartner): Promise<number> {
  const { name, kind, villageIds, startDate, endDate, contact, fileIds } = typed;
  const { enterpriseId } = act.who;
  const by = act.who.operatorId || null;
  const partyId = await makeParty(act, { enterpriseId, kind: "thirdParty", name });
  await linkAll(act, partyId, villageIds);
  const { id } = await act.tx
    .insertInto("thirdParty")
    .values({
      enterpriseId,
      partyId,
      name,
      kind,
      villageIds,
      startDate,
      endDate: endDate ?? null,
      contact,
      createdAt: act.now.toISOString(),
      createdBy: by,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.tx
    .insertInto("thirdPartyTerms")
    .values({ thirdPartyId: id, fromMonth: monthOf(startDate), ...termsRow(typed), createdBy: by })
    .execute();
  await attach(act, id, fileIds);
  await notePartner(act, { id, name }, "新增", `新增合作方，分成 ${termsWord(typed)}`);
  return id;
}

/** Refuses an agreement that would leave a standing sheet outside. */
async function refuseOutside(act: Act, id: number, typed: PartnerEdit): Promise<void> {
  const last = typed.endDate ? monthOf(typed.endDate) : "9999-12";
  const { rows } = await sql<{ month: Month; villageName: string }>`
    select i.month, v.name "villageName" from third_party_income i join village v on v.id = i.village_id
    where i.third_party_id = ${id} and i.state <> 'reversed' and (i.village_id <> all(${typed.villageIds}::bigint[])
      or i.month < ${monthOf(typed.startDate)} or i.month > ${last})
    order by i.month limit 1`.execute(act.tx);
  if (rows[0])
    throw new Refusal(
      "inUse",
      `${rows[0].villageName} ${rows[0].month} 已有收入记录，协议须包含该门店和月份`,
    );
}

export async function changePartner(act: Act, id: number, typed: PartnerEdit): Promise<void> {
  const partner = await lockPartner(act, id, typed.version);
  await refuseOutside(act, id, typed);
  const { name, kind, villageIds, startDate, endDate, contact, fileIds, version } = typed;
  await revise(
    act,
    "thirdParty",
    { id, version },
    { name, kind, villageIds, startDate, endDate: endDate ?? null, contact, ...stamp(act) },
  );
  if (name !== partner.name) {
    const party = await theRow(act, "party", ["version"], { id: partner.partyId });
    await changeParty(act, partner.partyId, party.version, { name });
  }
  await linkAll(act, partner.partyId, villageIds);
  await attach(act, id, fileIds);
  await notePartner(act, { id, name }, "修改", "修改合作方资料");
}

export async function switchPartner(act: Act, id: number, version: number, to: Switched): Promise<void> {
  const partner = await lockPartner(act, id, version);
  const move = to === "enabled" ? "enable" : "disable";
  switchMoves.next(move, { status: partner.enabled ? "enabled" : "disabled" });
  await revise(act, "thirdParty", { id, version }, { enabled: to === "enabled", ...stamp(act) });
  await notePartner(act, partner, switchMoves.label(move), `${switchMoves.label(move)}合作方`);
}

/** The partner of a sheet, held until the transaction ends so that its terms stay; refused under the field that is wrong. */
export async function partnerFor(
  act: Pick<Act, "tx" | "who" | "today">,
  of: { thirdPartyId: number; villageId: number; month: Month },
  lock: "share" | "none" = "share",
): Promise<Partner> {
  const partner = await readPartner(act, of.thirdPartyId, lock);
  const wrong = sheetRefusal(partner, of, act.today);
  if (wrong) throw invalid(wrong);
  return partner;
}

/** Keeps terms and agreement as they are until the transaction ends. */
export const holdPartner = (act: Act, id: number) =>
  sql`select from third_party where id = ${id} for share`.execute(act.tx);

type Overriding = { gross: Fen; share?: Fen | null | undefined; overrideReason?: string };
/** What a sheet comes to by some terms, or as somebody has set it. */
export function sharedBy(
  { terms, taxRate }: Pick<KeptTerms, "terms" | "taxRate">,
  of: Overriding,
): {
  computed: Fen;
  share: Fen;
  tax: Fen;
  taxRate: string;
  overrideReason: string;
  formula: string;
} {
  const { share: computed, formula } = shareOf(terms as Terms, of.gross);
  const set = typeof of.share === "number" && of.share !== computed;
  const share = set ? of.share! : computed;
  return {
    computed,
    share,
    tax: taxOf(share, { taxMode: "rate", taxRate }),
    taxRate,
    overrideReason: set ? (of.overrideReason ?? "") : "",
    formula: set ? `${formula}；调整为 ${yuan(share)}` : formula,
  };
}

type Draft = { id: number; month: Month; gross: Fen; share: Fen; computed: Fen; overrideReason: string };

/** Terms from a month on. Drafts of these months are shared anew; a confirmed month stands in the way. */
export async function changeTerms(
  act: Act,
  id: number,
  typed: NewTerms,
): Promise<{ id: number; redone: number }> {
  const partner = await lockPartner(act, id, typed.version);
  const { fromMonth } = typed;
  if (!covers(partner, fromMonth)) throw invalid({ field: "fromMonth", msg: "合作协议不在有效期内" });
  const { rows } = await sql<{ last: Month | null }>`
    select max(month) last from third_party_income
    where third_party_id = ${id} and state not in ('draft', 'reversed') and month >= ${fromMonth}`.execute(
    act.tx,
  );
  const last = rows[0]?.last;
  if (last) throw invalid({ field: "fromMonth", msg: `${last} 的收入已确认，新条款须从之后的月份开始` });
  const kept = {
    ...termsRow(typed),
    createdAt: act.now.toISOString(),
    createdBy: act.who.operatorId || null,
  };
  await act.tx
    .insertInto("thirdPartyTerms")
    .values({ thirdPartyId: id, fromMonth, ...kept })
    .onConflict((oc) => oc.columns(["thirdPartyId", "fromMonth"]).doUpdateSet(kept))
    .execute();
  await revise(act, "thirdParty", { id, version: typed.version }, stamp(act));
  const redone = await shareAnew(act, id, fromMonth);
  await notePartner(act, partner, "变更条款", `自 ${fromMonth} 起分成 ${termsWord(typed)}`);
  return { id, redone };
}

async function shareAnew(act: Act, thirdPartyId: number, from: Month): Promise<number> {
  const { rows: drafts } = await sql<Draft>`
    select id, month, gross, share, computed, override_reason "overrideReason" from third_party_income
    where third_party_id = ${thirdPartyId} and state = 'draft' and month >= ${from} order by id for update`.execute(
    act.tx,
  );
  await refuseFrozen(
    act,
    "thirdPartyIncome",
    drafts.map((d) => d.id),
  );
  for (const draft of drafts) {
    const { formula, ...values } = sharedBy(await termsAt(act, thirdPartyId, draft.month), {
      gross: draft.gross,
      share: draft.overrideReason ? draft.share : null,
      overrideReason: draft.overrideReason,
    });
    await act.tx
      .updateTable("thirdPartyIncome")
      .set({
        ...values,
        shareExplain: JSON.stringify({ formula }),
        version: NEXT_VERSION,
        ...stamp(act),
      })
      .where("id", "=", draft.id)
      .execute();
  }
  return drafts.length;
}
