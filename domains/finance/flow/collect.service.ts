import { yuan } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { whoHolds } from "../../access/operator/scope.service.ts";
import { tell } from "../../system/message/message.service.ts";
import type { Want } from "../allocation/allocation.rules.ts";
import { openLinesOf } from "../allocation/plan.service.ts";
import { BILLS, type Checkout, checkoutOf } from "../checkout/checkout.queries.ts";
import { totalOf } from "../checkout/checkout.rules.ts";
import { type Collected, collects } from "../pay-order/settle.service.ts";
import { channelFee } from "./flow.rules.ts";
import { noteMoney, readFlow } from "./flow.service.ts";
import { type Ground, lockGround, previewOn, purseOf, receive } from "./receive.service.ts";

/**
 * Money that a channel took for bills: it pays them as the code said, as far as they are still owed; what fits nowhere
 * is the party's prepaid money, and finance is told.
 */
async function take(act: Act, id: number, money: Collected) {
  const code = await checkoutOf(act, id);
  const { villageId, partyId } = code;
  const asked = totalOf(code.shares) === money.amount ? code.shares : [];
  const receipt = { ...money, villageId, partyId, wants: asked as readonly Want[], usePrepaid: false };
  const ground = await lockGround(act, receipt);
  const standing = ground.bills.filter((bill) => !bill.voidedAt);
  const wants = await wantsOf(act, asked, { ...ground, bills: standing });
  const now = { ...receipt, wants };
  const account = (await purseOf(act, now))!;
  const fee = channelFee(money.amount, account.feeRate, account.feeCap);
  const paid = standing.filter((bill) => wants.some((w) => w.billId === bill.id));
  const { hash } = await previewOn(act, now, { ...ground, bills: paid }, fee);
  const { id: flowId, flowNo, preview } = await receive(act, now, hash);
  const rest = preview.toPrepaid;
  const said = rest ? `其中 ${yuan(rest)} 元转入预存款` : `支付 ${paid.length} 笔账单`;
  const flow = await readFlow(act, flowId!);
  await noteMoney(act, flow, "收款", `客户扫码支付 ${yuan(money.amount)} 元，${said}`);
  if (rest) await tellKept(act, code, money, { flowId: flowId!, flowNo, rest });
  return { flowId: flowId!, outcome: rest ? ("kept" as const) : ("held" as const) };
}

/** A late fee that was asked for before it stood on a line is paid where it stands now. */
async function wantsOf(
  act: Act,
  asked: Checkout["shares"],
  { bills, around, paidOn }: Ground,
): Promise<Want[]> {
  const late = (await openLinesOf(act, bills, paidOn, around)).filter((l) => l.lateFee && l.lineId !== null);
  const named = new Set(asked.map((s) => s.lineId));
  return asked
    .filter((s) => bills.some((b) => b.id === s.billId))
    .flatMap((share) => {
      const written = late.find((l) => l.billId === share.billId && !named.has(l.lineId));
      if (share.lineId !== null || !written) return [share];
      const amount = Math.min(share.amount, written.owed);
      const rest = share.amount - amount;
      return [{ ...share, lineId: written.lineId, amount }, ...(rest ? [{ ...share, amount: rest }] : [])];
    });
}

async function tellKept(
  act: Act,
  { villageId, partyId, createdBy }: Checkout,
  money: Collected,
  { flowId, flowNo, rest }: { flowId: number; flowNo: string; rest: number },
): Promise<void> {
  const { name } = await act.tx
    .selectFrom("party")
    .select("name")
    .where("id", "=", partyId)
    .executeTakeFirstOrThrow();
  const finance = await whoHolds(act, "#10203", villageId);
  await tell(act, {
    to: [...new Set([...finance, ...(createdBy ? [createdBy] : [])])],
    type: 2,
    title: `扫码收款转入预存款：${name}`,
    content: `${name}扫码支付 ${yuan(money.amount)} 元（收款单 ${money.outTradeNo}），账单已作废、已付或金额有变，${yuan(rest)} 元转入预存款（流水 ${flowNo}）。如需退回，请在退款管理中申请。`,
    bizType: "flow",
    bizId: flowId,
    villageId,
    once: `payOrder.kept.${flowId}`,
  });
}

collects({
  kind: BILLS,
  anyAmount: true,
  lock: async (act, id) => void (await checkoutOf(act, id, true)),
  take,
});
