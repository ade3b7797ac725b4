import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList, pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { AGES } from "./owing.rules.ts";

const BASE = "/report/api/v3/owing";
export const MODES = ["party", "room", "bill", "subject", "village"] as const;
const ages = AGES.map((a) => a.key) as unknown as [string, ...string[]];

const filter = {
  villageIds: idList,
  /** 截至日: what was owed at the end of this day. */
  day: f.dayInput("截至日").optional(),
  mode: z.enum(MODES).default("party"),
  subjectIds: idList,
  ages: wordList(ages),
  partyKind: z.enum(["renter", "company", "merchant"]).optional(),
  contractState: z.enum(["living", "left"]).optional(),
  amountFrom: z.coerce.number().int().min(0).optional(),
  amountTo: z.coerce.number().int().min(0).optional(),
  /** 含争议 */
  disputed: z.enum(["yes", "no"]).default("yes"),
  keyword: z.string().trim().max(50).optional(),
};

const buckets = {
  owed: f.money("欠费合计", { help: "已到应收日、截至日仍未收的金额" }),
  d30: f.money("1-30天"),
  d60: f.money("31-60天"),
  d90: f.money("61-90天"),
  d180: f.money("91-180天"),
  d365: f.money("181-365天"),
  over: f.money("365天以上"),
};

export const owingReport = call({
  method: "GET",
  path: BASE,
  summary: "欠费报表",
  needs: "114.query",
  query: pageQuery("owed", "maxDays").extend(filter),
  reply: pageReply(
    z.object({
      id: z.number().int(),
      name: f.link("名称"),
      phone: f.phone("手机").nullable(),
      rooms: f.text("房间").nullable(),
      contractState: f.text("合同状态").nullable(),
      ...buckets,
      lateFee: f.money("预计滞纳金", { help: "按截至日逐日计算，未出账" }).nullable(),
      deposit: f.money("押金").nullable(),
      prepaid: f.money("预存款").nullable(),
      net: f.money("净欠", { help: "欠费减预存款" }).nullable(),
      maxDays: f.number("最长逾期", { unit: "天" }),
    }),
    z.object(buckets),
  ).extend({ day: z.string(), asOf: z.string() }),
});

export const owingSummary = call({
  method: "GET",
  path: `${BASE}/summary`,
  summary: "欠费账龄与走势",
  needs: "114.query",
  query: z.object({ villageIds: idList, day: f.dayInput("截至日").optional() }),
  reply: z.object({
    villages: z.array(z.object({ villageId: f.id, name: z.string(), ...buckets })),
    months: z.array(z.object({ day: z.string(), owed: z.number() })),
  }),
});
