import { sql } from "kysely";
import { type Day, dayInZone, daysBetween } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { noteParty } from "../payer/payer.service.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import type { Channel, CounterChannel, Purse } from "../account/channel.rules.ts";
import { lockDeposits, lockPrepaid } from "../balance/balance.service.ts";
import type { FlowKind, FlowState } from "./flow.rules.ts";

export { flowDetailOf } from "./flow.queries.ts";

constraintSays("flow_told", { code: "notAllowed", msg: "该渠道流水已补录，请刷新后查看" });
constraintSays("flow_channel_trade", { field: "channelTradeNo", msg: "该渠道流水号已存在" });

/** Days back to which a payment can be booked by hand. */
const OLDEST_DAYS = 365;

/** The business day of a payment; refused in the future and a year back. */
export function paidOnOf(read: Read, paidAt: string): Day {
  const at = new Date(paidAt);
  if (at > read.now) throw invalid({ field: "paidAt", msg: "支付时间不能晚于当前时间" });
  const day = dayInZone(at, read.settings.TIME_ZONE);
  if (daysBetween(day, read.today) > OLDEST_DAYS)
    throw invalid({ field: "paidAt", msg: "支付时间不能早于一年前" });
  return day;
}

export type NewFlow = {
  direction: "in" | "out";
  kind: FlowKind;
  villageId: number;
  partyId: number | null;
  roomId: number | null;
  channel: Channel;
  merchantAccountId: number;
  amount: Fen;
  fee: Fen;
  paidAt: string;
  paidOn: Day;
  payerName?: string;
  payerAccount?: string;
  channelTradeNo?: string | null;
  /** Our number at the channel; without one that of the flow. */
  outTradeNo?: string;
  remark?: string;
  fileIds?: readonly number[];
  state: "pending" | "confirmed";
  /** What is used as soon as it comes: all of a third party's money is its settlement's. */
  allocated?: Fen;
  /** What a pending flow is to pay once it is confirmed. */
  wanted?: object;
  /** The line of a statement that told of it. */
  toldLineId?: number | undefined;
};

/** Writes one flow; posting it is the caller's. */
export async function insertFlow(act: Act, flow: NewFlow): Promise<{ id: number; flowNo: string }> {
  const [flowNo] = await act.numbers("LS");
  const { fileIds = [], wanted, channelTradeNo, toldLineId = null, ...row } = flow;
  if (channelTradeNo) await checkTradeNo(act, flow, channelTradeNo);
  const by = act.who.operatorId || null;
  const now = act.now.toISOString();
  const made = await act.tx
    .insertInto("flow")
    .values({
      outTradeNo: flowNo!,
      ...row,
      flowNo: flowNo!,
      channelTradeNo: channelTradeNo || null,
      toldLineId,
      wanted: wanted ? JSON.stringify(wanted) : null,
      ...(flow.state === "confirmed" && { confirmedAt: now, confirmedBy: by }),
      createdAt: now,
      createdBy: by,
      updatedAt: now,
      updatedBy: by,
    })
    .returning(["id", "flowNo"])
    .executeTakeFirstOrThrow();
  await attachFiles(act, fileIds, {
    targetKind: "flow",
    targetId: made.id,
    villageId: flow.villageId,
    needs: "102.get",
  });
  return made;
}

/** A number is one payment of an enterprise: what another one wrote down stands in nobody's way. */
async function checkTradeNo(
  act: Act,
  { channel, villageId }: Pick<NewFlow, "channel" | "villageId">,
  channelTradeNo: string,
): Promise<void> {
  const { enterpriseId } = await theRow(act, "village", ["enterpriseId"], { id: villageId });
  const known = await act.tx
    .selectFrom("flow")
    .select("flowNo")
    .where("enterpriseId", "=", enterpriseId)
    .where("channel", "=", channel)
    .where("channelTradeNo", "=", channelTradeNo)
    .where("state", "not in", ["reversed", "rejected"])
    .executeTakeFirst();
  if (known) throw invalid({ field: "channelTradeNo", msg: `该渠道流水号已存在：${known.flowNo}` });
}

export const noteFlow = (
  act: Act,
  flow: { id: number; flowNo: string; villageId: number },
  action: string,
  summary: string,
) =>
  act.note({
    kind: "flow",
    recordId: flow.id,
    number: flow.flowNo,
    villageId: flow.villageId,
    action,
    summary,
  });

/** The same with the account that it went through, and on its customer's log too; `reason` is what a person gave. */
export async function noteMoney(
  act: Act,
  flow: Pick<Flow, "id" | "flowNo" | "villageId" | "partyId" | "merchantAccountId">,
  action: string,
  what: string,
  reason?: string,
): Promise<void> {
  const { name } = await theRow(act, "merchantAccount", ["name"], { id: flow.merchantAccountId });
  const said = `${what}，${name}${reason ? `：${reason}` : ""}`;
  await noteFlow(act, flow, action, said);
  const { villageId, partyId } = flow;
  if (partyId !== null) await noteParty(act, { villageId, partyId }, action, `${flow.flowNo} ${said}`);
}

/** A flow as acts work with it, with the account its money stands in. */
export type Flow = Purse & {
  id: number;
  flowNo: string;
  direction: "in" | "out";
  flowKind: FlowKind;
  villageId: number;
  partyId: number | null;
  channel: Channel;
  merchantAccountId: number;
  amount: Fen;
  fee: Fen;
  paidAt: string;
  paidOn: Day;
  allocated: Fen;
  refunded: Fen;
  unallocated: Fen;
  status: FlowState;
  wanted: unknown;
  submissionState: string | null;
  createdBy: number | null;
  version: number;
};
export const counterChannelOf = (flow: Pick<Flow, "channel">) => flow.channel as CounterChannel;

export async function readFlow(read: Pick<Read, "tx">, id: number, lock = false): Promise<Flow> {
  const { rows } = await sql<Flow>`
    select f.id, f.flow_no "flowNo", f.direction, f.kind "flowKind", f.village_id "villageId", f.party_id "partyId",
      f.channel, f.merchant_account_id "merchantAccountId", f.amount, f.fee, f.paid_at "paidAt", f.paid_on "paidOn",
      f.allocated, f.refunded, f.unallocated, f.state status, f.wanted,
      (select s.state from submission s where s.id = f.submission_id) "submissionState", f.created_by "createdBy", f.version,
      a.kind, a.holder_village_id "holderVillageId"
    from flow f join merchant_account a on a.id = f.merchant_account_id
    where f.id = ${id} ${lock ? sql`for update of f` : sql``}`.execute(read.tx);
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** Locks a flow after its party's balance and the deposits of some contracts, the order of every act on money. */
export async function lockFlow(act: Act, id: number, contractIds: readonly number[] = []): Promise<Flow> {
  const seen = await readFlow(act, id);
  if (seen.partyId !== null && seen.direction === "in") await lockPrepaid(act, seen.villageId, seen.partyId);
  await lockDeposits(act, contractIds);
  return readFlow(act, id, true);
}
