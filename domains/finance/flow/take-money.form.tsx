import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import { freshKey, useRefresh } from "../../../platform/console/act.ts";
import { Button } from "../../../platform/console/button.tsx";
import { confirm } from "../../../platform/console/dialog.tsx";
import { Failure, sentence } from "../../../platform/console/failure.ts";
import { send } from "../../../platform/console/request.ts";
import { useUnsaved } from "../../../platform/console/page.ts";
import type { FileRef } from "../../../platform/console/upload.tsx";
import { keyOf } from "../allocation/plan.rules.ts";
import type { CounterChannel } from "./flow.rules.ts";
import { OpenLines } from "./open-lines.panel.tsx";
import { PaymentFields, type PaymentTyped } from "./payment-fields.panel.tsx";
import { TakePlan } from "./take-plan.panel.tsx";
import { previewFlow, receiveFlow, type openOfParty } from "./receive.contract.ts";

type Village = Reply<typeof openOfParty>["villages"][number];
type Ask = Sent<typeof previewFlow>["body"];

type Props = {
  partyId: number;
  village: Village;
  billId: number | undefined;
  paidAt: string;
  onPaidAt: (at: string) => void;
  onDone: (booked: Reply<typeof receiveFlow>) => void;
};

/** The lines that are paid, the money, and beside it what exactly will happen; confirmed by the preview's hash. */
export function TakeMoney({ partyId, village, billId, paidAt, onPaidAt, onDone }: Props) {
  const refresh = useRefresh();
  const { lines } = village;
  const [chosen, setChosen] = useState(
    () => new Set(lines.filter((l) => (billId ? l.billId === billId : l.issued)).map(keyOf)),
  );
  const [typedAmount, setAmount] = useState<number>();
  const [pays, setPays] = useState<Record<string, number>>({});
  const [usePrepaid, setUsePrepaid] = useState(false);
  const [payment, setPayment] = useState<PaymentTyped>({});
  const [files, setFiles] = useState<FileRef[]>([]);
  const [alert, setAlert] = useState<string>();
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [key, setKey] = useState(freshKey);
  const [busy, setBusy] = useState(false);
  useUnsaved(typedAmount !== undefined || payment.merchantAccountId !== undefined);

  const wanted = lines.filter((l) => chosen.has(keyOf(l)));
  const owed = wanted.reduce((sum, l) => sum + l.owed, 0);
  const amount = typedAmount ?? Math.max(0, owed - (usePrepaid ? village.prepaid : 0));
  const asking: Ask = {
    villageId: village.villageId,
    partyId,
    amount: Number.isNaN(amount) ? 0 : amount,
    paidAt,
    usePrepaid,
    wants: wanted.map((l) => {
      const pay = pays[keyOf(l)];
      return { billId: l.billId, lineId: l.lineId, ...(pay ? { amount: pay } : {}) };
    }),
    ...(payment.channel && { channel: payment.channel as CounterChannel }),
    ...(payment.merchantAccountId && { merchantAccountId: payment.merchantAccountId }),
  };
  const body = useDeferredValue(JSON.stringify(asking));
  const preview = useQuery({
    queryKey: [previewFlow.path, body],
    queryFn: ({ signal }) => send(previewFlow, { body: JSON.parse(body) as Ask }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const wrong = preview.error instanceof Failure ? preview.error.message : undefined;
  const plan = wrong ? undefined : preview.data;

  const save = async () => {
    setAlert(undefined);
    setErrors({});
    const missing: Record<string, string> = {};
    if (amount > 0 && !payment.channel) missing["channel"] = "请选择渠道";
    if (amount > 0 && !payment.merchantAccountId) missing["merchantAccountId"] = "请选择账户";
    if (!(amount > 0) && !usePrepaid) missing["amount"] = "金额必须大于0";
    if (Object.keys(missing).length) return setErrors(missing);
    if (!plan) return setAlert(wrong ?? "正在试算，请稍候");
    if (plan.toPrepaid > 0 && wanted.length > 0) {
      const yes = await confirm({
        title: "收款",
        body: "收款金额大于应收，请确认转入预存款",
        ok: "确认收款",
      });
      if (!yes) return;
    }
    setBusy(true);
    try {
      const { payerName = "", channelTradeNo = "", remark = "" } = payment;
      const full = {
        ...asking,
        payerName,
        channelTradeNo,
        remark,
        fileIds: files.map((f) => f.id),
        previewHash: plan.hash,
      };
      const booked = await send(receiveFlow, { body: full }, { idempotencyKey: key });
      onDone(booked);
      await refresh();
    } catch (error) {
      setKey(freshKey());
      if (error instanceof Failure && error.fields.length)
        setErrors(Object.fromEntries(error.fields.map((f) => [f.field, f.msg])));
      setAlert(sentence(error));
      if (error instanceof Failure && error.code === "previewChanged") await refresh();
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="counter__cols">
      <section className="card counter__card">
        <OpenLines
          lines={lines}
          chosen={chosen}
          onChoose={(next) => {
            setChosen(next);
            setAmount(undefined);
            setPays({});
          }}
        />
        <PaymentFields
          villageId={village.villageId}
          amount={amount}
          onAmount={(next) => {
            setAmount(next);
            setPays({});
          }}
          paidAt={paidAt}
          onPaidAt={onPaidAt}
          typed={payment}
          onTyped={setPayment}
          files={files}
          onFiles={setFiles}
          errors={errors}
        />
      </section>
      <TakePlan
        plan={plan}
        wrong={alert ?? wrong}
        prepaid={village.prepaid}
        usePrepaid={usePrepaid}
        onUsePrepaid={setUsePrepaid}
        pays={pays}
        onPay={(at, pay) => setPays({ ...pays, [at]: pay })}
        foot={
          <Button look="main" busy={busy} why={wrong} run={save}>
            确认收款
          </Button>
        }
      />
    </div>
  );
}
