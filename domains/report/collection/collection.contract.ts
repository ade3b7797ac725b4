import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { idList, pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { CHANNELS } from "../../finance/account/channel.rules.ts";
import { CHANNEL_COLUMNS } from "./collection.rules.ts";
const collections = callsAt("/report/api/v3/dailyCollection");
const channels = CHANNEL_COLUMNS as [keyof typeof CHANNELS, ...(keyof typeof CHANNELS)[]];

const found = z.object({
  keyword: z.string().trim().max(50).optional(),
  ids: idList,
  pageSize: z.string().optional(),
});
const named = z.array(z.object({ id: f.id, name: z.string() }));

export const collectionAccounts = collections.get("/accounts", "日收款报表的收款账户选项", "99.query", {
  query: found,
  reply: named,
});

export const collectionOperators = collections.get("/operators", "日收款报表的经办人选项", "99.query", {
  query: found,
  reply: named,
});

const option = (row: { id: number; name: string }) => ({ value: row.id, label: row.name });
const ACCOUNTS: Source = { call: collectionAccounts, option };
const OPERATORS: Source = { call: collectionOperators, option };

const query = {
  villageIds: filter.villages(),
  ...filter.between("from", "to", f.dayInput("日期").optional(), { kind: "days", title: "日期", last: 1 }),
  channel: filter.by(wordList(channels), { kind: "choice", title: "渠道", words: CHANNELS, many: true }),
  accountIds: filter.records("账户", ACCOUNTS),
  operatorIds: filter.records("经办人", OPERATORS),
};

/** One column for each channel, then what they make together. */
const figures = {
  wechat: f.money("微信"),
  alipay: f.money("支付宝"),
  unionpay: f.money("银联"),
  pos: f.money("POS"),
  cash: f.money("现金"),
  bankTransfer: f.money("银行转账"),
  corporate: f.money("对公认领"),
  till: f.money("内置收银"),
  total: f.money("合计", { help: "当日确认的收款减当日冲销，退款不计" }),
  flows: f.number("笔数", { unit: "笔" }),
  reversed: f.money("冲销", { help: "当日冲销的收款，已从各渠道与合计中减去" }),
  fee: f.money("手续费"),
  net: f.money("净额", { help: "合计减手续费" }),
  refund: f.money("退款", { help: "当日付出的退款，仅备查，不在合计内" }),
};

export const dailyCollection = collections.get("", "日收款报表", "99.query", {
  query: pageQuery("day").extend(query),
  reply: pageReply(z.object({ id: z.number(), day: f.day("日期"), ...figures }), z.object(figures)),
});

export const collectionDetail = collections.get("/detail", "日收款明细", "99.query", {
  query: pageQuery("paidAt", "amount").extend(query),
  reply: pageReply(
    z.object({
      id: f.id,
      paidAt: f.instant("时间"),
      flowNo: f.link("流水号"),
      flowId: f.id,
      villageName: f.text("门店"),
      partyName: f.person("客户").nullable(),
      roomName: f.room("房间").nullable(),
      channel: f.status("渠道", CHANNELS),
      amount: f.money("金额", { help: "冲销为负数，记在冲销当日" }),
      fee: f.money("手续费"),
      subjects: f.text("分配到"),
      unallocated: f.money("未分配"),
      operatorName: f.person("经办人"),
      day: f.day("入账日"),
      businessDay: f.day("业务日期", { help: "与入账日不同时显示" }).nullable(),
    }),
    z.object({ amount: f.money("金额"), fee: f.money("手续费"), unallocated: f.money("未分配") }),
  ),
});

export const exportCollection = exportOf({
  type: "dailyCollection",
  title: "日收款报表",
  needs: "99.export",
  list: dailyCollection,
});

export const exportCollectionDetail = exportOf({
  type: "collectionDetail",
  title: "日收款明细",
  needs: "99.export",
  list: collectionDetail,
  personal: true,
});
