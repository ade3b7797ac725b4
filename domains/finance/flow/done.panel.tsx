import type { ReactNode } from "react";
import { Button } from "../../../platform/console/parts/button.tsx";
import { useGo } from "../../../platform/console/screens/page.ts";
import { BILLS, FLOWS } from "../bill/bill.rules.ts";

/** After a booking: what was done, and where to go on. */
export function Done({
  title,
  children,
  flowId,
  billId,
  again,
}: {
  title: string;
  children?: ReactNode;
  flowId?: number | null | undefined;
  billId?: number | undefined;
  again: () => void;
}) {
  const go = useGo();
  return (
    <section className="card counter__done" role="status">
      <h2>{title}</h2>
      <p>{children}</p>
      <div className="acts">
        <Button look="main" run={again}>
          继续记账
        </Button>
        {flowId && <Button run={() => go(FLOWS, { id: flowId })}>查看流水</Button>}
        {billId && <Button run={() => go(BILLS, { tab: "all", id: billId })}>查看账单</Button>}
      </div>
    </section>
  );
}
