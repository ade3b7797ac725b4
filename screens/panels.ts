import { panelIn, type Panel } from "../platform/console/screens/screen.ts";

const me = panelIn("shell.me");
const first = panelIn("shell.first");
const header = panelIn("shell.header");
const overlay = panelIn("shell.overlay");
const room = panelIn("room.tabs");
const village = panelIn("village.tabs");
const config = panelIn("config.tabs");
const words = panelIn("houseDic.tabs");
const platform = panelIn("platform.tabs");

/** What domains put into the places that pages and the shell leave open; order here is order there. */
export const panels: Panel[] = [
  { ...me("changePhone", "修改手机号"), load: () => import("../domains/access/password/phone.panel.tsx") },
  {
    ...me("changePassword", "修改密码"),
    load: () => import("../domains/access/password/password.panel.tsx"),
  },
  {
    ...me("secondFactor", "两步验证"),
    load: () => import("../domains/access/second-factor/second-factor.panel.tsx"),
  },
  { ...me("versions", "版本说明"), load: () => import("../domains/system/version/own.panel.tsx") },
  {
    ...first("givenPassword", "设置自己的密码"),
    load: () => import("../domains/access/password/given.panel.tsx"),
  },
  {
    ...first("secondFactor", "开启两步验证"),
    load: () => import("../domains/access/second-factor/demanded.panel.tsx"),
  },
  { ...header("viewing", "查看身份"), load: () => import("../domains/access/session/viewing.panel.tsx") },
  { ...header("quick", "快捷操作"), load: () => import("../domains/report/workbench/quick-menu.panel.tsx") },
  {
    ...header("downloads", "我的导出"),
    load: () => import("../domains/system/download/downloads.panel.tsx"),
  },
  { ...header("messages", "消息"), load: () => import("../domains/system/inbox/bell.panel.tsx") },
  { ...header("version", "版本说明"), load: () => import("../domains/system/version/version.panel.tsx") },
  {
    ...panelIn("shell.lost")("why", "页面权限说明"),
    load: () => import("../domains/access/lost/lost.panel.tsx"),
  },
  {
    ...panelIn("workbench.tabs")("examine", "审批"),
    load: () => import("../domains/approval/examine/examines.panel.tsx"),
  },
  // the drawer of a room
  {
    ...room("bills", "账单", "26.query"),
    load: () => import("../domains/finance/bill-list/of-room.panel.tsx"),
  },
  {
    ...room("viewings", "看房", "15.query"),
    load: () => import("../domains/customer/viewing/room.panel.tsx"),
  },
  {
    ...room("line", "租约", ["9.query", "11.query", "107.query"]),
    load: () => import("../domains/contract/chain/of-room.panel.tsx"),
  },
  { ...room("listings", "发布", "67.query"), load: () => import("../domains/listing/sync/room.panel.tsx") },
  {
    ...panelIn("bill.tabs")("invoices", "发票", "28.query"),
    load: () => import("../domains/finance/invoice-list/of-bill.panel.tsx"),
  },
  {
    ...panelIn("contract.tabs")("invoices", "发票", "28.query"),
    load: () => import("../domains/finance/invoice-list/of-contract.panel.tsx"),
  },
  {
    ...panelIn("renter.tabs")("invoices", "发票", "28.query"),
    load: () => import("../domains/finance/invoice-list/of-party.panel.tsx"),
  },
  {
    ...panelIn("company.tabs")("invoices", "发票", "28.query"),
    load: () => import("../domains/finance/invoice-list/of-party.panel.tsx"),
  },
  {
    ...panelIn("merchant.tabs")("invoices", "发票", "28.query"),
    load: () => import("../domains/finance/invoice-list/of-party.panel.tsx"),
  },
  {
    ...panelIn("lead.tabs")("contracts", "合同", ["9.query", "11.query", "107.query"]),
    load: () => import("../domains/contract/contract-list/of-lead.panel.tsx"),
  },
  {
    ...panelIn("renter.tabs")("contracts", "合同", "9.query"),
    first: true,
    load: () => import("../domains/contract/contract-list/of-renter.panel.tsx"),
  },
  {
    ...panelIn("company.tabs")("line", "租约时间线", ["11.query", "11.get"]),
    load: () => import("../domains/contract/chain/of-firm.panel.tsx"),
  },
  {
    ...panelIn("merchant.tabs")("line", "租约时间线", ["107.query", "107.get"]),
    load: () => import("../domains/contract/chain/of-firm.panel.tsx"),
  },
  {
    ...panelIn("merchant.turnover")("turnover", "营业额", ["107.get", "106.get"]),
    load: () => import("../domains/contract/turnover/merchant.panel.tsx"),
  },
  {
    ...panelIn("company.rooms")("rooms", "房间与入住人", ["11.get", "113.get"]),
    load: () => import("../domains/contract/occupant/company.panel.tsx"),
  },
  {
    ...panelIn("contract.party")("picker", "客户", [
      "9.add",
      "9.edit",
      "11.add",
      "11.edit",
      "107.add",
      "107.edit",
      "96.add",
    ]),
    load: () => import("../domains/customer/choice/choice.panel.tsx"),
  },
  {
    ...village("accounts", "收款账户", ["252.query", "6.get"]),
    load: () => import("../domains/finance/account/bindings.panel.tsx"),
  },
  {
    ...village("charging", "计费设置", ["95.query", "6.get", "252.query"]),
    load: () => import("../domains/contract/config-form/charging.panel.tsx"),
  },
  // 平台配置
  {
    ...platform("brands", "品牌", "94.query"),
    load: () => import("../domains/access/brand/brands.panel.tsx"),
  },
  {
    ...platform("outbox", "短信发件箱", "super"),
    load: () => import("../domains/access/sms/outbox.panel.tsx"),
  },
  {
    ...platform("dead", "失效地址", "94.query"),
    load: () => import("../domains/access/lost/dead.panel.tsx"),
  },
  { ...platform("jobs", "定时任务", "94.query"), load: () => import("../domains/system/job/jobs.panel.tsx") },
  {
    ...platform("announcements", "公告", "94.query"),
    load: () => import("../domains/system/announcement/platform.panel.tsx"),
  },
  // 配置中心
  {
    ...config("accounts", "收款账户", "252.query"),
    load: () => import("../domains/finance/account/accounts.panel.tsx"),
  },
  {
    ...config("billing", "账务设置", "252.query"),
    load: () => import("../domains/finance/setting-form/billing.panel.tsx"),
  },
  {
    ...config("facilities", "设施字典", "124.query"),
    load: () => import("../domains/system/dic/facilities.panel.tsx"),
  },
  {
    ...config("fees", "费用字典", "109.query"),
    load: () => import("../domains/finance/subject/fees.panel.tsx"),
  },
  {
    ...config("customers", "客户字典", "111.query"),
    load: () => import("../domains/system/dic/customers.panel.tsx"),
  },
  {
    ...config("templates", "消息模板", "251.query"),
    load: () => import("../domains/system/template/templates.panel.tsx"),
  },
  {
    ...config("reminders", "催缴与提醒规则", "251.query"),
    load: () => import("../domains/customer/reminder/rules.panel.tsx"),
  },
  {
    ...config("assets", "资产字典", "117.query"),
    load: () => import("../domains/listing/asset/dic.panel.tsx"),
  },
  {
    ...config("indicators", "指标与规则", "138.query"),
    load: () => import("../domains/report/indicator/indicators.panel.tsx"),
  },
  {
    ...config("version", "版本说明", "253.query"),
    load: () => import("../domains/system/version/versions.panel.tsx"),
  },
  {
    ...config("watermark", "水印配置", "256.query"),
    load: () => import("../domains/system/watermark/watermark.form.tsx"),
  },
  {
    ...panelIn("pay.code")("code", "收款码"),
    load: () => import("../domains/finance/pay-order/slot.panel.tsx"),
  },
  {
    ...panelIn("bill.remind")("remind", "催缴", "26.edit"),
    load: () => import("../domains/finance/checkout/remind-slot.panel.tsx"),
  },
  {
    ...panelIn("bill.letters")("letters", "催缴函", ["9.get", "11.get", "107.get"]),
    load: () => import("../domains/finance/checkout/letter-slot.panel.tsx"),
  },
  {
    ...panelIn("village.charging")("billing", "账务设置", "252.query"),
    load: () => import("../domains/finance/setting-form/billing.panel.tsx"),
  },
  {
    ...panelIn("billing.terms")("lateTerms", "滞纳金标准", ["95.query", "252.query"]),
    load: () => import("../domains/contract/config-form/late-terms.panel.tsx"),
  },
  // 房源字典; facilities and assets are the same as in 配置中心
  { ...words("words", "选项", "58.query"), load: () => import("../domains/system/dic/house.panel.tsx") },
  {
    ...words("facilities", "设施", "124.query"),
    load: () => import("../domains/system/dic/facilities.panel.tsx"),
  },
  { ...words("assets", "资产", "117.query"), load: () => import("../domains/listing/asset/dic.panel.tsx") },
  { ...overlay("watermark", "水印"), load: () => import("../domains/system/watermark/watermark.panel.tsx") },
  {
    ...overlay("announcements", "公告"),
    load: () => import("../domains/system/announcement/must.panel.tsx"),
  },
  {
    ...panelIn("bill.tabs")("reminded", "催缴记录", "26.get"),
    load: () => import("../domains/contract/document/reminded.panel.tsx"),
  },
  {
    ...panelIn("workbench.side")("announcements", "公告"),
    load: () => import("../domains/system/announcement/card.panel.tsx"),
  },
];
