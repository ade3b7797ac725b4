import { openPages } from "./open-pages.ts";
import { panels } from "./panels.ts";
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
    { from: "/user/resetPassword", to: "/user/recover" },
    { from: "/portal", to: "/portal/login" },
  ],
  villages: () => import("./domains/listing/village/village.contract.ts").then((m) => m.villageOptions),
  searchers: [
    {
      key: "room",
      title: "房间",
      need: "6.get",
      load: () => import("./domains/listing/room/jump.panel.tsx"),
    },
  ],
  panels,
  screens: [
    {
      path: "/contract/RenterContractPage",
      title: "租客合同",
      codes: [9],
      kind: "page",
      menu: "/contract",
      load: () => import("./domains/contract/contract/contracts.page.tsx"),
    },
    ...openPages,
    // 工作台
    {
      path: "/workbench/WorkbenchPage",
      title: "工作台",
      codes: [1],
      kind: "page",
      menu: "top",
      icon: "home",
      load: () => import("./domains/report/workbench/workbench.page.tsx"),
    },
    // 房源管理
    {
      path: "/configuration/apartment",
      title: "房态图",
      codes: [3],
      kind: "page",
      menu: "/configuration",
      words: "房态 空置 看板",
      load: () => import("./domains/listing/status/apartment.page.tsx"),
    },
    {
      path: "/configuration/village",
      title: "门店管理",
      codes: [6],
      kind: "page",
      menu: "/configuration",
      load: () => import("./domains/listing/village/villages.page.tsx"),
    },
    {
      path: "/configuration/ApartmentManage",
      title: "房源列表",
      codes: [6],
      kind: "page",
      menu: "/configuration",
      load: () => import("./domains/listing/apartment/apartments.page.tsx"),
    },
    {
      path: "/configuration/importRooms",
      title: "批量导入房源",
      codes: [6],
      kind: "page",
      menu: "/configuration",
      words: "导入 模板 表格",
      load: () => import("./domains/listing/import/imports.page.tsx"),
    },
    // 合同管理
    // 客户管理
    {
      path: "/configuration/RenterManage",
      title: "租客管理",
      codes: [16],
      kind: "page",
      menu: "/renter",
      words: "客户 租户 同住人",
      load: () => import("./domains/customer/renter/renters.page.tsx"),
    },
    // 财务管理
    {
      path: "/accountManage/AccountFlowPatch",
      title: "收支流水",
      codes: [102],
      kind: "page",
      menu: "/accountManage",
      load: () => import("./domains/finance/flow/flows.page.tsx"),
    },
    {
      path: "/accountManage/BillListManage",
      title: "账单管理",
      codes: [26],
      kind: "page",
      menu: "/accountManage",
      load: () => import("./domains/finance/bill/bills.page.tsx"),
    },
    {
      path: "/accountManage/addBillFlow",
      title: "记一笔",
      codes: [102],
      kind: "page",
      menu: "/accountManage",
      words: "收款 记账 收银 支出 登记收入",
      load: () => import("./domains/finance/flow/counter.page.tsx"),
    },
    // 智能物联
    // 财务报表
    {
      path: "/report/owingReport",
      title: "欠费报表",
      codes: [114],
      kind: "page",
      menu: "/report",
      words: "账龄 催收 应收",
      load: () => import("./domains/report/owing/owings.page.tsx"),
    },
    {
      path: "/report/dailyCollectionReport",
      title: "日收款报表",
      codes: [99],
      kind: "page",
      menu: "/report",
      words: "收款日报 实收",
      load: () => import("./domains/report/collection/collections.page.tsx"),
    },
    // 运营报表
    // 物联报表
    // 资产报表
    // 系统管理
    {
      path: "/system/PlatformConf",
      title: "平台配置",
      codes: [94],
      kind: "page",
      menu: "/system",
      load: () => import("./domains/system/config/platform.page.tsx"),
    },
    {
      path: "/system/AuditModule",
      title: "审批配置",
      codes: [49],
      kind: "page",
      menu: "/system",
      words: "审批 流程 节点",
      load: () => import("./domains/approval/module/modules.page.tsx"),
    },
    {
      path: "/system/AuthorityManagement",
      title: "权限管理",
      codes: [46],
      kind: "page",
      menu: "/system",
      words: "员工 角色 部门 在线会话 注册申请",
      load: () => import("./domains/access/operator/authority.page.tsx"),
    },
    {
      path: "/system/MenuManagePage",
      title: "菜单管理",
      codes: [56],
      kind: "page",
      menu: "/system",
      words: "功能 权限编码",
      load: () => import("./domains/access/function/menus.page.tsx"),
    },
    {
      path: "/system/ConfigManagement",
      title: "配置中心",
      codes: [109, 111, 117, 119, 123, 124, 125, 129, 138, 140, 141, 250, 251, 252, 253, 256],
      kind: "page",
      menu: "/system",
      words: "收款账户 商户号 字典 设置",
      load: () => import("./domains/system/config/config.page.tsx"),
    },
    {
      path: "/system/ContractManagement",
      title: "合同配置",
      codes: [95],
      kind: "page",
      menu: "/system",
      words: "合同参数 默认条款 占房 押金上限",
      load: () => import("./domains/contract/config/configs.page.tsx"),
    },
    {
      path: "/system/OperationLog",
      title: "操作日志",
      codes: [68],
      kind: "page",
      menu: "/system",
      load: () => import("./domains/system/log/operations.page.tsx"),
    },
    {
      path: "/system/BusinessLog",
      title: "业务日志",
      codes: [130],
      kind: "page",
      menu: "/system",
      load: () => import("./domains/system/log/businesses.page.tsx"),
    },
    {
      path: "/system/BigFileDownloadManage",
      title: "下载中心",
      codes: [257],
      kind: "page",
      menu: "/system",
      load: () => import("./domains/system/download/downloads.page.tsx"),
    },
    // 增值服务
    // 运营管理
    // 消息中心
    {
      path: "/msgManage/manageHome",
      title: "消息中心",
      codes: [],
      kind: "hidden",
      words: "消息 通知 公告",
      load: () => import("./domains/system/message/messages.page.tsx"),
    },
  ],
};
