import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { freshKey, useRefresh } from "../../../platform/console/calls/mutation.ts";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import { FormFields, useForm } from "../../../platform/console/form/form.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { RecordSelect } from "../../../platform/console/inputs/selects.tsx";
import { AccountSelect } from "../account/account.form.tsx";
import { Booking } from "./booking.panel.tsx";
import { payables, payFlow } from "./cost.contract.ts";
import { COUNTER_CHANNEL, type CounterChannel } from "./flow.rules.ts";
import { payableSource } from "./patch.form.tsx";
import { BookedOn, ChannelInput, PaidAtInput, PapersInput } from "./payment.form.tsx";

export type Paid = Reply<typeof payFlow>;

/** Pays (part of) a cost that was booked before. */
export function PayForm({ billId, onDone }: { billId: number | undefined; onDone: (paid: Paid) => void }) {
  const refresh = useRefresh();
  const form = useForm<Body<typeof payFlow>>(payFlow.body!, billId ? { billId } : {});
  const [key] = useState(freshKey);
  const { values: v } = form;
  const chosen = useQuery({
    ...ask(payables, { query: { ids: String(v.billId) } }),
    enabled: v.billId !== undefined,
  });
  const bill = v.billId === undefined ? undefined : chosen.data?.[0];
  const amount = Number.isSafeInteger(v.amount) ? v.amount! : 0;
  const owed = bill?.outstanding;
  useEffect(() => {
    if (owed !== undefined) form.set("amount", owed);
    // a bill that is chosen brings its amount; typing it over must last
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [v.billId, owed]);
  const run = async () => {
    let paid: Paid | undefined;
    await form.submit(async (body) => {
      paid = await send(payFlow, { body }, { idempotencyKey: key });
    });
    if (!paid) return;
    onDone(paid);
    await refresh();
  };
  return (
    <Booking
      form={form}
      run={run}
      ok={
        <>
          付款<span className="till__sum">{yuan(amount)}</span>
        </>
      }
      steps={[
        {
          title: "应付账单",
          fen: bill && <Money fen={bill.outstanding} />,
          text: bill ? `${bill.payeeName} ${bill.title}，${bill.dueDate} 到期` : "选择已登记的应付账单",
        },
        {
          title: "付款",
          fen: amount > 0 && <Money fen={-amount} />,
          text: v.channel
            ? `${COUNTER_CHANNEL[v.channel][0]}，付款后未付 ${yuan(Math.max(0, (bill?.outstanding ?? 0) - amount))}`
            : "选择渠道和账户",
        },
      ]}
    >
      <FormFields
        form={form}
        cols={2}
        label={84}
        fields={[
          { section: "应付" },
          {
            key: "billId",
            wide: true,
            input: (p) => (
              <RecordSelect {...p} source={payableSource(undefined)} placeholder="收款人、费用或账单号" />
            ),
          },
          "amount",
          {
            key: "paidAt",
            input: (p) => <PaidAtInput {...p} />,
            help: (now) => <BookedOn {...now} villageId={bill?.villageId} direction="out" />,
          },
          { section: "款项" },
          {
            key: "channel",
            wide: true,
            input: (p) => <ChannelInput {...p} value={p.value as CounterChannel | undefined} />,
          },
          {
            key: "merchantAccountId",
            input: (p, now) => (
              <AccountSelect {...p} villageId={bill?.villageId} channel={now.channel} direction="out" />
            ),
          },
          "channelTradeNo",
          { key: "fileIds", wide: true, input: (p) => <PapersInput {...p} /> },
          { key: "remark", wide: true },
        ]}
      />
    </Booking>
  );
}
