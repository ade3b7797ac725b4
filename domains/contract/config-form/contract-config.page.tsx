import { Arriving } from "../../../platform/console/screens/arriving.tsx";
import { lazily } from "../../../platform/console/screens/load.tsx";
import { Link } from "react-router";
import { TabPage, TabRight } from "../../../platform/console/list/tab-page.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { PageSkeleton } from "../../../platform/console/parts/states.tsx";
import { dirtyPaths, useAddress, useGo, usePage } from "../../../platform/console/screens/page.ts";

const TABS = [
  { key: "lessors", title: "企业认证", Panel: lazily(() => import("../lessor-form/lessors.panel.tsx")) },
  { key: "seals", title: "印章", Panel: lazily(() => import("../lessor-form/seals.panel.tsx")) },
  { key: "sign", title: "签署设置", Panel: lazily(() => import("./sign-set.panel.tsx")) },
  { key: "terms", title: "合同参数", Panel: lazily(() => import("./configs.panel.tsx")) },
  { key: "waiting", title: "待盖章", Panel: lazily(() => import("../esign/waiting.panel.tsx")) },
  { key: "uses", title: "用印记录", Panel: lazily(() => import("../lessor-form/seal-uses.panel.tsx")) },
];

/** 合同配置: lessors, seals, how contracts are signed and what they start from; ?tab= says which. */
export default function ContractConfigPage() {
  const [address] = useAddress();
  const { path } = usePage();
  const go = useGo();
  const { key, Panel } = TABS.find((tab) => tab.key === address.get("tab")) ?? TABS[0]!;
  // what one tab keeps in the address means nothing to the next
  const choose = async (tab: string) => {
    if (tab === key || (dirtyPaths().has(path) && !(await confirmLeave()))) return;
    go(path, { tab });
  };
  return (
    <TabPage label="合同配置" items={TABS} on={key} onChange={(tab) => void choose(tab)}>
      <TabRight>
        <Link to="/system/EleContractConfigHelp">配置帮助</Link>
      </TabRight>
      <Arriving key={key} fallback={<PageSkeleton />}>
        <Panel />
      </Arriving>
    </TabPage>
  );
}
