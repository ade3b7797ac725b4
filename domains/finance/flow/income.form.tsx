import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { freshKey, useRefresh } from "../../../platform/console/act.ts";
import { Button } from "../../../platform/console/button.tsx";
import { FormFields, useForm } from "../../../platform/console/form.tsx";
import { send } from "../../../platform/console/request.ts";
import { RecordSelect, VillageSelect } from "../../../platform/console/selects.tsx";
import type { FileRef } from "../../../platform/console/upload.tsx";
import { RoomSelect } from "../bill/room.panel.tsx";
import { subjectsOf } from "../subject/subject.panel.tsx";
import { Done } from "./done.panel.tsx";
import type { CounterChannel } from "./flow.rules.ts";
import { AccountSelect, InstantInput, nowText, PapersInput, PayerSelect } from "./payment.panel.tsx";
import { incomeFlow } from "./receive.contract.ts";

const INCOME = subjectsOf("income");

/** 收入: money for something that was not billed; the bill, its issue and the receipt are made at once. */
export function IncomeForm() {
  const [made, setMade] = useState<Reply<typeof incomeFlow>>();
  const [round, setRound] = useState(0);
  if (made)
    return (
      <Done
        title={made.state === "pending" ? "已录入，等待他人确认到账" : "收入已登记"}
        flowId={made.id}
        billId={made.billId}
        again={() => {
          setMade(undefined);
          setRound(round + 1);
        }}
      >
        {made.flowNo}，账单 {made.billNo}
      </Done>
    );
  return <Form key={round} onDone={setMade} />;
}

function Form({ onDone }: { onDone: (made: Reply<typeof incomeFlow>) => void }) {
  const refresh = useRefresh();
  const today = nowText().slice(0, 10);
  const form = useForm(incomeFlow.body!, { periodStart: today, periodEnd: today, paidAt: nowText() });
  const [files, setFiles] = useState<FileRef[]>([]);
  const [key, setKey] = useState(freshKey);
  const save = async () => {
    let made: Reply<typeof incomeFlow> | undefined;
    const sent = await form.submit(async (body) => {
      made = await send(
        incomeFlow,
        { body: { ...body, fileIds: files.map((f) => f.id) } },
        { idempotencyKey: key },
      );
    });
    if (!sent || !made) return setKey(freshKey());
    onDone(made);
    await refresh();
  };
  return (
    <section className="card counter__card counter__narrow">
      <FormFields
        form={form}
        cols={2}
        label={84}
        fields={[
          { key: "villageId", input: (p) => <VillageSelect {...p} /> },
          {
            key: "feeSubjectId",
            input: (p) => <RecordSelect {...p} source={INCOME} placeholder="请选择费用科目" />,
          },
          { key: "partyId", title: "客户", input: (p, v) => <PayerSelect {...p} villageId={v.villageId} /> },
          { key: "roomId", title: "房间", input: (p, v) => <RoomSelect {...p} villageId={v.villageId} /> },
          "periodStart",
          "periodEnd",
          "amount",
          { key: "paidAt", input: (p) => <InstantInput {...p} /> },
          "channel",
          {
            key: "merchantAccountId",
            input: (p, v) => (
              <AccountSelect
                {...p}
                villageId={v.villageId}
                channel={v.channel as CounterChannel | undefined}
              />
            ),
          },
          { key: "payerName", help: (v) => (v.partyId ? undefined : "没有客户时记在付款人名下，不填为散客") },
          "channelTradeNo",
          {
            key: "fileIds",
            title: "附件",
            wide: true,
            input: ({ onChange: _, ...p }) => (
              <PapersInput {...p} value={files} onChange={(next = []) => setFiles(next)} />
            ),
          },
          { key: "remark", wide: true },
        ]}
      />
      <div className="counter__foot">
        <Button look="main" busy={form.busy} run={save}>
          登记收入
        </Button>
      </div>
    </section>
  );
}
