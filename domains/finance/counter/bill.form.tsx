import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ask } from "../../../platform/console/calls/request.ts";
import { FormFields } from "../../../platform/console/form/form.tsx";
import { Lines } from "../../../platform/console/form/lines.tsx";
import { RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { useToday } from "../../../platform/console/session/operator.ts";
import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { addBill } from "../bill-acts/acts.contract.ts";
import { priced } from "../bill/make.rules.ts";
import { RoomSelect } from "../bill-list/room.panel.tsx";
import { taxOf } from "../bill/bill.rules.ts";
import { Booking, Done, okText, useBooking } from "./booking.panel.tsx";
import { partyContracts } from "../payer/payer.contract.ts";
import { PayerSelect } from "../payer/payer.panel.tsx";
import { subjectOptions } from "../subject/subject.contract.ts";
import { subjectsOf } from "../subject/subject.panel.tsx";
import { CHARGED } from "../subject/subject.rules.ts";

type Made = Reply<typeof addBill>;
type Body = Sent<typeof addBill>["body"];
type Line = Body["lines"][number];

const CHARGEABLE = subjectsOf(...CHARGED);
const contractOption = ((c: Reply<typeof partyContracts>[number]) => ({
  value: c.id,
  label: c.contractNo,
  note: c.rooms,
})) as never;

/** 应收: a one-off bill of up to fifty lines; tax follows each subject. */
export function BillForm() {
  const [made, setMade] = useState<Made>();
  const [round, setRound] = useState(0);
  if (made)
    return (
      <Done
        title="账单已新增"
        billId={made.id}
        again={() => {
          setMade(undefined);
          setRound(round + 1);
        }}
      >
        {made.billNo}
      </Done>
    );
  return <Form key={round} onDone={setMade} />;
}

function Form({ onDone }: { onDone: (made: Made) => void }) {
  const today = useToday();
  const blank: Partial<Line> = { periodStart: today, periodEnd: today, quantity: "1" };
  const { form, run } = useBooking(addBill, { dueDate: today, lines: [blank as Line] }, onDone);
  const subjects = useQuery(ask(subjectOptions, { query: {} }));
  const { villageId, partyId } = form.values;

  /** Sum and tax of the lines that are complete. */
  const sums = (lines: readonly Partial<Line>[]) => {
    let amount = 0;
    let tax = 0;
    for (const { quantity = "1", price, feeSubjectId } of lines) {
      if (!price || !/^\d{1,6}(\.\d{1,2})?$/.test(quantity)) continue;
      const line = priced(quantity, price);
      const subject = subjects.data?.find((s) => s.id === feeSubjectId);
      amount += line;
      tax += subject ? taxOf(line, subject) : 0;
    }
    return { amount, tax };
  };
  const whole = sums(form.values.lines ?? []);
  return (
    <Booking
      form={form}
      run={run}
      ok={okText("新增账单", whole.amount)}
      steps={[
        {
          title: "应收账单",
          fen: whole.amount > 0 && yuan(whole.amount),
          text:
            whole.amount > 0
              ? `${form.values.dueDate ?? ""} 到期，其中税额 ${yuan(whole.tax)}`
              : "填写费用后，这里显示账单金额与税额",
        },
      ]}
    >
      <FormFields
        form={form}
        cols={2}
        label={84}
        fields={[
          { key: "villageId", input: (p) => <VillageSelect {...p} /> },
          { key: "partyId", input: (p, v) => <PayerSelect {...p} villageId={v.villageId} standing /> },
          { key: "roomId", input: (p, v) => <RoomSelect {...p} villageId={v.villageId} /> },
          {
            key: "contractId",
            help: "押金须选择合同",
            input: (p) =>
              villageId && partyId ? (
                <RecordSelect
                  {...p}
                  value={p.value ?? undefined}
                  placeholder="可不选"
                  source={{ call: partyContracts, query: { villageId, partyId }, option: contractOption }}
                />
              ) : (
                <span className="dim">选择门店和客户后可选</span>
              ),
          },
          "title",
          "dueDate",
        ]}
      >
        <Lines<Body, Line>
          form={form}
          name="lines"
          heads={["费用科目", "计费期起", "计费期止", "数量", "单价"]}
          fields={[
            {
              key: "feeSubjectId",
              width: 180,
              input: (p) => <RecordSelect {...p} source={CHARGEABLE} placeholder="费用科目" />,
            },
            "periodStart",
            "periodEnd",
            { key: "quantity", width: 96 },
            "price",
          ]}
          blank={blank}
          add="添加费用"
          least={1}
          most={50}
        />
      </FormFields>
    </Booking>
  );
}
