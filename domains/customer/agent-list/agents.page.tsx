import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { TabPage } from "../../../platform/console/list/tab-page.tsx";
import { CommissionList } from "../commission/commissions.panel.tsx";
import { RuleList } from "./rules.panel.tsx";
import { AgencyList } from "./agencies.panel.tsx";
import { AgentList } from "./agents.panel.tsx";
import { PAGE } from "../agent/agent.rules.ts";

const TABS = [
  { key: "agent", title: "经纪人" },
  { key: "agency", title: "中介机构" },
  { key: "rule", title: "佣金规则" },
  { key: "settle", title: "佣金结算" },
];

/** 经纪人管理: who brings customers, by which rule they are paid, and what they are owed; ?tab= says which. */
export default function AgentsPage() {
  const [address] = useAddress();
  const go = useGo();
  const on = TABS.find((tab) => tab.key === address.get("tab"))?.key ?? "agent";
  return (
    // what one tab keeps in the address means nothing to the next
    <TabPage label="经纪人管理" items={TABS} on={on} onChange={(tab) => go(PAGE, { tab })}>
      {on === "agent" && <AgentList />}
      {on === "agency" && <AgencyList />}
      {on === "rule" && <RuleList />}
      {on === "settle" && <CommissionList />}
    </TabPage>
  );
}
