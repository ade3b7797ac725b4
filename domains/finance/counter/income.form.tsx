import { useState } from "react";
import { FormFields } from "../../../platform/console/form/form.tsx";
import { RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { Money } from "../../../platform/console/parts/kinds.tsx";
import { useToday } from "../../../platform/console/session/operator.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { AccountSelect } from "../account/account.form.tsx";
import { COUNTER_CHANNEL } from "../account/channel.rules.ts";
import { RoomSelect } from "../bill-list/room.panel.tsx";
import { taxOf } from "../bill/bill.rules.ts";
import { spanOf } from "../flow/flow.rules.ts";
import { BookedOn, channelInput, PaidAtInput, PapersInput } from "../flow-list/payment.form.tsx";
import { incomeFlow } from "../flow/receive.contract.ts";
import { PayerSelect } from "../payer/payer.panel.tsx";
import { subjectsOf } from "../subject/subject.panel.tsx";
import { Booking, Done, okText, useBooking, useSubject } from "./booking.panel.tsx";

type Made = Reply<typeof incomeFlow>;
const INCOME = subjectsOf("income");

/** 收入: money for something that was never billed. */
export function IncomeForm() {
  const [made, setMade] = useState<Made>();
  if (made)
    return (
      <Done
        title={
          made.state === "pending" ? "已登记，待另一人确认到账" : `已登记收入 ${yuan(made.preview.amount)} 元`
        }
        flowId={made.id}
        billId={made.billId}
        again={() => setMade(undefined)}
      >
        流水 {made.flowNo}，账单 {made.billNo}
      </Done>
    );
  return <Form onDone={setMade} />;
}

function Form({ onDone }: { onDone: (made: Made) => void }) {
  const today = useToday();
  const { form, v, amount, run } = useBooking(incomeFlow, { periodStart: today, periodEnd: today }, onDone);
  const subject = useSubject("income", v.feeSubjectId);
  const span = v.periodStart && v.periodEnd ? spanOf(v.periodStart, v.periodEnd) : "";
  return (
    <Booking
      form={form}
      run={run}
      ok={okText("登记收入", amount)}
      steps={[
        {
          title: "账单",
          fen: amount > 0 && <Money fen={amount} />,
          text: subject
            ? `${subject.name} ${span}，立即出账，${subject.taxWord}，其中税额 ${yuan(taxOf(amount, subject))}`
            : "选择费用科目后生成一笔账单",
        },
        {
          title: "收款",
          fen: amount > 0 && <Money fen={amount} />,
          text: v.channel ? `${COUNTER_CHANNEL[v.channel][0]}，付清这笔账单` : "选择渠道和账户",
        },
      ]}
      notes={[!v.partyId && `没有选择客户，记在${v.payerName ? `“${v.payerName}”` : "“散客”"}名下`]}
    >
      <FormFields
        form={form}
        cols={2}
        label={84}
        fields={[
          { section: "收入" },
          { key: "villageId", input: (p) => <VillageSelect {...p} /> },
          {
            key: "feeSubjectId",
            input: (p) => <RecordSelect {...p} source={INCOME} placeholder="请选择费用科目" />,
          },
          "periodStart",
          "periodEnd",
          {
            key: "partyId",
            input: (p, { villageId }) => <PayerSelect {...p} villageId={villageId} standing />,
          },
          { key: "roomId", input: (p, { villageId }) => <RoomSelect {...p} villageId={villageId} /> },
          { section: "款项" },
          "amount",
          { key: "paidAt", input: (p) => <PaidAtInput {...p} />, help: (now) => <BookedOn {...now} /> },
          { key: "channel", wide: true, input: channelInput },
          {
            key: "merchantAccountId",
            input: (p, now) => <AccountSelect {...p} villageId={now.villageId} channel={now.channel} />,
          },
          "channelTradeNo",
          "payerName",
          { key: "fileIds", title: "附件", input: (p) => <PapersInput {...p} /> },
          { key: "remark", wide: true },
        ]}
      />
    </Booking>
  );
}
