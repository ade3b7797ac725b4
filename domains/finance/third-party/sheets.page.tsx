import { TabPage } from "../../../platform/console/list/tab-page.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { Partners } from "./partners.panel.tsx";
import { Sheets } from "./sheets.panel.tsx";
import { Summary } from "./summary.panel.tsx";
import { SHEETS } from "./third-party.rules.ts";

const LISTS = [
  { key: "sheets", title: "明细" },
  { key: "summary", title: "汇总" },
  { key: "partners", title: "合作方" },
];

/** 第三方收入表: what partners took in the stores, our share of it, and the partners themselves; ?list= says which. */
export default function ThirdPartyPage() {
  const [address] = useAddress();
  const go = useGo();
  const on = LISTS.find(({ key }) => key === address.get("list"))?.key ?? "sheets";
  return (
    <TabPage label="第三方收入表" items={LISTS} on={on} onChange={(list) => go(SHEETS, { list })}>
      {on === "sheets" && <Sheets />}
      {on === "summary" && <Summary />}
      {on === "partners" && <Partners />}
    </TabPage>
  );
}
