import { TabPage } from "../../../platform/console/list/tab-page.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { CORPORATE } from "./claim.rules.ts";
import { Files } from "./files.panel.tsx";
import { Lines } from "./lines.panel.tsx";
import { SubAccounts } from "../sub-account/sub-accounts.panel.tsx";

const LISTS = [
  { key: "lines", title: "对公流水" },
  { key: "files", title: "导入批次" },
  { key: "subs", title: "虚拟子账户" },
];

/** 对公流水认领: money that came to company accounts, and whose it is, also by the sub-account it came to; ?list= says which look. */
export default function CorporatePage() {
  const [address] = useAddress();
  const go = useGo();
  const on = LISTS.find(({ key }) => key === address.get("list"))?.key ?? "lines";
  return (
    <TabPage label="对公流水认领" items={LISTS} on={on} onChange={(list) => go(CORPORATE, { list })}>
      {on === "lines" && <Lines />}
      {on === "files" && <Files />}
      {on === "subs" && <SubAccounts />}
    </TabPage>
  );
}
