import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { bookingDay } from "../journal/journal.service.ts";
import { type Preview, bookIncome, previewReceipt, receive } from "./receive.service.ts";
import { noteFlow } from "./flow.service.ts";
import { checkPayer, noteParty } from "../payer/payer.service.ts";
import { incomeFlow, postingDay, previewFlow, receiveFlow } from "./receive.contract.ts";

const timed = <B extends { paidAt?: string | undefined }>(read: Read, body: B) => ({
  ...body,
  paidAt: body.paidAt ?? read.now.toISOString(),
});

/** What a receipt did, in one sentence. */
function told({ amount, paid, prepaidUsed, toPrepaid }: Preview): string {
  const parts = [
    amount > 0 && `收款 ${yuan(amount)}`,
    paid > 0 && `分配 ${yuan(paid)}`,
    prepaidUsed > 0 && `使用预存款 ${yuan(prepaidUsed)}`,
    toPrepaid > 0 && `转入预存款 ${yuan(toPrepaid)}`,
  ];
  return parts.filter(Boolean).join("，");
}

async function noteReceipt(
  act: Act,
  made: { id: number | null; flowNo: string; state: string; preview: Preview },
  of: { villageId: number; partyId: number },
): Promise<void> {
  const action = made.state === "pending" ? "录入" : made.id === null ? "使用预存款" : "收款";
  const { id, flowNo, preview } = made;
  if (id !== null) await noteFlow(act, { id, flowNo, villageId: of.villageId }, action, told(preview));
  await noteParty(act, of, action, [flowNo, told(preview)].filter(Boolean).join(" "));
}

export default [
  serveRead(previewFlow, async (read, { body }) => {
    inScope(read.who, body.villageId);
    await checkPayer(read, body.villageId, body.partyId, body.roomId);
    return previewReceipt(read, timed(read, body));
  }),

  serve(receiveFlow, async (act, { body }) => {
    inScope(act.who, body.villageId);
    await checkPayer(act, body.villageId, body.partyId, body.roomId);
    const { previewHash, exact, ...receipt } = body;
    const made = await receive(act, timed(act, receipt), previewHash);
    if (exact && made.preview.toPrepaid > 0)
      throw new Refusal("aboveOwed", "收款金额大于应收，请确认转入预存款", 409, { data: made.preview });
    await noteReceipt(act, made, body);
    return made;
  }),

  serve(incomeFlow, async (act, { body }) => {
    inScope(act.who, body.villageId);
    await checkPayer(act, body.villageId, body.partyId, body.roomId);
    const made = await bookIncome(act, timed(act, body));
    const flow = { id: made.id!, flowNo: made.flowNo, villageId: body.villageId };
    await noteFlow(act, flow, "登记收入", `登记收入 ${yuan(body.amount)}，账单 ${made.billNo}`);
    return made;
  }),

  serveRead(postingDay, async (read, { query }) => {
    const villageIds = [inScope(read.who, query.villageId)];
    const event = query.direction === "in" ? "E06" : "E26";
    return { day: await bookingDay(read, { event, businessDate: query.day, villageIds }) };
  }),
];
