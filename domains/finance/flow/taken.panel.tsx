import { Button } from "../../../platform/console/parts/button.tsx";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { useGo } from "../../../platform/console/screens/page.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { FLOWS } from "../bill/bill.rules.ts";
import type { CounterInput } from "./receive.contract.ts";
import { Slip, type SlipOf } from "./slip.panel.tsx";
import type { Taken } from "./take.form.tsx";

export type Done = {
  taken: Taken;
  payer: { name: string; rooms: string };
  villageName: string;
  values: Partial<CounterInput>;
  paidOn: string;
};

/** After the money is taken: what happened, the receipt to print, and what comes next. */
export function TakenPanel({ done, onNext }: { done: Done; onNext: () => void }) {
  const { taken, payer, values } = done;
  const go = useGo();
  const me = useOperator();
  const waits = taken.state === "pending";
  const { preview } = taken;
  const slip: SlipOf = {
    flowNo: taken.flowNo,
    villageName: done.villageName,
    partyName: payer.name,
    payerName: values.payerName || payer.name,
    rooms: payer.rooms,
    paidOn: done.paidOn,
    channel: values.channel ?? null,
    amount: preview.amount || preview.prepaidUsed,
    lines: preview.rows.filter((row) => row.pay > 0).map((row) => ({ ...row, amount: row.pay })),
    prepaid: preview.toPrepaid,
    fromPrepaid: preview.prepaidUsed,
    operator: me?.name ?? "",
    remark: values.remark ?? "",
  };
  return (
    <div className="taken">
      <section className="card taken__said row wrap">
        <span className={`taken__mark ${waits ? "s-gold" : "s-green"}`}>
          <Icon name={waits ? "clock" : "check"} size={20} />
        </span>
        <div className="grow">
          <h2>
            {waits
              ? "已登记，待另一人确认到账"
              : preview.amount
                ? `已收款 ${yuan(preview.amount)} 元`
                : `已用预存款支付 ${yuan(preview.prepaidUsed)} 元`}
          </h2>
          <p className="sub">
            {taken.flowNo && `流水号 ${taken.flowNo}`}
            {waits && "，确认后按试算分配账单，届时可打印收据"}
          </p>
        </div>
        {!waits && taken.id !== null && (
          <Button icon="print" run={() => print()}>
            打印收据
          </Button>
        )}
        {taken.id !== null && <Button run={() => go(FLOWS, { id: taken.id })}>查看流水</Button>}
        <Button look="main" run={onNext}>
          继续记账
        </Button>
      </section>
      <Slip of={slip} />
    </div>
  );
}
