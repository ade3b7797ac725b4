import type { House } from "./platform/console/screens/screen.ts";
import { KINDS, LEAST } from "./domains/report/search/search.rules.ts";
import { contractScreens } from "./screens/contract.ts";
import { financeScreens } from "./screens/finance.ts";
import { listingScreens } from "./screens/listing.ts";
import { openPages } from "./screens/open.ts";
import { panels } from "./screens/panels.ts";
import { reportScreens } from "./screens/report.ts";
import { systemScreens } from "./screens/system.ts";
import { workbenchScreens } from "./screens/workbench.ts";

/**
 * The one table of screens, put together from the lists in screens/. Router, menu, tabs, titles and permissions come
 * from it. Order there is order in the menu; a menu appears when the operator may open one of its pages.
 */
export const house: House = {
  menus: [
    { path: "/configuration", title: "房源管理", code: 2, icon: "building" },
    { path: "/contract", title: "合同管理", code: 8, icon: "file" },
    { path: "/renter", title: "客户管理", code: 14, icon: "users" },
    { path: "/accountManage", title: "财务管理", code: 22, icon: "wallet" },
    { path: "/objectAssociation", title: "智能物联", code: 29, icon: "chip" },
    { path: "/report", title: "财务报表", code: 34, icon: "report" },
    { path: "/report1", title: "运营报表", code: 37, icon: "pie" },
    { path: "/report2", title: "物联报表", code: 38, icon: "radar" },
    { path: "/report3", title: "资产报表", code: 44, icon: "box" },
    { path: "/system", title: "系统管理", code: 45, icon: "sliders" },
    { path: "/valueAdded", title: "增值服务", code: 121, icon: "spark" },
    { path: "/service", title: "运营管理", code: 50, icon: "tools" },
  ],
  redirects: [
    { from: "/user/resetPassword", to: "/user/recover" },
    { from: "/portal", to: "/portal/login" },
    { from: "/workbench/overview", to: "/workbench/overview2" },
  ],
  badges: [
    {
      need: ["72.query", "73.query", "96.query", "236.query"],
      call: () => import("./domains/contract/self-service/self.contract.ts").then((m) => m.countWaiting),
      on: {
        "/contract/SettleRoomApplicationPage": "settle",
        "/contract/ChangeRoomManage": "change",
        "/contract/RenewalApplicationPage": "renew",
        "/contract/LeaseApplication": "application",
      },
    },
    {
      need: ["108.query", "244.query", "25.query", "112.query", "97.query"],
      call: () => import("./domains/finance/summary/todo.contract.ts").then((m) => m.todoCounts),
      on: {
        "/accountManage/RefundManage": "refund",
        "/accountManage/accountCheck": "reconcile",
        "/accountManage/SubmissionManage": "submission",
        "/accountManage/CorporateFlow": "corporate",
      },
    },
  ],
  villages: () => import("./domains/listing/village/village.contract.ts").then((m) => m.villageOptions),
  search: {
    kinds: Object.values(KINDS),
    least: LEAST,
    load: () => import("./domains/report/search/search.panel.tsx"),
  },
  panels,
  screens: [
    ...openPages,
    ...workbenchScreens,
    ...listingScreens,
    ...contractScreens,
    ...financeScreens,
    ...reportScreens,
    ...systemScreens,
  ],
};
