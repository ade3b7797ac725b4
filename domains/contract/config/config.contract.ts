import { z } from "zod";
import * as filter from "../../../platform/kernel/filter.ts";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { lateFeeFields } from "../../finance/setting/late-terms.rules.ts";
import { termsShape } from "../terms/terms.contract.ts";
import { CONFIG_SOURCES, CREDIT_RULES, FREE_ROOM_AT, MOVE_IN_RULES, VERIFY_RULES } from "./config.rules.ts";

const values = z.object({
  holdDays: f.whole("提交后占房", 1, 30, { unit: "天" }),
  backdateDays: f.whole("可倒签", 0, 365, { unit: "天" }),
  renewalWindowDays: f.whole("可续租期", 15, 180, { unit: "天" }),
  renewNeedsPaid: f.flag("续租须结清欠费"),
  moveInRule: f.choice("入住条件", MOVE_IN_RULES),
  freeRoomAt: f.choice("退房释放房间", FREE_ROOM_AT),
  silentDays: f.whole("结算单未答复视为同意", 1, 30, { unit: "天" }),
  creditRule: f.choice("企业超授信", CREDIT_RULES),
  verifyRule: f.choice("未核验租客", VERIFY_RULES),
  maxDepositMonths: f.whole("押金上限", 0, 12, { unit: "个月", help: "0 表示不限" }),
  maxPrepayMonths: f.whole("预付租金上限", 0, 24, { unit: "个月", help: "0 表示不限" }),
  /** What the form starts from; a field left out takes the product's. */
  defaultTerms: termsShape.omit({ discounts: true, openOn: true }).partial(),
});

/** Late-fee terms that begin on a later day. */
const comingTerms = z.object({ from: f.day("生效日期"), terms: lateFeeFields.partial() });
const query = z.object({ villageId: z.coerce.number().int().positive().optional() });
const configs = callsAt("/contract/api/v3/contractConfig", "contractConfig");

export const readContractConfig = configs.get(
  "",
  "合同参数",
  ["95.query", "95.get", "9.get", "6.get", "252.query"],
  {
    /** Without a village: the enterprise's own. */
    query,
    reply: values.extend({
      /** Of the set in force; null while it is the product's. */
      id: f.id.nullable(),
      villageId: f.id.nullable(),
      today: f.day("今天"),
      /** Whether it lies in this operator's hands: the enterprise's belongs to who manages all its villages. */
      editable: f.flag("可修改"),
      coming: z.array(comingTerms),
      source: f.status("来源", CONFIG_SOURCES),
      /** 0 = this village, or the enterprise, has no set of its own yet. */
      version: z.number().int(),
      updatedAt: f.instant("更新时间").nullable(),
      updatedBy: f.person("更新人").nullable(),
    }),
  },
);

export const writeContractConfig = configs.put("", "修改合同参数", "95.edit", {
  query,
  body: values.extend({ version: f.versionOrNone }),
  reply: z.object({ id: f.id, version: z.number().int() }),
});

/** The late-fee terms alone, from a day on: the same record, as the billing settings show and edit it. */
export const writeLateFeeTerms = configs.put("/lateFee", "修改默认滞纳金条款", ["95.edit", "252.edit"], {
  query,
  body: lateFeeFields.extend({ effectiveDate: f.dayInput("生效日期"), version: f.versionOrNone }),
  reply: z.object({ id: f.id, version: z.number().int() }),
});

/** Gives a village back to its enterprise's set. */
export const removeContractConfig = configs.delete("", "取消门店单独设置的合同参数", "95.edit", {
  query: z.object({ villageId: z.coerce.number().int().positive() }),
  reply: z.object({ id: f.id }),
});

export const configRow = values
  .omit({ defaultTerms: true })
  .extend({
    /** Of the village; 0 is the enterprise's own set. */
    id: z.number().int(),
    villageId: f.id.nullable(),
    name: f.link("适用范围"),
    source: f.status("来源", CONFIG_SOURCES),
    editable: f.flag("可修改"),
    version: z.number().int(),
    updatedAt: f.instant("更新时间").nullable(),
    updatedBy: f.person("更新人").nullable(),
  })
  .extend(lateFeeFields.shape);

/** The enterprise's set and those of the villages that have one of their own. */
export const listContractConfigs = configs.get("/list", "合同参数列表", "95.query", {
  query: pageQuery("name").extend({ villageIds: filter.villages() }),
  reply: pageReply(configRow),
});
