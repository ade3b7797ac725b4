import type { Panel } from "../platform/console/screens/screen.ts";

/** What domains to the right put into the drawer of a room, in this order. */
export const roomTabs: Panel[] = [
  {
    slot: "room.tabs",
    key: "bills",
    title: "账单",
    need: "26.query",
    load: () => import("../domains/finance/bill-list/of-room.panel.tsx"),
  },
  {
    slot: "room.tabs",
    key: "viewings",
    title: "看房",
    need: "15.query",
    load: () => import("../domains/customer/viewing/room.panel.tsx"),
  },
  {
    slot: "room.tabs",
    key: "listings",
    title: "发布",
    need: "67.query",
    load: () => import("../domains/listing/sync/room.panel.tsx"),
  },
];
