import type { Panel } from "../platform/console/screen.ts";
import { configPanels } from "./config-panels.ts";
import { houseWords } from "./house-words.ts";
import { roomTabs } from "./room-tabs.ts";

/** What domains put into the places that pages and the shell leave open; order here is order there. */
export const panels: Panel[] = [
  {
    slot: "shell.me",
    key: "changePhone",
    title: "修改手机号",
    load: () => import("../domains/access/password/phone.panel.tsx"),
  },
  {
    slot: "shell.me",
    key: "changePassword",
    title: "修改密码",
    load: () => import("../domains/access/password/password.panel.tsx"),
  },
  {
    slot: "shell.first",
    key: "givenPassword",
    title: "设置自己的密码",
    load: () => import("../domains/access/password/given.panel.tsx"),
  },
  {
    slot: "shell.header",
    key: "viewing",
    title: "查看身份",
    load: () => import("../domains/access/session/viewing.panel.tsx"),
  },
  {
    slot: "shell.header",
    key: "quick",
    title: "快捷操作",
    load: () => import("../domains/report/workbench/quick-menu.panel.tsx"),
  },
  {
    slot: "shell.header",
    key: "downloads",
    title: "我的导出",
    load: () => import("../domains/system/download/downloads.panel.tsx"),
  },
  {
    slot: "shell.lost",
    key: "why",
    title: "页面权限说明",
    load: () => import("../domains/access/lost/lost.panel.tsx"),
  },
  {
    slot: "workbench.tabs",
    key: "examine",
    title: "审批",
    load: () => import("../domains/approval/examine/examines.panel.tsx"),
  },
  {
    slot: "shell.header",
    key: "messages",
    title: "消息",
    load: () => import("../domains/system/message/bell.panel.tsx"),
  },
  {
    slot: "shell.header",
    key: "version",
    title: "版本说明",
    load: () => import("../domains/system/version/version.panel.tsx"),
  },
  ...roomTabs,
  {
    slot: "lead.tabs",
    key: "contracts",
    title: "合同",
    need: ["9.query", "11.query", "107.query"],
    load: () => import("../domains/contract/contract/of-lead.panel.tsx"),
  },
  {
    slot: "renter.tabs",
    key: "contracts",
    title: "合同",
    need: "9.query",
    first: true,
    load: () => import("../domains/contract/contract/of-renter.panel.tsx"),
  },
  {
    slot: "merchant.turnover",
    key: "turnover",
    title: "营业额",
    need: ["107.get", "106.get"],
    load: () => import("../domains/contract/turnover/merchant.panel.tsx"),
  },
  {
    slot: "company.rooms",
    key: "rooms",
    title: "房间与入住人",
    need: ["11.get", "113.get"],
    load: () => import("../domains/contract/occupant/company.panel.tsx"),
  },
  {
    slot: "contract.party",
    key: "picker",
    title: "客户",
    need: ["9.add", "9.edit", "11.add", "11.edit", "107.add", "107.edit"],
    load: () => import("../domains/customer/party/choice.panel.tsx"),
  },
  {
    slot: "village.tabs",
    key: "accounts",
    title: "收款账户",
    need: ["252.query", "6.get"],
    load: () => import("../domains/finance/account/village.panel.tsx"),
  },
  // 平台配置
  {
    slot: "platform.tabs",
    key: "brands",
    title: "品牌",
    need: "94.query",
    load: () => import("../domains/access/brand/brands.panel.tsx"),
  },
  {
    slot: "platform.tabs",
    key: "outbox",
    title: "短信发件箱",
    need: "super",
    load: () => import("../domains/access/sms/outbox.panel.tsx"),
  },
  {
    slot: "platform.tabs",
    key: "dead",
    title: "失效地址",
    need: "94.query",
    load: () => import("../domains/access/lost/dead.panel.tsx"),
  },
  {
    slot: "platform.tabs",
    key: "jobs",
    title: "定时任务",
    need: "94.query",
    load: () => import("../domains/system/job/jobs.panel.tsx"),
  },
  {
    slot: "platform.tabs",
    key: "announcements",
    title: "公告",
    need: "94.query",
    load: () => import("../domains/system/announcement/platform.panel.tsx"),
  },
  ...configPanels,
  ...houseWords,
  {
    slot: "shell.overlay",
    key: "watermark",
    title: "水印",
    load: () => import("../domains/system/watermark/watermark.panel.tsx"),
  },
  {
    slot: "shell.overlay",
    key: "announcements",
    title: "公告",
    load: () => import("../domains/system/announcement/must.panel.tsx"),
  },
  {
    slot: "workbench.side",
    key: "announcements",
    title: "公告",
    load: () => import("../domains/system/announcement/card.panel.tsx"),
  },
];
