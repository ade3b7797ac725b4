import { addDays, daysBetween, lastOf } from "../../../platform/kernel/day.ts";
import { type Fen, yuan } from "../../../platform/kernel/fen.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { nextIds } from "../../../platform/server/database/next-ids.ts";
import { accountFor } from "../account/account.service.ts";
import { giveBackToLine, lineOf, linesFor, takeFromLine } from "../corporate/line.service.ts";
import { markReversed } from "../flow/allocate.service.ts";
import { channelFee } from "../flow/flow.rules.ts";
import { insertFlow, lockFlow, noteFlow, paidOnOf } from "../flow/flow.service.ts";
import { entriesOf, mirrorOf, post } from "../journal/journal.service.ts";
import type { Settling } from "./income.contract.ts";
import { lockSheet, moveSheet, noteSheet, type Sheet, sheetOf } from "./income.service.ts";
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

/** A receipt of the partner's money: a flow that pays no bill and belongs to nobody's prepaid balance (E28). */
async function receive(act: Act, sheet: Sheet, { amount }: Part, receipt: Settling): Promise<By> {
  const { villageId, partyId } = sheet;
  const { payerName, channelTradeNo, remark, fileIds } = receipt;
  const by = { channel: receipt.channel!, merchantAccountId: receipt.merchantAccountId! };
  const account = await accountFor(act, { villageId, ...by });
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
    state: "confirmed",
    allocated: amount,
  });
  await post(act, settledEntries({ ...flow, id: made.id }, account));
  await noteFlow(act, { ...made, villageId }, "收款", `结算第三方收入 ${sheet.sheetNo} ${yuan(amount)}`);
  return { flowId: made.id, settledOn: flow.paidOn, paidBy: made.flowNo };
}

/** A part of a line that nobody has claimed (E28 out of 2242). */
async function takeLine(act: Act, sheet: Sheet, { settlementId, amount }: Part, lineId: number): Promise<By> {
  const { enterpriseId } = await theRow(act, "village", ["enterpriseId"], { id: sheet.villageId });
  if ((await lineOf(act, lineId)).enterpriseId !== enterpriseId) throw notFound();
  const line = await takeFromLine(act, { lineId, amount, by: { type: "thirdParty", id: settlementId } });
  const { villageId, partyId } = sheet;
  await post(act, [lineSettledEntry({ id: settlementId, villageId, partyId, amount }, line)]);
  return {
    bankLineId: lineId,
    settledOn: line.day,
    paidBy: `对公流水 ${line.day} ${line.counterName}`.trim(),
  };
}

/** Money of the partner for one sheet, never more than is owed of it. */
export async function settleSheet(
  act: Act,
  id: number,
  typed: Settling,
): Promise<{ settlementId: number; paidBy: string }> {
  const { version, amount } = typed;
  const sheet = await lockSheet(act, id, version);
  const why = SHEET_MOVES.refusal("settle", sheet);
  if (why) throw new Refusal("notAllowed", why);
  if (amount > sheet.share - sheet.settled) throw invalid({ field: "amount", msg: "结算金额超过未结算金额" });
  const [settlementId] = await nextIds(act, "third_party_settlement", 1);
  const part = { settlementId: settlementId!, amount };
  const { paidBy, ...by } =
    typed.by === "line"
      ? await takeLine(act, sheet, part, typed.lineId!)
      : await receive(act, sheet, part, typed);
  await act.tx
    .insertInto("thirdPartySettlement")
    .values({
      id: settlementId!,
      incomeId: id,
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
  return { settlementId: settlementId!, paidBy };
}

type Undone = { settlementId: number; flowId: number | null; sheetNo: string; reason: string };

/** The money of a settlement is free again, by the mirror of its entry dated today. The channel's fee stays a cost. */
async function giveBack(act: Act, { settlementId, flowId, sheetNo, reason }: Undone): Promise<string> {
  const flow = flowId === null ? undefined : await lockFlow(act, flowId);
  const source = flow
    ? ({ sourceType: "flow", sourceId: flow.id } as const)
    : ({ sourceType: "thirdPartySettlement", sourceId: settlementId } as const);
  if (!flow) await giveBackToLine(act, { type: "thirdParty", id: settlementId });
  const [posted] = await entriesOf(act, {
    sourceType: source.sourceType,
    sourceIds: [source.sourceId],
    events: ["E28"],
  });
  await post(act, [
    mirrorOf(posted!, { ...source, event: "E28", seq: 1, businessDate: act.today, memo: reason }),
  ]);
  if (!flow) return "对公流水";
  await markReversed(act, flow.id, reason);
  await noteFlow(act, flow, "冲销", `撤销第三方收入结算 ${sheetNo}：${reason}`);
  return flow.flowNo;
}

export async function undoSettlement(
  act: Act,
  { id, settlementId }: { id: number; settlementId: number },
  { version, reason }: { version: number; reason: string },
): Promise<void> {
  const sheet = await lockSheet(act, id, version);
  const settlement = await act.tx
    .selectFrom("thirdPartySettlement")
    .select(["flowId", "amount", "undoneAt"])
    .where("id", "=", settlementId)
    .where("incomeId", "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!settlement) throw notFound();
  if (settlement.undoneAt) throw new Refusal("notAllowed", "该结算已撤销");
  const { flowId, amount } = settlement;
  const paidBy = await giveBack(act, { settlementId, flowId, sheetNo: sheet.sheetNo, reason });
  await act.tx
    .updateTable("thirdPartySettlement")
    .set({ undoneAt: act.now.toISOString(), undoneBy: act.who.operatorId || null, undoReason: reason })
    .where("id", "=", settlementId)
    .execute();
  const settled = sheet.settled - amount;
  await moveSheet(act, sheet, settledState(sheet.share, settled), { settled });
  await noteSheet(act, sheet, "撤销结算", `${paidBy} ${yuan(amount)}：${reason}`);
}
