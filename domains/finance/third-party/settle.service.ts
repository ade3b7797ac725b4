import { addDays, daysBetween, lastOf } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { forbidden, invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { aRow, theRow } from "../../../platform/server/database/row.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import { accountFor } from "../account/account.service.ts";
import { giveBackToLine, lineOf, linesFor, takeFromLine } from "../corporate/line.service.ts";
import { ownsFlows } from "../flow/allocate.service.ts";
import { proposeReversal } from "../flow/approval.service.ts";
import { channelFee } from "../flow/flow.rules.ts";
import { type Flow, insertFlow, lockFlow, noteFlow, paidOnOf, readFlow } from "../flow/flow.service.ts";
import { markConfirmed } from "../flow/pending.service.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import { settingsOf } from "../setting/setting.service.ts";
import type { Settling } from "./income.contract.ts";
import { lockSheet, moveSheet, noteSheet, type Sheet, sheetOf } from "./income.service.ts";
import { waitingOf } from "./third-party.queries.ts";
import { lineSettledEntry, SHEET_MOVES, settledEntries, settledState } from "./third-party.rules.ts";

/** Days around now in which the partner's transfer is looked for. */
const AROUND = 92;

/** Lines that may hold the partner's money; one is found by the other side's name or by its account as well. */
export async function linesOf(
  read: Read,
  {
    incomeId,
    ids = [],
    keyword,
  }: { incomeId: number; ids?: readonly number[] | undefined; keyword?: string | undefined },
) {
  const sheet = await sheetOf(read, incomeId);
  if (ids.length) return Promise.all(ids.slice(0, 20).map((lineId) => lineOf(read, lineId)));
  // from the month on until now
  const from = addDays(lastOf(sheet.month), -31);
  const half = Math.min(AROUND, Math.ceil(daysBetween(from, read.today) / 2) + 1);
  const day = addDays(read.today, -half);
  const found = await linesFor(read, { amount: sheet.share - sheet.settled, day, around: half });
  return found.filter(
    (line) => !keyword || `${line.counterName} ${line.accountName} ${line.day}`.includes(keyword),
  );
}

type By = { flowId?: number; bankLineId?: number; settledOn: string; paidBy: string };
type Part = { settlementId: number; amount: Fen };

/** Writes what came of a locked sheet's share. */
async function keepSettlement(act: Act, sheet: Sheet, { settlementId, amount, paidBy, ...by }: Part & By) {
  await act.tx
    .insertInto("thirdPartySettlement")
    .values({
      id: settlementId,
      incomeId: sheet.id,
      amount,
      ...by,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    .execute();
  const settled = sheet.settled + amount;
  await moveSheet(act, sheet, settledState(sheet.share, settled), { settled });
  await noteSheet(
    act,
    sheet,
    "结算",
    `${paidBy} 结算 ${yuan(amount)}，未结算 ${yuan(sheet.share - settled)}`,
  );
}

const nextSettlement = async (act: Act): Promise<number> =>
  (await nextIds(act, "third_party_settlement", 1))[0]!;

/**
 * A receipt of the partner's money: a flow that pays no bill and belongs to nobody's prepaid balance (E28). A channel that needs a
 * second person leaves it waiting, and the sheet is settled when it is confirmed.
 */
async function receive(act: Act, sheet: Sheet, receipt: Settling): Promise<Settled> {
  const { villageId, partyId } = sheet;
  const { amount, payerName, channelTradeNo, remark, fileIds } = receipt;
  const by = { channel: receipt.channel!, merchantAccountId: receipt.merchantAccountId! };
  const account = await accountFor(act, { villageId, ...by });
  const { confirmChannels } = (await settingsOf(act, [villageId]))(villageId);
  const waits = (confirmChannels as readonly string[]).includes(by.channel);
  const paidAt = receipt.paidAt ?? act.now.toISOString();
  const flow = {
    direction: "in" as const,
    kind: "thirdParty" as const,
    villageId,
    partyId,
    roomId: null,
    ...by,
    amount,
    fee: channelFee(amount, account.feeRate, account.feeCap),
    paidAt,
    paidOn: paidOnOf(act, paidAt),
  };
  const made = await insertFlow(act, {
    ...flow,
    payerName: payerName || sheet.partnerName,
    channelTradeNo: channelTradeNo || null,
    remark,
    fileIds,
    ...(waits
      ? { state: "pending", wanted: { incomeId: sheet.id } }
      : { state: "confirmed", allocated: amount }),
  });
  const paidBy = made.flowNo;
  await noteFlow(
    act,
    { ...made, villageId },
    waits ? "录入" : "收款",
    `结算第三方收入 ${sheet.sheetNo} ${yuan(amount)}`,
  );
  if (waits) {
    await noteSheet(act, sheet, "登记收款", `${paidBy} ${yuan(amount)}，待第二人确认后结算`);
    return { settlementId: null, paidBy };
  }
  await post(act, settledEntries({ ...flow, id: made.id }, account));
  const settlementId = await nextSettlement(act);
  await keepSettlement(act, sheet, { settlementId, amount, flowId: made.id, settledOn: flow.paidOn, paidBy });
  return { settlementId, paidBy };
}

/** A part of a line that nobody has claimed (E28 out of 2242). */
async function takeLine(act: Act, sheet: Sheet, { amount, lineId }: Settling): Promise<Settled> {
  const { enterpriseId } = await theRow(act, "village", ["enterpriseId"], { id: sheet.villageId });
  if ((await lineOf(act, lineId!)).enterpriseId !== enterpriseId) throw notFound();
  const settlementId = await nextSettlement(act);
  const by = { type: "thirdParty" as const, id: settlementId };
  const line = await takeFromLine(act, { lineId: lineId!, amount, by });
  const { villageId, partyId } = sheet;
  await post(act, [lineSettledEntry({ id: settlementId, villageId, partyId, amount }, line)]);
  const paidBy = `对公流水 ${line.day} ${line.counterName}`.trim();
  await keepSettlement(act, sheet, {
    settlementId,
    amount,
    bankLineId: lineId!,
    settledOn: line.day,
    paidBy,
  });
  return { settlementId, paidBy };
}

/** Without a settlement the receipt waits for a second person. */
type Settled = { settlementId: number | null; paidBy: string };

/** Money of the partner for one sheet, never more than is owed of it, less what waits to be confirmed. */
export async function settleSheet(act: Act, id: number, typed: Settling): Promise<Settled> {
  const sheet = await lockSheet(act, id, typed.version);
  const why = SHEET_MOVES.refusal("settle", sheet);
  if (why) throw new Refusal("notAllowed", why);
  const { waiting } = await waitingOf(act, sheet);
  if (typed.amount > sheet.share - sheet.settled - waiting)
    throw invalid({
      field: "amount",
      msg: `结算金额超过未结算金额${waiting ? `，其中 ${yuan(waiting)} 已登记待确认` : ""}`,
    });
  return typed.by === "line" ? takeLine(act, sheet, typed) : receive(act, sheet, typed);
}

const incomeOf = ({ wanted }: Pick<Flow, "wanted">): number => (wanted as { incomeId: number }).incomeId;

/** What keeps a waiting receipt from settling its sheet. */
function refuseOver(sheet: Sheet, { amount }: Pick<Flow, "amount">): void {
  const why =
    SHEET_MOVES.refusal("settle", sheet) ??
    (amount > sheet.share - sheet.settled ? "结算金额超过未结算金额" : undefined);
  if (why) throw new Refusal("notAllowed", `${sheet.sheetNo} ${why}，请驳回该流水后重新登记`);
}

/** The second person says the money is there. */
async function confirmWaiting(act: Act, flowId: number): Promise<Flow> {
  const sheet = await lockSheet(act, incomeOf(await readFlow(act, flowId)));
  const flow = await lockFlow(act, flowId);
  if (flow.status !== "pending") throw new Refusal("alreadyConfirmed", "流水已确认");
  refuseOver(sheet, flow);
  const { amount, paidOn: settledOn, flowNo: paidBy } = flow;
  await markConfirmed(act, flowId, amount);
  await post(act, settledEntries(flow, flow));
  const settlementId = await nextSettlement(act);
  await keepSettlement(act, sheet, { settlementId, amount, flowId, settledOn, paidBy });
  return flow;
}

type Standing = { id: number; incomeId: number; amount: Fen; flowId: number | null };

async function standing(
  act: Act,
  of: { id: number; incomeId: number } | { flowId: number },
): Promise<Standing | undefined> {
  return act.tx
    .selectFrom("thirdPartySettlement")
    .select(["id", "incomeId", "amount", "flowId"])
    .where((eb) => eb.and(of))
    .where("undoneAt", "is", null)
    .forUpdate()
    .executeTakeFirst();
}

/** The share is owed again. */
async function endSettlement(
  act: Act,
  sheet: Sheet,
  { id, amount }: Standing,
  paidBy: string,
  reason: string,
) {
  await act.tx
    .updateTable("thirdPartySettlement")
    .set({ undoneAt: act.now.toISOString(), undoneBy: act.who.operatorId || null, undoReason: reason })
    .where("id", "=", id)
    .execute();
  const settled = sheet.settled - amount;
  await moveSheet(act, sheet, settledState(sheet.share, settled), { settled });
  await noteSheet(act, sheet, "撤销结算", `${paidBy} ${yuan(amount)}：${reason}`);
}

const settledBy = (act: Act, flowId: number) => theRow(act, "thirdPartySettlement", ["incomeId"], { flowId });

ownsFlows("thirdParty", {
  lock: async (act, flowId) => void (await lockSheet(act, (await settledBy(act, flowId)).incomeId)),
  reversed: async (act, flowId, reason) => {
    const sheet = await lockSheet(act, (await settledBy(act, flowId)).incomeId);
    const { flowNo } = await readFlow(act, flowId);
    await endSettlement(act, sheet, (await standing(act, { flowId }))!, flowNo, reason);
  },
  waiting: {
    check: async (read, flow) => refuseOver(await sheetOf(read, incomeOf(flow)), flow),
    confirm: confirmWaiting,
  },
});

/**
 * The money of a settlement is free again, by the mirror of its entry dated today. A receipt is reversed like other flows: by who may
 * reverse flows, after approval where a process asks for it (its number then), and not while it is handed over. A line has its money back
 * as from any use.
 */
export async function undoSettlement(
  act: Act,
  { id, settlementId }: { id: number; settlementId: number },
  { version, reason }: { version: number; reason: string },
): Promise<string | null> {
  const sheet = await lockSheet(act, id, version);
  const settlement = await standing(act, { id: settlementId, incomeId: id });
  if (!settlement) {
    if (!(await aRow(act, "thirdPartySettlement", ["id"], { id: settlementId, incomeId: id })))
      throw notFound();
    throw new Refusal("notAllowed", "该结算已撤销");
  }
  if (settlement.flowId !== null) {
    if (!act.who.permits.has("#10202")) throw forbidden();
    return proposeReversal(act, await readFlow(act, settlement.flowId), reason);
  }
  await giveBackToLine(act, { type: "thirdParty", id: settlementId });
  const source = { sourceType: "thirdPartySettlement" as const, sourceId: settlementId };
  const [posted] = await entriesOf(act, {
    sourceType: source.sourceType,
    sourceIds: [settlementId],
    events: ["E28"],
  });
  await post(act, [
    mirrorOf(posted!, { ...source, event: "E28", seq: 1, businessDate: act.today, memo: reason }),
  ]);
  await endSettlement(act, sheet, settlement, "对公流水", reason);
  return null;
}
