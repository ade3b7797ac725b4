import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { ENTERPRISES } from "../account/account.contract.ts";
import { CHANNELS } from "../account/channel.rules.ts";
import { ACCOUNT_STATE } from "../account/account.rules.ts";
import { SUMMARY_KIND } from "./summary.rules.ts";

const summary = callsAt("/report/api/v3/accountSummary");
const of = { villageIds: filter.villages(), enterpriseId: filter.record("企业", ENTERPRISES) };

const figures = {
  opening: f.money("期初余额"),
  received: f.money("收款", { help: "收款减冲销，含对公入账" }),
  movedIn: f.money("内部转入", { help: "缴款到账、渠道结算、短款补缴" }),
  refunded: f.money("退款"),
  paid: f.money("付款"),
  movedOut: f.money("内部转出", { help: "缴款、渠道结算到银行" }),
  fee: f.money("手续费"),
  closing: f.money("期末余额"),
};

export const accountSummary = summary.get("", "账户汇总", "23.query", {
  query: pageQuery("kind", "closing", "received").extend({
    ...of,
    ...filter.between("from", "to", f.dayInput("日期").optional(), { kind: "days", title: "日期", last: 1 }),
    kind: filter.choices("账户类型", SUMMARY_KIND),
    keyword: filter.keyword("账户名称、商户号、银行账号后四位"),
  }),
  reply: pageReply(
    z.object({
      /** 0: what head office holds of the stores' money. */
      id: z.number().int().min(0),
      name: f.link("账户"),
      kind: f.status("类型", SUMMARY_KIND),
      holderName: f.text("持有方"),
      ...figures,
      unreconciled: f
        .number("未对账天数", { unit: "天", help: "近 90 天有收付、还没有对平的天数" })
        .nullable(),
      reconciledOn: f.day("最近对账日").nullable(),
      state: f.status("状态", ACCOUNT_STATE).nullable(),
    }),
    z.object(figures),
  ),
});

export const exportSummary = exportOf({
  type: "accountSummary",
  title: "账户汇总",
  needs: "23.export",
  list: accountSummary,
});

/** What is in hand today; null where it is not of the stores that are asked for. */
export const summaryCards = summary.get("/cards", "账户汇总卡片", "23.query", {
  query: z.object(of),
  reply: z.object({
    today: f.money("今日收款"),
    month: f.money("本月收款"),
    arrears: f.money("欠费"),
    unclaimed: f.money("待认领").nullable(),
    onTheWay: f.money("缴款在途"),
    toRefund: f.money("待付退款"),
    prepaid: f.money("预存款"),
    deposits: f.money("押金"),
  }),
});

/** Money in by channel and money out, day by day. */
export const summaryTrend = summary.get("/trend", "近 30 天收付", "23.query", {
  query: z.object(of),
  reply: z.object({
    days: z.array(z.string()),
    channels: z.array(
      z.object({
        channel: z.enum(Object.keys(CHANNELS) as [keyof typeof CHANNELS]),
        amounts: z.array(z.number()),
      }),
    ),
    out: z.array(z.number()),
  }),
});
