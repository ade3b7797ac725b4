import { TabPage } from "../../../platform/console/list/tab-page.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { Differences } from "./differences.panel.tsx";
import { Files } from "./files.panel.tsx";
import { MonthOfAccounts } from "./month.panel.tsx";
import { CHECK } from "./reconcile.rules.ts";

const LISTS = [
  { key: "month", title: "对账日历" },
  { key: "items", title: "对账明细" },
  { key: "files", title: "导入批次" },
];

/** 对账管理: what the channels say they took beside what the ledger says; ?list= says which look. */
export default function ReconcilePage() {
  const [address] = useAddress();
  const go = useGo();
  const on = LISTS.find(({ key }) => key === address.get("list"))?.key ?? "month";
  const open = (list: string, query: Record<string, string | number> = {}) =>
    go(CHECK, { list, month: address.get("month"), ...query });
  return (
    <TabPage label="对账管理" items={LISTS} on={on} onChange={(list) => open(list)}>
      {on === "month" && <MonthOfAccounts open={(query) => open("items", query)} />}
      {on === "items" && <Differences />}
      {on === "files" && <Files />}
    </TabPage>
  );
}
