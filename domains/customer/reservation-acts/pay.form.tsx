import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { payWays } from "../../finance/pay-order/pay-order.contract.ts";
import { AccountInput } from "./account.form.tsx";
import { payReservation } from "./acts.contract.ts";
import { ReservationCode } from "./code.panel.tsx";
import type { Props } from "./acts.form.tsx";

const SAID = {
  held: "已收款，预订成功",
  waiting: "已录入，待确认后预订成功",
  kept: "房间已释放，款项转为预存款",
} as const;

/** 收定金: by a code on the customer's phone, or over the counter; whole, in one payment. */
export function PayForm({ of, onClose }: Props) {
  const [byCode, setByCode] = useState(false);
  if (!byCode) return <CounterForm of={of} onClose={onClose} onCode={() => setByCode(true)} />;
  return <ReservationCode of={of} onCounter={() => setByCode(false)} onClose={onClose} />;
}

const CounterForm = ({ of, onClose, onCode }: Props & { onCode: () => void }) => (
  <FormDialog
    call={payReservation}
    title={`收${of.earnestKind} ${of.partyName}`}
    ok={`收款 ${yuan(of.earnest)}`}
    params={{ id: of.id }}
    initial={{ amount: of.earnest, channel: "wechat" }}
    width={520}
    onDone={({ state }) => toast(SAID[state])}
    onClose={onClose}
    note={() =>
      of.state === "lapsed" ? "预订已过期，款项转为预存款" : `收款后 ${of.roomName} 保留至 ${of.holdUntil}`
    }
    fields={[
      { show: () => <ByCode of={of} onCode={onCode} /> },
      { key: "amount", disabled: true },
      "channel",
      {
        key: "merchantAccountId",
        input: (p, now) => (
          <AccountInput {...p} villageId={of.villageId} channel={now.channel} direction="in" />
        ),
      },
      "payerName",
      "channelTradeNo",
      "remark",
    ]}
  />
);

/** The way to the code, and why there is none. */
function ByCode({ of, onCode }: { of: Props["of"]; onCode: () => void }) {
  const { data } = useQuery(ask(payWays, { query: { villageId: of.villageId } }));
  if (of.state === "lapsed") return null;
  const none = data && !data.some((w) => !w.why);
  return (
    <p className="row">
      <Button icon="code" why={none ? (data[0]?.why ?? "该门店未配置收款账户") : undefined} run={onCode}>
        出示收款码
      </Button>
      <span className="dim">客户用手机付款，到账自动确认</span>
    </p>
  );
}
