import { FormDrawer } from "../../../platform/console/formdrawer.tsx";
import { VillageSelect } from "../../../platform/console/selects.tsx";
import type { FileRef } from "../../../platform/console/upload.tsx";
import { useState } from "react";
import { addFlow } from "./acts.contract.ts";
import { NUMBERED, type CounterChannel } from "./flow.rules.ts";
import { AccountSelect, InstantInput, PapersInput, PayerSelect } from "./payment.panel.tsx";

/** 补录: a receipt that was missed, with its papers; somebody else confirms it. */
export function AddFlowForm({ onClose }: { onClose: () => void }) {
  const [files, setFiles] = useState<FileRef[]>([]);
  return (
    <FormDrawer
      call={addFlow}
      title="补录流水"
      ok="提交"
      done="已提交，等待他人确认"
      width={640}
      onClose={onClose}
      fields={[
        { key: "villageId", input: (p) => <VillageSelect {...p} /> },
        { key: "partyId", input: (p, v) => <PayerSelect {...p} villageId={v.villageId} /> },
        "amount",
        "channel",
        {
          key: "merchantAccountId",
          input: (p, v) => (
            <AccountSelect {...p} villageId={v.villageId} channel={v.channel as CounterChannel | undefined} />
          ),
        },
        {
          key: "paidAt",
          input: (p) => <InstantInput {...p} />,
          help: "一年以内；已锁账的月份将记入下一个月，业务日期保留",
        },
        "payerName",
        {
          key: "channelTradeNo",
          help: (v) => (v.channel && NUMBERED.includes(v.channel) ? "渠道账单上的流水号，必填" : undefined),
        },
        {
          key: "fileIds",
          input: ({ onChange, ...p }) => (
            <PapersInput
              {...p}
              value={files}
              onChange={(next = []) => {
                setFiles(next);
                onChange(next.map((f) => f.id));
              }}
            />
          ),
        },
        "remark",
      ]}
    />
  );
}
