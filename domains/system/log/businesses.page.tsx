import { ListPage } from "../../../platform/console/list/list.tsx";
import { businessExport, listBusiness } from "./log.contract.ts";
import { ChangesDrawer, addressOf } from "./changes.panel.tsx";

/** 业务日志: what happened to contracts, bills, rooms, devices, across records. */
export default function BusinessesPage() {
  return (
    <ListPage
      call={listBusiness}
      filters={["villageIds", "from", "kind", "keyword", "number", "action", "operatorId"]}
      columns={[
        "at",
        "villageName",
        "kindTitle",
        { key: "number", to: (l) => addressOf(l.opens, l.recordId) },
        "action",
        "summary",
        "operatorName",
        { key: "examineNo", to: (l) => addressOf("examine", l.examineId) },
      ]}
      card={{ title: "summary", right: "action", lines: [["operatorName", "at"]] }}
      drawer={(id) => <ChangesDrawer id={id} />}
      exportCall={businessExport}
      emptyText="这段时间没有业务变动。默认显示最近 7 天"
    />
  );
}
