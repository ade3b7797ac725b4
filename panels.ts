import type { Panel } from "./platform/console/screen.ts";

/** What domains put into the places that pages and the shell leave open; order here is order there. */
export const panels: Panel[] = [
  {
    slot: "shell.me",
    key: "changePhone",
    title: "修改手机号",
    load: () => import("./domains/access/password/phone.panel.tsx"),
  },
  {
    slot: "shell.me",
    key: "changePassword",
    title: "修改密码",
    load: () => import("./domains/access/password/password.panel.tsx"),
  },
  {
    slot: "shell.overlay",
    key: "givenPassword",
    title: "设置自己的密码",
    load: () => import("./domains/access/password/given.panel.tsx"),
  },
  {
    slot: "shell.header",
    key: "viewing",
    title: "查看身份",
    load: () => import("./domains/access/session/viewing.panel.tsx"),
  },
  {
    slot: "shell.header",
    key: "quick",
    title: "快捷操作",
    load: () => import("./domains/report/workbench/quick-menu.panel.tsx"),
  },
  {
    slot: "shell.header",
    key: "downloads",
    title: "我的导出",
    load: () => import("./domains/system/download/downloads.panel.tsx"),
  },
  {
    slot: "renter.tabs",
    key: "contracts",
    title: "合同",
    need: "9.query",
    load: () => import("./domains/contract/contract/of-renter.panel.tsx"),
  },
  {
    slot: "village.tabs",
    key: "accounts",
    title: "收款账户",
    need: ["252.query", "6.get"],
    load: () => import("./domains/finance/account/village.panel.tsx"),
  },
  // 配置中心
  {
    slot: "config.tabs",
    key: "accounts",
    title: "收款账户",
    need: "252.query",
    load: () => import("./domains/finance/account/accounts.panel.tsx"),
  },
  {
    slot: "village.tabs",
    key: "charging",
    title: "计费设置",
    need: ["95.query", "6.get", "252.query"],
    load: () => import("./domains/contract/config/charging.panel.tsx"),
  },
  {
    slot: "village.charging",
    key: "billing",
    title: "账务设置",
    need: "252.query",
    load: () => import("./domains/finance/setting/billing.panel.tsx"),
  },
  {
    slot: "config.tabs",
    key: "billing",
    title: "账务设置",
    need: "252.query",
    load: () => import("./domains/finance/setting/billing.panel.tsx"),
  },
  {
    slot: "billing.terms",
    key: "lateTerms",
    title: "滞纳金标准",
    need: ["95.query", "252.query"],
    load: () => import("./domains/contract/config/late-terms.panel.tsx"),
  },
];
