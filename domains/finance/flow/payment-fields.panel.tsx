import type { ReactNode } from "react";
import { ChoiceInput, MoneyInput, TextInput } from "../../../platform/console/inputs.tsx";
import type { FileRef } from "../../../platform/console/upload.tsx";
import { COUNTER_CHANNEL, type CounterChannel } from "./flow.rules.ts";
import { AccountSelect, InstantInput, PapersInput } from "./payment.panel.tsx";

export type PaymentTyped = {
  channel?: string | undefined;
  merchantAccountId?: number | undefined;
  payerName?: string | undefined;
  channelTradeNo?: string | undefined;
  remark?: string | undefined;
};

type Props = {
  villageId: number;
  amount: number;
  onAmount: (amount: number | undefined) => void;
  paidAt: string;
  onPaidAt: (at: string) => void;
  typed: PaymentTyped;
  onTyped: (typed: PaymentTyped) => void;
  files: FileRef[];
  onFiles: (files: FileRef[]) => void;
  errors: Record<string, string>;
};

/** How the money came. */
export function PaymentFields(p: Props) {
  const { typed } = p;
  const put = (patch: PaymentTyped) => p.onTyped({ ...typed, ...patch });
  const row = (name: string, title: string, must: boolean, input: ReactNode) => (
    <label className={`fi ${p.errors[name] ? "fi--bad" : ""}`}>
      <span className={`fi__label ${must ? "fi__label--must" : ""}`}>{title}</span>
      <div className="fi__in">{input}</div>
      {p.errors[name] && (
        <p className="fi__msg" role="alert">
          {p.errors[name]}
        </p>
      )}
    </label>
  );
  return (
    <div className="form" style={{ "--cols": 2, "--label": "84px" } as React.CSSProperties}>
      {row("amount", "金额", true, <MoneyInput value={p.amount} onChange={p.onAmount} />)}
      {row(
        "paidAt",
        "支付时间",
        true,
        <InstantInput value={p.paidAt} onChange={(at) => at && p.onPaidAt(at)} />,
      )}
      {row(
        "channel",
        "渠道",
        true,
        <ChoiceInput
          value={typed.channel}
          words={COUNTER_CHANNEL}
          onChange={(channel) => put({ channel, merchantAccountId: undefined })}
        />,
      )}
      {row(
        "merchantAccountId",
        "账户",
        true,
        <AccountSelect
          villageId={p.villageId}
          channel={typed.channel as CounterChannel | undefined}
          value={typed.merchantAccountId}
          onChange={(merchantAccountId) => put({ merchantAccountId })}
        />,
      )}
      {row(
        "payerName",
        "付款人",
        false,
        <TextInput value={typed.payerName} max={60} onChange={(payerName) => put({ payerName })} />,
      )}
      {row(
        "channelTradeNo",
        "渠道流水号",
        false,
        <TextInput
          value={typed.channelTradeNo}
          max={64}
          onChange={(channelTradeNo) => put({ channelTradeNo })}
        />,
      )}
      <div className="fi fi--wide">
        <span className="fi__label">附件</span>
        <div className="fi__in">
          <PapersInput value={p.files} onChange={(next = []) => p.onFiles(next)} />
        </div>
      </div>
      <label className="fi fi--wide">
        <span className="fi__label">备注</span>
        <div className="fi__in">
          <TextInput value={typed.remark} max={200} rows={2} onChange={(remark) => put({ remark })} />
        </div>
      </label>
    </div>
  );
}
