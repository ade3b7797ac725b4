import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { ask } from "../../../platform/console/calls/request.ts";
import { TabPage } from "../../../platform/console/list/tab-page.tsx";
import { ReservationList } from "../reservation-acts/reservations.panel.tsx";
import { ViewingList } from "../viewing/viewings.panel.tsx";
import { LeadFunnel } from "../lead/funnel.panel.tsx";
import { countLeads } from "../lead/lead.contract.ts";
import { LeadList } from "./leads.panel.tsx";
import "../lead/lead.css";

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
  const asked = tabs.find((tab) => tab.key === address.get("tab"))?.key;
  // a form that is asked for opens over the list that stands
  const adding = useRef(address.get("action"));
  // who has no leads of their own comes to those that they may look after
  const { data } = useQuery({
    ...ask(countLeads, { query: { tab: "mine" } }),
    enabled: !asked && !adding.current,
  });
  const none = data && !Object.values(data).some(Boolean);
  const on = asked ?? (none ? tabs[1]!.key : "mine");
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
