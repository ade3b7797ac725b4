import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import {
  choice,
  day,
  dayInput,
  flag,
  id,
  instant,
  link,
  person,
  status,
  whole,
  versionOrNone,
} from "../../../platform/kernel/field.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { lateFeeFields } from "../../finance/setting/late-terms.rules.ts";
import { termsShape } from "../terms/terms.contract.ts";
import { CONFIG_SOURCES, CREDIT_RULES, FREE_ROOM_AT, MOVE_IN_RULES, VERIFY_RULES } from "./config.rules.ts";

const values = z.object({
  holdDays: whole("提交后占房", 1, 30, { unit: "天" }),
  backdateDays: whole("可倒签", 0, 365, { unit: "天" }),
  renewalWindowDays: whole("可续租期", 15, 180, { unit: "天" }),
  moveInRule: choice("入住条件", MOVE_IN_RULES),
  freeRoomAt: choice("退房释放房间", FREE_ROOM_AT),
  creditRule: choice("企业超授信", CREDIT_RULES),
  verifyRule: choice("未核验租客", VERIFY_RULES),
  maxDepositMonths: whole("押金上限", 0, 12, { unit: "个月", help: "0 表示不限" }),
  maxPrepayMonths: whole("预付租金上限", 0, 24, { unit: "个月", help: "0 表示不限" }),
  /** What the form starts from; a field left out takes the product's. */
  defaultTerms: termsShape.partial(),
});

/** Late-fee terms that begin on a later day. */
const comingTerms = z.object({ from: day("生效日期"), terms: lateFeeFields.partial() });
const query = z.object({ villageId: z.coerce.number().int().positive().optional() });
const path = "/contract/api/v3/contractConfig";

export const readContractConfig = call({
  method: "GET",
  path,
  summary: "合同参数",
  needs: ["95.query", "95.get", "9.get", "6.get", "252.query"],
  /** Without a village: the enterprise's own. */
  query,
  reply: values.extend({
    /** Of the set in force; null while it is the product's. */
    id: id.nullable(),
    villageId: id.nullable(),
    today: day("今天"),
    /** Whether it lies in this operator's hands: the enterprise's belongs to who manages all its villages. */
    editable: flag("可修改"),
    coming: z.array(comingTerms),
    source: status("来源", CONFIG_SOURCES),
    /** 0 = this village, or the enterprise, has no set of its own yet. */
    version: z.number().int(),
    updatedAt: instant("更新时间").nullable(),
    updatedBy: person("更新人").nullable(),
  }),
});

export const writeContractConfig = call({
  method: "PUT",
  path,
  summary: "修改合同参数",
  needs: "95.edit",
  target: "contractConfig",
  query,
  body: values.extend({ version: versionOrNone }),
  reply: z.object({ id, version: z.number().int() }),
});

/** The late-fee terms alone, from a day on: the same record, as the billing settings show and edit it. */
export const writeLateFeeTerms = call({
  method: "PUT",
  path: `${path}/lateFee`,
  summary: "修改默认滞纳金条款",
  needs: ["95.edit", "252.edit"],
  target: "contractConfig",
  query,
  body: lateFeeFields.extend({ effectiveDate: dayInput("生效日期"), version: versionOrNone }),
  reply: z.object({ id, version: z.number().int() }),
});

/** Gives a village back to its enterprise's set. */
export const removeContractConfig = call({
  method: "DELETE",
  path,
  summary: "取消门店单独设置的合同参数",
  needs: "95.edit",
  target: "contractConfig",
  query: z.object({ villageId: z.coerce.number().int().positive() }),
  reply: z.object({ id }),
});

export const configRow = values
  .omit({ defaultTerms: true })
  .extend({
    /** Of the village; 0 is the enterprise's own set. */
    id: z.number().int(),
    villageId: id.nullable(),
    name: link("适用范围"),
    source: status("来源", CONFIG_SOURCES),
    editable: flag("可修改"),
    version: z.number().int(),
    updatedAt: instant("更新时间").nullable(),
    updatedBy: person("更新人").nullable(),
  })
  .extend(lateFeeFields.shape);

/** The enterprise's set and those of the villages that have one of their own. */
export const listContractConfigs = call({
  method: "GET",
  path: `${path}/list`,
  summary: "合同参数列表",
  needs: "95.query",
  query: pageQuery("name").extend({ villageIds: filter.villages() }),
  reply: pageReply(configRow),
});
