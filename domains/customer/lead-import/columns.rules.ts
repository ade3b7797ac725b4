import { ROOM_KINDS } from "../../listing/room/words.rules.ts";
import type { ImportColumn } from "../../system/import/import.rules.ts";
import { LAYOUTS, LEVELS } from "../lead/lead.rules.ts";
import { GENDERS } from "../renter/words.rules.ts";

export const COLUMNS: readonly ImportColumn[] = [
  { title: "姓名", key: "name", must: true, note: "1到30个字" },
  { title: "手机", key: "phone", must: true, note: "11位手机号，不能与在跟进的客源重复" },
  { title: "来源", key: "source", must: true, note: "客户字典中的来源渠道，如：上门" },
  { title: "渠道", key: "channelName", note: "如房源平台名称" },
  { title: "经纪人", key: "agentName", note: "来源为经纪人时必填" },
  { title: "性别", key: "gender", words: GENDERS },
  { title: "级别", key: "level", words: LEVELS },
  { title: "类型", key: "kind", words: ROOM_KINDS },
  { title: "户型", key: "layout", words: LAYOUTS },
  { title: "预算下限", key: "budgetFrom", yuan: true, note: "元/月" },
  { title: "预算上限", key: "budgetTo", yuan: true, note: "元/月" },
  { title: "入住日", key: "moveInDay", day: true, note: "2026-12-01" },
  { title: "租期", key: "termMonths", whole: true, note: "月数" },
  { title: "入住人数", key: "people", whole: true },
  { title: "标签", key: "tags", list: true, note: "最多10个，用顿号分开" },
  { title: "负责人", key: "owner", note: "员工姓名；不填进入公海" },
  { title: "备注", key: "remark", note: "最多200字" },
];
