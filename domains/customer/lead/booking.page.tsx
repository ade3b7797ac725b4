import { useAddress, useGo } from "../../../platform/console/page.ts";
import { may } from "../../../platform/console/permits.ts";
import { TabPage } from "../../../platform/console/tabpage.tsx";
import { ReservationList } from "../reservation/reservations.panel.tsx";
import { ViewingList } from "../viewing/viewings.panel.tsx";
import { LeadFunnel } from "./funnel.panel.tsx";
import { LeadList } from "./leads.panel.tsx";
import "./lead.css";

const PAGE = "/configuration/BookingManagement";

/** 客源管理: enquiries from the first word to the contract; ?tab= says which, ?action=1 registers one. */
export default function BookingPage() {
  const [address] = useAddress();
  const go = useGo();
  const tabs = [
    { key: "mine", title: "我的客源" },
    ...(may("#1502") ? [{ key: "all", title: "全部客源" }] : []),
    { key: "pool", title: "公海" },
    { key: "viewing", title: "看房" },
    { key: "reservation", title: "预订" },
    { key: "funnel", title: "漏斗" },
  ];
  const on = tabs.find((tab) => tab.key === address.get("tab"))?.key ?? "mine";
  return (
    // what one tab keeps in the address means nothing to the next
    <TabPage label="客源" items={tabs} on={on} onChange={(tab) => go(PAGE, { tab })}>
      {on === "funnel" && <LeadFunnel />}
      {on === "viewing" && <ViewingList />}
      {on === "reservation" && <ReservationList />}
      {(on === "mine" || on === "all" || on === "pool") && <LeadList key={on} tab={on} />}
    </TabPage>
  );
}
