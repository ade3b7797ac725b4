import type { House } from "./platform/console/screen.ts";

/**
 * The one table of screens. Router, menu, tabs, titles and permissions come from it.
 * Order here is order in the menu; a menu appears when the operator may open one of its pages.
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
    { from: "/portal", to: "/portal/login" },
    { from: "/workbench/overview", to: "/workbench/overview2" },
  ],
  villages: () => import("./domains/listing/village/village.contract.ts").then((m) => m.villageOptions),
  searchers: [],
  panels: [],
  screens: [
    {
      path: "/contract/RenterContractPage",
      title: "租客合同",
      codes: [9],
      kind: "page",
      menu: "/contract",
      load: () => import("./domains/contract/contract/contracts.page.tsx"),
    },
    // 公开页面
    {
      path: "/user/login",
      title: "登录",
      codes: [],
      kind: "public",
      load: () => import("./domains/access/session/login.page.tsx"),
    },
    // 工作台
    // 房源管理
    // 合同管理
    // 客户管理
    // 财务管理
    // 智能物联
    // 财务报表
    // 运营报表
    // 物联报表
    // 资产报表
    // 系统管理
    // 增值服务
    // 运营管理
    // 消息中心
  ],
};
