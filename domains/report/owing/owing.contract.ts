import { z } from "zod";
import { callsAt } from "../../../platform/kernel/records.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { roomLabel } from "../../../platform/kernel/texts/names.ts";
import { idList, pageQuery, pageReply, wordList } from "../../../platform/kernel/paging.ts";
import { roomOptions } from "../../listing/room/options.contract.ts";
import { AGES, AGE_WORDS, CONTRACT_STATES, MODES, PARTY_KINDS } from "./owing.rules.ts";
const owings = callsAt("/report/api/v3/owing", "party");

const found = z.object({
  keyword: z.string().trim().max(50).optional(),
  ids: idList,
  pageSize: z.coerce.number().int().min(1).max(200).default(50),
});
const named = z.array(z.object({ id: f.id, name: z.string(), note: z.string().nullable() }));

export const owingParties = owings.get("/parties", "欠费报表的客户选项", "114.query", {
  query: found,
  reply: named,
});

export const owingSubjects = owings.get("/subjects", "欠费报表的费用科目选项", "114.query", {
  query: found,
  reply: named,
});

const option = (row: { id: number; name: string; note: string | null }) => ({
  value: row.id,
  label: row.name,
  note: row.note ?? undefined,
});
export const PARTIES: Source = { call: owingParties, option };
export const SUBJECTS: Source = { call: owingSubjects, option };
export const ROOMS: Source = {
  call: roomOptions,
  option: (row: { id: number; fullName: string }) => ({ value: row.id, label: roomLabel(row.fullName) }),
};
const ages = AGES.map((a) => a.key) as unknown as [string, ...string[]];
const keysOf = <K extends string>(words: Record<K, unknown>) => Object.keys(words) as [K, ...K[]];
const fen = z.coerce.number().int().min(0).optional();

const buckets = {
  owed: f.money("欠费合计", { help: "已出账、应收日在截至日之前、截至日仍未收的金额" }),
  d30: f.money("1-30 天"),
  d60: f.money("31-60 天"),
  d90: f.money("61-90 天"),
  d180: f.money("91-180 天"),
  d365: f.money("181-365 天"),
  over: f.money("365 天以上"),
};
const held = {
  deposit: f.money("押金").nullable(),
  prepaid: f.money("预存款").nullable(),
  net: f.money("净欠", { help: "欠费合计减预存款" }).nullable(),
};

/** One row stands for a party, a room, a bill, a fee subject or a village: the words that do not fit it are null. */
export const owingRow = z.object({
  id: z.number().int(),
  partyId: z.number().nullable(),
  partyName: f.link("客户").nullable(),
  phone: f.phone("手机").nullable(),
  roomId: z.number().nullable(),
  rooms: f.room("房间").nullable(),
  villageId: z.number().nullable(),
  villageName: f.text("门店").nullable(),
  billNo: f.link("账单号").nullable(),
  subjectName: f.link("费用科目").nullable(),
  dueDate: f.day("应收日").nullable(),
  contractState: f.status("合同状态", CONTRACT_STATES).nullable(),
  ...buckets,
  bills: f.number("笔数", { unit: "笔" }),
  lateFee: f.money("预计滞纳金", { help: "计算到截至日、尚未计入账单的滞纳金，不在欠费合计内" }).nullable(),
  ...held,
  maxDays: f.number("最长逾期", { unit: "天" }),
  remindedOn: f.day("最近催缴", { help: "截至日以前最近一次手工催缴或逾期提醒的日期" }).nullable(),
  promiseDay: f.day("承诺付款日").nullable(),
  note: f.text("跟进备注").nullable(),
});

export const owingReport = owings.get("", "欠费报表", "114.query", {
  query: pageQuery("owed", "maxDays").extend({
    villageIds: filter.villages(),
    /** What was owed at the end of this day. */
    day: filter.by(f.dayInput("截至日").optional(), { kind: "day", title: "截至日", today: true }),
    mode: filter.by(z.enum(keysOf(MODES)).default("party"), {
      kind: "choice",
      title: "汇总方式",
      words: MODES,
    }),
    partyId: filter.by(z.coerce.number().int().positive().optional(), {
      kind: "record",
      title: "客户",
      source: PARTIES,
    }),
    /** 0 = bills without a room. */
    roomId: filter.by(z.coerce.number().int().min(0).optional(), {
      kind: "record",
      title: "房间",
      source: ROOMS,
    }),
    subjectIds: filter.records("费用科目", SUBJECTS),
    ages: filter.by(wordList(ages), { kind: "choice", title: "账龄", words: AGE_WORDS, many: true }),
    partyKind: filter.choice("客户类型", PARTY_KINDS),
    contractState: filter.choice("合同状态", CONTRACT_STATES),
    ...filter.between("amountFrom", "amountTo", fen, { kind: "money", title: "欠费金额" }),
    disputed: filter.by(z.enum(["true", "false"]).default("true"), { kind: "flag", title: "含争议" }),
    keyword: filter.by(z.string().trim().max(50, "关键字最多50个字").optional(), {
      kind: "keyword",
      title: "客户、手机号、房间、合同号",
    }),
  }),
  reply: pageReply(owingRow, z.object({ ...buckets, ...held, bills: f.number("笔数") })),
});

export const owingSummary = owings.get("/summary", "欠费账龄与走势", "114.query", {
  query: z.object({ villageIds: idList, day: f.dayInput("截至日").optional() }),
  reply: z.object({
    villages: z.array(z.object({ villageId: f.id, name: z.string(), ...buckets })),
    months: z.array(z.object({ day: z.string(), owed: z.number() })),
  }),
});

export const exportOwing = exportOf({
  type: "owing",
  title: "欠费报表",
  needs: "114.export",
  list: owingReport,
  personal: true,
});

const params = z.object({ partyId: z.coerce.number().pipe(f.id) });

export const listFollows = owings.get("/:partyId/follow", "欠费跟进记录", "114.query", {
  params,
  reply: z.array(
    z.object({
      id: f.id,
      at: f.instant("时间"),
      operatorName: f.person("经办人"),
      villageName: f.text("门店"),
      promiseDay: f.day("承诺付款日").nullable(),
      note: f.text("备注"),
    }),
  ),
});

export const addFollow = owings.post("/:partyId/follow", "登记欠费跟进", "114.edit", {
  params,
  body: z.object({
    promiseDay: f.dayInput("承诺付款日").nullish(),
    note: f.input("备注", 2, 200, "请填写备注（2-200字）"),
  }),
  reply: z.object({ id: f.id }),
});
