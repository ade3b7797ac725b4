import { useRef, useState } from "react";
import { showFailure } from "../../../platform/console/calls/failure.ts";
import { type Act, useAct, useRefresh } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { Facts } from "../../../platform/console/detail/facts.tsx";
import { MoneyInput } from "../../../platform/console/inputs/inputs.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { may } from "../../../platform/console/session/permits.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import * as calls from "../lessor/lessor.contract.ts";

/** Shows whoever runs the platform what is to be sent where, and takes down that it was sent. */
export async function sendTransfer(act: Act, id: number): Promise<void> {
  const params = { id };
  const told = await send(calls.seeTransfer, { params });
  const body = (
    <div className="stack gap-6">
      <p>请从公司的银行账户转出以下金额，转出后再确认；企业在收款账户里看到金额后提交核对。</p>
      <Facts
        call={calls.seeTransfer}
        data={told}
        facts={["name", "bankName", "account", "amount"]}
        cols={1}
      />
    </div>
  );
  await act(
    calls.sentTransfer,
    { params },
    { done: "已确认打款", ask: { title: "对公打款", body, ok: "已打款" } },
  );
}

type Props = { id: number; sentAt: string | null; triesLeft: number };

/** The amount as the bank shows it. */
export function TransferForm({ id, sentAt, triesLeft }: Props) {
  const act = useAct();
  const refresh = useRefresh();
  const [amount, setAmount] = useState<number>();
  const busy = useRef(false);
  if (!sentAt) return <p className="sub">等待平台管理员向对公账户打款</p>;
  const at = `${timeInZone(sentAt).slice(0, 16)} 已打款到对公账户`;
  if (!may("95.edit")) return <p className="sub">{at}，等待核对到账金额</p>;
  const confirm = async () => {
    // a key that is pressed twice is one try
    if (!amount || busy.current) return;
    busy.current = true;
    try {
      await act(calls.confirmTransfer, { params: { id }, body: { amount } }, { done: "认证通过" });
    } catch (wrong) {
      // a try is spent, and with the last of them the verification has failed
      showFailure(wrong);
      await refresh();
    } finally {
      busy.current = false;
    }
  };
  return (
    <form
      className="stack gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        void confirm();
      }}
    >
      <p className="sub">
        {at}，请在银行流水中查到账金额，还可提交 {triesLeft} 次
      </p>
      <div className="row wrap">
        <label htmlFor="lessor-amount">到账金额</label>
        <span style={{ width: 140 }}>
          <MoneyInput id="lessor-amount" value={amount} onChange={setAmount} placeholder="0.01–0.99" />
        </span>
        <Button look="main" why={amount ? undefined : "请输入到账金额"} run={confirm}>
          提交金额
        </Button>
      </div>
    </form>
  );
}
