import { useQuery } from "@tanstack/react-query";
import { AutoComplete } from "antd";
import { useEffect } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import type { Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { FormFields } from "../../../platform/console/form/form.tsx";
import { ChoiceInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { useAddress, useOutcome } from "../../../platform/console/screens/page.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { AccountSelect } from "../account/account.form.tsx";
import { COUNTER_CHANNEL } from "../account/channel.rules.ts";
import { costFlow, payFlow, payables } from "../flow/flow.contract.ts";
import { spanOf } from "../flow/flow.rules.ts";
import {
  BookedOn,
  channelInput,
  PaidAtInput,
  PapersInput,
  payableSource,
} from "../flow-list/payment.form.tsx";
import { payers } from "../payer/payer.contract.ts";
import { subjectsOf } from "../subject/subject.panel.tsx";
import { Booking, Done, okText, useBooking, useSubject } from "./booking.panel.tsx";

type Made = Reply<typeof costFlow>;
type Typed = Body<typeof costFlow>;
const COSTS = subjectsOf("cost");
const PAID = { true: ["已付", "green"], false: ["未付", "gold"] } as const;
const MODES = { new: ["登记新支出", "grey"], pay: ["支付已登记的应付", "grey"] } as const;

/** 支出: a cost that is owed from now on, paid at once or later. */
export function CostForm() {
  const [address, set] = useAddress();
  const [made, setMade] = useOutcome<Made | Paid>(["billId", "pay"]);
  const billId = Number(address.get("billId")) || undefined;
  const mode = billId || address.get("pay") ? "pay" : "new";
  if (made)
    return (
      <Done
        title={made.id ? "已登记付款" : "已登记应付账单"}
        flowId={made.id}
        billId={made.billId}
        again={() => setMade(undefined)}
      >
        {made.flowNo && `流水 ${made.flowNo}，`}账单 {made.billNo}
        {made.waiting && `，已提交审批 ${made.waiting}，通过后${made.id ? "付款" : "入账"}`}
      </Done>
    );
  return (
    <>
      <div className="counter__mode">
        <ChoiceInput
          value={mode}
          words={MODES}
          onChange={(next) => set({ pay: next === "pay", billId: undefined })}
        />
      </div>
      {mode === "new" ? <Form onDone={setMade} /> : <PayForm key={billId} billId={billId} onDone={setMade} />}
    </>
  );
}

/** A name; known suppliers are offered while it is typed. */
function PayeeInput({ value, onChange, onBlur, id, disabled }: InputProps<string>) {
  const known = useQuery({
    ...ask(payers, { query: { kinds: "supplier", keyword: value?.trim() ?? "" } }),
    placeholderData: (before) => before,
  });
  return (
    <AutoComplete
      id={id ?? ""}
      value={value ?? ""}
      disabled={disabled ?? false}
      placeholder="收款单位或个人"
      options={(known.data ?? []).map((p) => ({ value: p.name }))}
      onChange={(next: string) => onChange(next)}
      {...(onBlur && { onBlur })}
      style={{ width: "100%" }}
    />
  );
}

function Form({ onDone }: { onDone: (made: Made) => void }) {
  const today = useToday();
  const begun = { paid: true, periodStart: today, periodEnd: today, dueDate: today };
  const { form, v, amount, run } = useBooking(costFlow, begun, onDone);
  const subject = useSubject("cost", v.feeSubjectId);
  const span = v.periodStart && v.periodEnd ? spanOf(v.periodStart, v.periodEnd) : "";
  return (
    <Booking
      form={form}
      run={run}
      ok={okText(v.paid ? "登记并付款" : "登记应付", amount)}
      steps={[
        {
          title: "应付账单",
          fen: amount > 0 && <Money fen={amount} />,
          text: subject
            ? `${v.payeeName ?? ""} ${subject.name} ${span}，计入该门店成本`
            : "选择成本科目后生成一笔应付账单",
        },
        v.paid
          ? {
              title: "付款",
              fen: amount > 0 && <Money fen={-amount} />,
              text: v.channel ? `${COUNTER_CHANNEL[v.channel][0]}，付清这笔账单` : "选择渠道和账户",
            }
          : {
              title: "待付",
              text: v.dueDate ? `${v.dueDate} 到期，付款时在账单管理或此处登记` : "选择应付日",
            },
      ]}
    >
      <FormFields form={form} cols={2} label={112} fields={fieldsOf(v)} />
    </Booking>
  );
}

const fieldsOf = (typed: Partial<Typed>): Field<Typed>[] => [
  { section: "支出" },
  { key: "villageId", input: (p) => <VillageSelect {...p} /> },
  { key: "payeeName", input: (p) => <PayeeInput {...p} /> },
  { key: "feeSubjectId", input: (p) => <RecordSelect {...p} source={COSTS} placeholder="请选择成本科目" /> },
  "amount",
  "periodStart",
  "periodEnd",
  { section: "款项" },
  {
    key: "paid",
    wide: true,
    input: (p) => (
      <ChoiceInput
        {...p}
        value={String(p.value)}
        words={PAID}
        onChange={(code) => p.onChange(code === "true")}
      />
    ),
  },
  ...(typed.paid ? PAYMENT : ([{ key: "dueDate", must: true }] as const)),
  { key: "remark", wide: true },
];

const PAYMENT: Field<Typed>[] = [
  { key: "channel", wide: true, must: true, input: channelInput },
  {
    key: "merchantAccountId",
    must: true,
    input: (p, v) => <AccountSelect {...p} villageId={v.villageId} channel={v.channel} direction="out" />,
  },
  { key: "paidAt", input: (p) => <PaidAtInput {...p} />, help: (v) => <BookedOn {...v} direction="out" /> },
  { key: "fileIds", must: true, input: (p) => <PapersInput {...p} /> },
  "channelTradeNo",
];

export type Paid = Reply<typeof payFlow>;

/** Pays (part of) a cost that was booked before. */
export function PayForm({ billId, onDone }: { billId: number | undefined; onDone: (paid: Paid) => void }) {
  const { form, v, amount, run } = useBooking(payFlow, billId ? { billId } : {}, onDone);
  const chosen = useQuery({
    ...ask(payables, { query: { ids: String(v.billId) } }),
    enabled: v.billId !== undefined,
  });
  const bill = v.billId === undefined ? undefined : chosen.data?.[0];
  const owed = bill?.outstanding;
  useEffect(() => {
    if (owed !== undefined) form.set("amount", owed);
    // a bill that is chosen brings its amount; typing it over must last
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [v.billId, owed]);
  return (
    <Booking
      form={form}
      run={run}
      ok={okText("付款", amount)}
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
          { key: "channel", wide: true, input: channelInput },
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
