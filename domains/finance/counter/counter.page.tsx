import { Empty } from "../../../platform/console/parts/states.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { CostForm } from "./cost.form.tsx";
import { IncomeForm } from "./income.form.tsx";
import { TakePanel } from "./take.panel.tsx";
import { ShiftPanel } from "../shift/shift.panel.tsx";
import { BillForm } from "./bill.form.tsx";
import "./counter.css";

const TABS = [
  { key: "take", title: "收款", View: TakePanel },
  { key: "income", title: "收入", View: IncomeForm },
  { key: "cost", title: "支出", View: CostForm },
  { key: "bill", title: "应收", View: BillForm },
  { key: "shift", title: "交接班", View: ShiftPanel },
] as const;

/** Where a cashier sits: take money for what is owed, book other income or a cost, raise a bill. */
export default function CounterPage() {
  const [address, set] = useAddress();
  const { key, View } = TABS.find((t) => t.key === address.get("tab")) ?? TABS[0];
  if (!may("102.add")) return <Empty text="您可以查看收支流水，但没有记账的权限" />;
  return (
    <div className="counter stack full">
      <Underline
        label="记一笔"
        items={TABS}
        on={key}
        onChange={(next) => set({ tab: next === "take" ? undefined : next })}
      />
      <View key={key} />
    </div>
  );
}
