import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { CHANNELS, type Channel } from "../../finance/flow/words.rules.ts";

const BASE = "/report/api/v3/dailyCollection";
const channels = Object.keys(CHANNELS) as [Channel, ...Channel[]];

const filter = {
  villageIds: idList,
  from: f.dayInput("日期").optional(),
  to: f.dayInput("日期").optional(),
  channel: wordList(channels),
  accountIds: idList,
  operatorIds: idList,
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
  total: f.money("合计", { help: "收款减当日冲销，退款不计" }),
  flows: f.number("笔数"),
  reversed: f.money("冲销", { help: "已含在各渠道与合计中" }),
  fee: f.money("手续费"),
  net: f.money("净额", { help: "合计减手续费" }),
  refund: f.money("退款", { help: "备查，不在合计内" }),
};

export const dailyCollection = call({
  method: "GET",
  path: BASE,
  summary: "日收款报表",
  needs: "99.query",
  query: pageQuery("day").extend(filter),
  reply: pageReply(z.object({ id: z.string(), day: f.link("日期"), ...figures }), z.object(figures)).extend({
    asOf: z.string(),
    locked: z.boolean(),
    byVillage: z.array(z.object({ villageId: f.id, name: z.string(), total: z.number() })),
  }),
});

export const collectionDetail = call({
  method: "GET",
  path: `${BASE}/detail`,
  summary: "日收款明细",
  needs: "99.query",
  query: pageQuery("paidAt", "amount").extend(filter),
  reply: pageReply(
    z.object({
      id: z.number().int(),
      paidAt: f.instant("时间"),
      flowNo: f.link("流水号"),
      flowId: f.id,
      villageName: f.text("门店"),
      partyName: f.person("客户").nullable(),
      roomName: f.text("房间").nullable(),
      channel: f.status("渠道", CHANNELS),
      amount: f.money("金额"),
      fee: f.money("手续费"),
      subjects: f.text("分配到"),
      unallocated: f.money("未分配"),
      operatorName: f.person("经办人"),
      businessDay: f.day("业务日期").nullable(),
    }),
    z.object({ amount: f.money("金额"), fee: f.money("手续费"), unallocated: f.money("未分配") }),
  ),
});
