import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { TabPage } from "../../../platform/console/list/tab-page.tsx";
import { Channels, Events, Enquiries } from "../channel/channels.panel.tsx";
import { Listings } from "./listing.panel.tsx";
import "../channel/channel.css";

const PAGE = "/configuration/ApartmentSync";
const TABS = [
  { key: "listings", title: "发布房源" },
  { key: "channels", title: "渠道" },
  { key: "events", title: "同步日志" },
  { key: "enquiries", title: "咨询" },
];

/** 房源同步: what is published where, the channels, every word with them, and who asked; ?tab= says which. */
export default function SyncPage() {
  const [address] = useAddress();
  const go = useGo();
  const on = TABS.find((tab) => tab.key === address.get("tab"))?.key ?? "listings";
  return (
    // what one tab keeps in the address means nothing to the next
    <TabPage label="房源同步" items={TABS} on={on} onChange={(tab) => go(PAGE, { tab })}>
      {on === "channels" ? (
        <Channels />
      ) : on === "events" ? (
        <Events />
      ) : on === "enquiries" ? (
        <Enquiries />
      ) : (
        <Listings />
      )}
    </TabPage>
  );
}
