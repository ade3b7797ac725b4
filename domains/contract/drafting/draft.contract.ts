import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import {
  dayInput,
  flag,
  id,
  money,
  number,
  room,
  status,
  text,
  version,
} from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";
import { payPlan } from "../../listing/product/product.contract.ts";
import { CONFIG_SOURCES, CREDIT_RULES, MOVE_IN_RULES } from "../config/config.rules.ts";
import { CONTRACT_KINDS, ofAnyKind } from "../terms/kind.rules.ts";
import { contractForm, occupantShape, termsShape } from "../terms/terms.contract.ts";

const base = "/contract/api/v3/contract";

/** A stretch of a room's timeline around the wanted term. */
const taken = z.object({
  from: text("起"),
  to: text("止").nullable(),
  kind: z.enum(["lease", "reservation", "block"]),
  label: text("占用"),
});
export const roomCard = z.object({
  roomId: id,
  name: room("房间"),
  kind: z.enum(["whole", "room", "bed", "shop", "parking", "storage"]),
  layout: text("户型"),
  area: text("面积").nullable(),
  capacity: number("可住人数"),
  gender: z.enum(["any", "male", "female"]),
  listPrice: money("标价").nullable(),
  /** Only for who may see it. */
  lowestPrice: money("底价").nullable(),
  timeline: z.array(taken),
  minTermMonths: number("最短租期").nullable(),
  /**
   * What the room is let as, with the ways of paying that it offers, its shortest and longest term and its fees; a
   * disabled one offers none and holds nobody to its terms.
   */
  product: z
    .object({
      name: text("产品"),
      payPlans: z.array(payPlan),
      minTermMonths: number("最短租期").nullable(),
      maxTermMonths: number("最长租期").nullable(),
      fees: z.array(
        z.object({
          feeId: id,
          name: text("费用"),
          deposit: flag("押金"),
          amount: money("金额"),
          cycle: z.enum(["month", "period", "once"]),
        }),
      ),
    })
    .nullable(),
});
export const partyCard = z.object({
  partyId: id,
  name: text("客户"),
  phone: text("手机号"),
  certificate: text("证件"),
  gender: z.enum(["male", "female"]).nullable(),
  birthday: text("生日").nullable(),
  guardianName: text("监护人"),
  guardianPhone: text("监护人电话"),
  /** Of firms. */
  creditCode: text("统一社会信用代码").nullable(),
  legalName: text("法定代表人"),
  contactName: text("联系人"),
  /** Of a company with a limit. */
  credit: z.object({ limit: money("授信额度"), used: money("已用额度") }).nullable(),
  blackList: z.array(
    z.object({ level: z.enum(["forbid", "warn"]), reason: text("原因"), source: text("来源") }),
  ),
  /** Other contracts with overdue bills. */
  arrears: z.array(
    z.object({
      contractId: id,
      contractNo: text("合同号"),
      kind: z.enum(CONTRACT_KINDS),
      overdue: money("欠费"),
    }),
  ),
});

export const formData = call({
  method: "GET",
  path: `${base}/formData`,
  summary: "签约表单数据",
  needs: ofAnyKind("add", "edit"),
  query: z.object({
    kind: z.enum(CONTRACT_KINDS).default("renter"),
    villageId: z.coerce.number().int().positive(),
    roomIds: idList,
    partyId: z.coerce.number().int().positive().optional(),
    start: dayInput("起租日").optional(),
    end: dayInput("结束日期").optional(),
  }),
  reply: z.object({
    today: text("今天"),
    config: z.object({
      source: status("来源", CONFIG_SOURCES),
      holdDays: number("占房天数"),
      backdateDays: number("可倒签天数"),
      maxDepositMonths: number("押金上限"),
      maxPrepayMonths: number("预付上限"),
      moveInRule: status("入住条件", MOVE_IN_RULES),
      creditRule: status("企业超授信", CREDIT_RULES),
    }),
    terms: termsShape,
    rooms: z.array(roomCard),
    party: partyCard.nullable(),
    fees: z.array(
      z.object({
        feeId: id,
        code: text("编码"),
        name: text("费用科目"),
        deposit: flag("押金"),
        tax: text("税率"),
      }),
    ),
    people: z.array(z.object({ operatorId: id, name: text("姓名") })),
  }),
});

const saved = z.object({ id, contractNo: z.string(), version, occupantIds: z.array(id) });

export const createContract = call({
  method: "POST",
  path: base,
  summary: "新建合同草稿",
  needs: ofAnyKind("add"),
  target: "contract",
  body: contractForm,
  reply: saved,
});

export const saveContract = call({
  method: "PUT",
  path: `${base}/:id`,
  summary: "保存合同草稿",
  needs: ofAnyKind("edit", "add"),
  target: "contract",
  params: oneRecord,
  body: contractForm.extend({ version }),
  reply: saved,
});

export const deleteContract = call({
  method: "DELETE",
  path: `${base}/:id`,
  summary: "删除合同草稿",
  needs: ofAnyKind("delete"),
  target: "contract",
  params: oneRecord,
  reply: z.null(),
});

export const readForm = call({
  method: "GET",
  path: `${base}/:id/form`,
  summary: "读取合同草稿",
  needs: ofAnyKind("edit", "add"),
  params: oneRecord,
  reply: z.object({
    contractNo: z.string(),
    version,
    form: contractForm.extend({
      occupants: z.array(
        occupantShape.omit({ certNo: true }).extend({ id, certMasked: z.string().nullable() }),
      ),
    }),
  }),
});
