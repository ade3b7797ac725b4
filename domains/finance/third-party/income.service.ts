import { sql } from "kysely";
import { type Day, type Month } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { eachNamed, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { basisHash } from "../../../platform/server/secrets/basis-hash.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { removeAt, stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import { type Act, entryOn, type Read } from "../../../platform/server/pipeline/act.ts";
import { inScope, seen } from "../../../platform/server/pipeline/scope.ts";
import { propose, refuseFrozen } from "../../approval/examine/propose.service.ts";
import {
  approves,
  money,
  type Outlook,
  type Wanted,
  words,
} from "../../approval/examine/registry.service.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import type { NewSheet } from "./income.contract.ts";
import { holdPartner, partnerFor, sharedBy } from "./partner.service.ts";
import { termsAt, waitingOf } from "./third-party.queries.ts";
import { earnedOn, incomeEntry, SHEET_MOVES, SHEETS, type SheetState } from "./third-party.rules.ts";

constraintSays("third_party_income_once", { field: "thirdPartyId", msg: "该门店该月该合作方已有记录" });

/** A sheet as acts work with it. */
export type Sheet = {
  id: number;
  sheetNo: string;
  villageId: number;
  villageName: string;
  month: Month;
  thirdPartyId: number;
  partyId: number;
  partnerName: string;
  gross: Fen;
  share: Fen;
  computed: Fen;
  tax: Fen;
  settled: Fen;
  formula: string;
  overrideReason: string;
  status: SheetState;
  version: number;
};

async function readSheet(read: Pick<Read, "tx">, id: number, lock = false): Promise<Sheet | undefined> {
  const { rows } = await sql<Sheet>`
    select i.id, i.sheet_no "sheetNo", i.village_id "villageId", v.name "villageName", i.month,
      i.third_party_id "thirdPartyId", p.party_id "partyId", p.name "partnerName", i.gross, i.share, i.computed, i.tax,
      i.settled, i.share_explain ->> 'formula' formula, i.override_reason "overrideReason", i.state status, i.version
    from third_party_income i join third_party p on p.id = i.third_party_id join village v on v.id = i.village_id
    where i.id = ${id} ${lock ? sql`for update of i` : sql``}`.execute(read.tx);
  return rows[0];
}

/** The sheet, in scope of the caller. */
export const sheetOf = async (read: Read, id: number): Promise<Sheet> =>
  seen(read.who, await readSheet(read, id));

/** The sheet in scope, at the version seen, locked. Its partner is locked first: terms change under that lock. */
export async function lockSheet(act: Act, id: number, version?: number): Promise<Sheet> {
  const { thirdPartyId } = await sheetOf(act, id);
  await holdPartner(act, thirdPartyId);
  const sheet = await readSheet(act, id, true);
  // deleted while this waited for the partner's lock
  if (!sheet) throw notFound();
  if (version !== undefined) asSeen(sheet, version);
  return sheet;
}

export const noteSheet = (
  act: Act,
  sheet: Pick<Sheet, "id" | "sheetNo" | "villageId">,
  action: string,
  summary: string,
) => act.note(entryOn("thirdPartyIncome", sheet, sheet.sheetNo, action, summary));

type Move = {
  settled?: Fen;
  confirmedAt?: string;
  confirmedBy?: number | null;
  reversedAt?: string;
  reverseReason?: string;
};

/** Writes the next state of a locked sheet. */
export async function moveSheet(act: Act, sheet: Sheet, state: SheetState, set: Move = {}): Promise<void> {
  await act.tx
    .updateTable("thirdPartyIncome")
    .set({ ...set, state, version: sheet.version + 1, ...stamp(act) })
    .where("id", "=", sheet.id)
    .execute();
  sheet.status = state;
  sheet.version += 1;
}

const attach = (act: Act, sheet: Pick<Sheet, "id" | "villageId">, fileIds: readonly number[]) =>
  attachFiles(act, fileIds, {
    targetKind: "thirdPartyIncome",
    targetId: sheet.id,
    villageId: sheet.villageId,
    needs: "252.get",
  });

type Typed = Omit<NewSheet, "fileIds"> & { fileIds?: readonly number[] };

/** What a sheet would be, refused where its partner has no agreement for it. */
export async function sheetValues(act: Act, typed: Typed) {
  inScope(act.who, typed.villageId);
  await partnerFor(act, typed);
  const { villageId, month, thirdPartyId, gross } = typed;
  const { formula, ...shared } = sharedBy(await termsAt(act, thirdPartyId, month), typed);
  return { villageId, month, thirdPartyId, gross, ...shared, shareExplain: JSON.stringify({ formula }) };
}

export async function makeSheet(
  act: Act,
  typed: Typed,
  importId: number | null = null,
): Promise<{ id: number; sheetNo: string }> {
  const values = await sheetValues(act, typed);
  const [sheetNo] = await act.numbers("DS");
  const made = await act.tx
    .insertInto("thirdPartyIncome")
    .values({
      ...values,
      sheetNo: sheetNo!,
      source: importId === null ? "entered" : "imported",
      importId,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    .returning(["id", "sheetNo"])
    .executeTakeFirstOrThrow();
  const sheet = { ...made, villageId: values.villageId };
  await attach(act, sheet, typed.fileIds ?? []);
  const how = importId === null ? "新增" : "导入";
  await noteSheet(
    act,
    sheet,
    how,
    `${how} ${values.month} 收入 ${yuan(values.gross)}，我方分成 ${yuan(values.share)}`,
  );
  return made;
}

export async function changeSheet(
  act: Act,
  id: number,
  typed: NewSheet & { version: number },
): Promise<void> {
  // lock order: the new partner before the sheet
  const values = await sheetValues(act, typed);
  const sheet = await lockSheet(act, id, typed.version);
  await refuseFrozen(act, "thirdPartyIncome", [id]);
  SHEET_MOVES.next("edit", sheet);
  await act.tx
    .updateTable("thirdPartyIncome")
    .set({ ...values, version: sheet.version + 1, ...stamp(act) })
    .where("id", "=", id)
    .execute();
  await attach(act, { id, villageId: values.villageId }, typed.fileIds);
  await noteSheet(
    act,
    { ...sheet, villageId: values.villageId },
    "修改",
    `${values.month} 收入 ${yuan(values.gross)}，我方分成 ${yuan(values.share)}`,
  );
}

export async function removeSheet(act: Act, id: number, version: number): Promise<void> {
  const sheet = await lockSheet(act, id, version);
  await refuseFrozen(act, "thirdPartyIncome", [id]);
  SHEET_MOVES.next("remove", sheet);
  await removeAt(act, "thirdPartyIncome", { id, version });
  await noteSheet(act, sheet, "删除", `删除草稿 ${sheet.month} ${sheet.partnerName}`);
}

/** Books our share as a receivable (E27). */
async function confirmNow(act: Act, sheet: Sheet): Promise<void> {
  const state = SHEET_MOVES.next("confirm", sheet);
  await post(act, [incomeEntry(sheet, earnedOn(sheet.month, act.today))]);
  await moveSheet(act, sheet, state, {
    confirmedAt: act.now.toISOString(),
    confirmedBy: act.who.operatorId || null,
  });
  await noteSheet(act, sheet, "确认", `我方分成 ${yuan(sheet.share)}，税额 ${yuan(sheet.tax)}`);
}

async function outlookOf(read: Read, { id }: Wanted): Promise<Outlook> {
  const sheet = await readSheet(read, id);
  if (!sheet) throw notFound();
  const why = SHEET_MOVES.refusal("confirm", sheet);
  if (why) throw new Refusal("notAllowed", why);
  const set = sheet.overrideReason !== "";
  return {
    title: `确认第三方收入 ${sheet.sheetNo}`,
    number: sheet.sheetNo,
    villageId: sheet.villageId,
    amount: sheet.share,
    values: { amount: sheet.share, overridden: set ? 1 : 0 },
    facts: [
      ["合作方", sheet.partnerName],
      ["门店", sheet.villageName],
      ["月份", sheet.month],
      ["对方收入总额", `${yuan(sheet.gross)} 元`],
      ["分成说明", sheet.formula],
      ...(set ? ([["调整原因", sheet.overrideReason]] as const) : []),
    ],
    preview: [
      {
        title: "确认的分成",
        columns: [words("合作方"), money("我方分成"), money("税额")],
        rows: [[sheet.partnerName, sheet.share, sheet.tax]],
      },
    ],
    hash: basisHash([id, sheet.share, sheet.tax]),
  };
}

approves({
  type: "thirdParty",
  title: "确认第三方收入",
  group: "财务",
  kind: "thirdPartyIncome",
  page: SHEETS,
  permit: "252.query",
  fields: [
    { key: "amount", title: "我方分成", kind: "money" },
    { key: "overridden", title: "调整过分成", kind: "flag" },
  ],
  outlook: outlookOf,
  effect: async (act, { id }) => confirmNow(act, await lockSheet(act, id)),
});

/** Confirms, or waits for approval where a process says so: its number then. */
export async function confirmSheet(act: Act, id: number, version?: number): Promise<string | null> {
  const sheet = await lockSheet(act, id, version);
  await refuseFrozen(act, "thirdPartyIncome", [id]);
  const why = SHEET_MOVES.refusal("confirm", sheet);
  if (why) throw new Refusal("notAllowed", why);
  const reason = sheet.overrideReason || `${sheet.month} ${sheet.partnerName}`;
  const { waiting } = await propose(act, "thirdParty", [
    { recordId: id, villageId: sheet.villageId, payload: {}, reason },
  ]);
  if (!waiting[0]) await confirmNow(act, sheet);
  return waiting[0]?.examineNo ?? null;
}

/** Several as they were seen, all or none: how many wait for approval. */
export async function confirmSheets(
  act: Act,
  items: readonly { id: number; version: number }[],
): Promise<number> {
  let waiting = 0;
  for (const { id, version } of items.toSorted((a, b) => a.id - b.id)) {
    const { sheetNo } = await sheetOf(act, id);
    if (await eachNamed(sheetNo, () => confirmSheet(act, id, version))) waiting += 1;
  }
  return waiting;
}

/** Takes a confirmed sheet off the books again, by the mirror of its entry. */
export async function reverseSheet(
  act: Act,
  id: number,
  { version, reason }: { version: number; reason: string },
): Promise<void> {
  const sheet = await lockSheet(act, id, version);
  const state = SHEET_MOVES.next("reverse", sheet);
  const { flowNo } = await waitingOf(act, sheet);
  if (flowNo) throw new Refusal("notAllowed", `结算流水 ${flowNo} 待确认，请先确认或驳回`);
  const [posted] = await entriesOf(act, {
    sourceType: "thirdPartyIncome",
    sourceIds: [id],
    events: ["E27"],
  });
  const businessDate: Day = act.today;
  if (posted)
    await post(act, [
      mirrorOf(posted, {
        event: "E27",
        sourceType: "thirdPartyIncome",
        sourceId: id,
        seq: 1,
        businessDate,
        memo: reason,
      }),
    ]);
  await moveSheet(act, sheet, state, { reversedAt: act.now.toISOString(), reverseReason: reason });
  await noteSheet(act, sheet, "冲销", `冲销 ${yuan(sheet.share)}：${reason}`);
}
