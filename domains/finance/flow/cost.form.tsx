import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { freshKey, useRefresh } from "../../../platform/console/act.ts";
import { Button } from "../../../platform/console/button.tsx";
import { OneField } from "../../../platform/console/formfield.tsx";
import { FormFields, useForm } from "../../../platform/console/form.tsx";
import { ChoiceInput } from "../../../platform/console/inputs.tsx";
import { ask, send } from "../../../platform/console/request.ts";
import { RecordSelect, VillageSelect } from "../../../platform/console/selects.tsx";
import { RowsSkeleton } from "../../../platform/console/states.tsx";
import type { FileRef } from "../../../platform/console/upload.tsx";
import { getBill } from "../bill/bill.contract.ts";
import { subjectsOf } from "../subject/subject.panel.tsx";
import { Done } from "./done.panel.tsx";
import type { CounterChannel } from "./flow.rules.ts";
import { AccountSelect, InstantInput, nowText, PapersInput } from "./payment.panel.tsx";
import { costFlow } from "./receive.contract.ts";

const COSTS = subjectsOf("cost");
const PAID = { yes: ["已付", "grey"], no: ["未付", "grey"] } as const;
type Made = Reply<typeof costFlow>;
type Start = NonNullable<Parameters<typeof useForm<Parameters<typeof send<typeof costFlow>>[1]["body"]>>[1]>;

/** 支出: a cost, owed from now on, and paid at once or later. With a bill it pays what was booked before. */
export function CostForm({ billId }: { billId: number | undefined }) {
  const [made, setMade] = useState<Made>();
  const [round, setRound] = useState(0);
  const bill = useQuery({ ...ask(getBill, { params: { id: billId ?? 0 } }), enabled: billId !== undefined });
  if (made)
    return (
      <Done
        title={made.id ? "支出已登记并付款" : "支出已登记，待付款"}
        flowId={made.id}
        billId={made.billId}
        again={() => {
          setMade(undefined);
          setRound(round + 1);
        }}
      >
        账单 {made.billNo}
        {made.flowNo && `，流水 ${made.flowNo}`}
      </Done>
    );
  if (billId && !bill.data) return <RowsSkeleton rows={6} />;
  const b = bill.data;
  const today = nowText().slice(0, 10);
  const start: Start = b
    ? {
        billId: b.id,
        villageId: b.villageId,
        payeeName: b.partyName,
        feeSubjectId: b.lines[0]?.feeSubjectId ?? 0,
        periodStart: b.periodStart ?? today,
        periodEnd: b.periodEnd ?? today,
        amount: b.outstanding,
      }
    : { periodStart: today, periodEnd: today };
  return <Form key={round} start={start} owed={b?.outstanding} onDone={setMade} />;
}

function Form({
  start,
  owed,
  onDone,
}: {
  start: Start;
  owed: number | undefined;
  onDone: (made: Made) => void;
}) {
  const refresh = useRefresh();
  const form = useForm(costFlow.body!, { ...start, payment: { paidAt: nowText() } as never });
  const [paid, setPaid] = useState<"yes" | "no">("yes");
  const [files, setFiles] = useState<FileRef[]>([]);
  const [key, setKey] = useState(freshKey);
  const booked = start.billId !== undefined;
  const choose = (next: "yes" | "no") => {
    setPaid(next);
    form.set("payment", next === "yes" ? { paidAt: nowText() } : undefined);
    form.set("dueDate", undefined);
  };
  const save = async () => {
    let made: Made | undefined;
    const sent = await form.submit(async (body) => {
      const payment = body.payment && { ...body.payment, fileIds: files.map((f) => f.id) };
      made = await send(costFlow, { body: { ...body, payment } }, { idempotencyKey: key });
    });
    if (!sent || !made) return setKey(freshKey());
    onDone(made);
    await refresh();
  };
  const channel = (form.values.payment as { channel?: CounterChannel } | undefined)?.channel;
  return (
    <section className="card counter__card counter__narrow">
      <FormFields
        form={form}
        cols={2}
        label={108}
        fields={[
          { key: "villageId", disabled: booked, input: (p) => <VillageSelect {...p} /> },
          { key: "payeeName", disabled: booked },
          {
            key: "feeSubjectId",
            disabled: booked,
            input: (p) => <RecordSelect {...p} source={COSTS} placeholder="请选择成本科目" />,
          },
          { key: "amount", ...(owed !== undefined && { help: `未付 ${yuan(owed)}` }) },
          { key: "periodStart", disabled: booked },
          { key: "periodEnd", disabled: booked },
          { key: "remark", wide: true },
        ]}
      >
        {!booked && (
          <div className="fi fi--wide">
            <span className="fi__label fi__label--must">是否已付</span>
            <div className="fi__in">
              <ChoiceInput value={paid} words={PAID} onChange={(next) => choose(next as "yes" | "no")} />
            </div>
          </div>
        )}
        {paid === "no" ? (
          <OneField form={form} path="dueDate" more={{}} />
        ) : (
          <>
            <OneField form={form} path="payment.channel" more={{}} />
            <OneField
              form={form}
              path="payment.merchantAccountId"
              more={{
                input: (p) => (
                  <AccountSelect
                    {...(p as Parameters<typeof AccountSelect>[0])}
                    villageId={form.values.villageId}
                    channel={channel}
                    out
                  />
                ),
              }}
            />
            <OneField
              form={form}
              path="payment.paidAt"
              more={{ input: (p) => <InstantInput {...(p as Parameters<typeof InstantInput>[0])} /> }}
            />
            <OneField form={form} path="payment.channelTradeNo" more={{}} />
            <div className="fi fi--wide">
              <span className="fi__label">凭证</span>
              <div className="fi__in">
                <PapersInput value={files} onChange={(next = []) => setFiles(next)} />
              </div>
            </div>
          </>
        )}
      </FormFields>
      <div className="counter__foot">
        <Button look="main" busy={form.busy} run={save}>
          {paid === "yes" ? "登记并付款" : "登记支出"}
        </Button>
      </div>
    </section>
  );
}
