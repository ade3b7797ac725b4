import { useQuery } from "@tanstack/react-query";
import { useAddress } from "../../../platform/console/page.ts";
import { ask } from "../../../platform/console/request.ts";
import { RowsSkeleton } from "../../../platform/console/states.tsx";
import { Underline } from "../../../platform/console/underline.tsx";
import { BillForm } from "../bill/bill.form.tsx";
import { CostForm } from "./cost.form.tsx";
import "./counter.css";
import { IncomeForm } from "./income.form.tsx";
import { payers } from "./payer.contract.ts";
import { TakeForm } from "./take.form.tsx";

const TABS = [
  { key: "take", title: "收款" },
  { key: "income", title: "收入" },
  { key: "cost", title: "支出" },
  { key: "bill", title: "应收" },
];

/** 记一笔: money for bills, other income, a cost, or a one-off bill. ?billId= and ?partyId= open it filled. */
export default function CounterPage() {
  const [address, set] = useAddress();
  const tab = address.get("tab") ?? "take";
  const billId = Number(address.get("billId")) || undefined;
  const partyId = Number(address.get("partyId")) || undefined;
  const owner = useQuery({
    ...ask(payers, { query: { billId } }),
    enabled: tab === "take" && billId !== undefined && partyId === undefined,
  });
  const waiting = tab === "take" && billId !== undefined && partyId === undefined && owner.isPending;
  return (
    <div className="counter">
      <Underline
        label="记账类型"
        items={TABS}
        on={tab}
        onChange={(key) =>
          set({ tab: key === "take" ? undefined : key, billId: undefined, partyId: undefined })
        }
      />
      {waiting ? (
        <RowsSkeleton rows={6} />
      ) : tab === "income" ? (
        <IncomeForm />
      ) : tab === "cost" ? (
        <CostForm key={billId} billId={billId} />
      ) : tab === "bill" ? (
        <BillForm />
      ) : (
        <TakeForm key={`${billId} ${partyId}`} billId={billId} partyId={partyId ?? owner.data?.[0]?.id} />
      )}
    </div>
  );
}
