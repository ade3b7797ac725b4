import { useAddress } from "../../../platform/console/page.ts";
import { Underline } from "../../../platform/console/underline.tsx";
import { TakePanel } from "./take.panel.tsx";
import "./counter.css";

const TABS = [{ key: "take", title: "收款" }] as const;
type Tab = (typeof TABS)[number]["key"];

/** Where a cashier sits: take money for what is owed, book other income or a cost, raise a bill. */
export default function CounterPage() {
  const [address, set] = useAddress();
  const tab: Tab = TABS.find((t) => t.key === address.get("tab"))?.key ?? "take";
  return (
    <div className="counter">
      <Underline
        label="记一笔"
        items={TABS}
        on={tab}
        onChange={(key) => set({ tab: key === "take" ? undefined : key })}
      />
      {tab === "take" && <TakePanel />}
    </div>
  );
}
