import { z } from "zod";
import type { Permit } from "../../../platform/kernel/call.ts";
import { wrongCells } from "../../../platform/kernel/fields/wrong-cells.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { bytesOf } from "../../system/file/purposes.rules.ts";
import { BASES } from "../../customer/commission-rule/commission.rules.ts";
import { payPlan } from "../../listing/product/product.contract.ts";
import { CONFIG_SOURCES, CREDIT_RULES, MOVE_IN_RULES } from "../config/config.rules.ts";
import { CONTRACT_KINDS, ofAnyKind } from "../terms/kind.rules.ts";
import { contractForm, occupantShape, termsShape } from "../terms/terms.contract.ts";

const contracts = callsAt("/contract/api/v3/contract", "contract");

const forRooms: Permit[] = ["11.add", "11.edit", "#1108"];
/** Rooms of a company's contract as a file names them, with their rents; which of them can be had, the form knows. */
export const readRoomFile = contracts.post("/roomFile", "读取房间文件", forRooms, {
  effect: "read",
  upload: { maxBytes: bytesOf("10M"), maxFiles: 1 },
  perMinute: 30,
  reply: z.object({
    rows: z.array(
      z.object({ row: f.number("行"), name: f.text("房间"), monthlyRent: f.money("月租金").nullable() }),
    ),
    errors: wrongCells,
  }),
});
export const roomFileTemplate = contracts.get("/roomFile/template", "房间导入模板", forRooms, {});

/** A stretch of a room's timeline around the wanted term. */
const taken = z.object({
  from: f.text("起"),
  to: f.text("止").nullable(),
  kind: z.enum(["lease", "reservation", "block"]),
  label: f.text("占用"),
  /** It gives the room to this contract: what its party reserved, the lease that it takes over, its own hold. */
  aside: z.boolean(),
});
export const roomCard = z.object({
  roomId: f.id,
  name: f.room("房间"),
  kind: z.enum(["whole", "room", "bed", "shop", "parking", "storage"]),
  layout: f.text("户型"),
  area: f.text("面积").nullable(),
  capacity: f.number("可住人数"),
  gender: z.enum(["any", "male", "female"]),
  listPrice: f.money("标价").nullable(),
  /** Only for who may see it. */
  lowestPrice: f.money("底价").nullable(),
  timeline: z.array(taken),
  minTermMonths: f.number("最短租期").nullable(),
  /**
   * What the room is let as, with the ways of paying that it offers, its shortest and longest term and its fees; a
   * disabled one offers none and holds nobody to its terms.
   */
  product: z
    .object({
      name: f.text("产品"),
      payPlans: z.array(payPlan),
      minTermMonths: f.number("最短租期").nullable(),
      maxTermMonths: f.number("最长租期").nullable(),
      fees: z.array(
        z.object({
          feeId: f.id,
          name: f.text("费用"),
          deposit: f.flag("押金"),
          amount: f.money("金额"),
          cycle: z.enum(["month", "period", "once"]),
        }),
      ),
    })
    .nullable(),
});
export const partyCard = z.object({
  partyId: f.id,
  name: f.text("客户"),
  phone: f.text("手机号"),
  certificate: f.text("证件"),
  gender: z.enum(["male", "female"]).nullable(),
  birthday: f.text("生日").nullable(),
  guardianName: f.text("监护人"),
  guardianPhone: f.text("监护人电话"),
  /** Of firms. */
  creditCode: f.text("统一社会信用代码").nullable(),
  legalName: f.text("法定代表人"),
  contactName: f.text("联系人"),
  /** Of a company with a limit. */
  credit: z.object({ limit: f.money("授信额度"), used: f.money("已用额度") }).nullable(),
  blackList: z.array(
    z.object({ level: z.enum(["forbid", "warn"]), reason: f.text("原因"), source: f.text("来源") }),
  ),
  /** To whom invoices of a firm can be made out. */
  titles: z.array(
    z.object({ id: f.id, title: f.text("抬头"), taxNo: f.text("税号"), isDefault: f.flag("默认") }),
  ),
  /** Other contracts with overdue bills. */
  arrears: z.array(
    z.object({
      contractId: f.id,
      contractNo: f.text("合同号"),
      kind: z.enum(CONTRACT_KINDS),
      overdue: f.money("欠费"),
    }),
  ),
});

export const formData = contracts.get("/formData", "签约表单数据", ofAnyKind("add", "edit"), {
  query: z.object({
    kind: z.enum(CONTRACT_KINDS).default("renter"),
    villageId: z.coerce.number().int().positive(),
    roomIds: idList,
    partyId: z.coerce.number().int().positive().optional(),
    /** The draft, once it is saved. */
    contractId: z.coerce.number().int().positive().optional(),
    start: f.dayInput("起租日").optional(),
    end: f.dayInput("结束日期").optional(),
  }),
  reply: z.object({
    today: f.text("今天"),
    config: z.object({
      source: f.status("来源", CONFIG_SOURCES),
      holdDays: f.number("占房天数"),
      backdateDays: f.number("可倒签天数"),
      maxDepositMonths: f.number("押金上限"),
      maxPrepayMonths: f.number("预付上限"),
      moveInRule: f.status("入住条件", MOVE_IN_RULES),
      creditRule: f.status("企业超授信", CREDIT_RULES),
      offlineAllowed: f.flag("允许线下签署"),
    }),
    terms: termsShape,
    rooms: z.array(roomCard),
    party: partyCard.nullable(),
    fees: z.array(
      z.object({
        feeId: f.id,
        code: f.text("编码"),
        name: f.text("费用科目"),
        deposit: f.flag("押金"),
        tax: f.text("税率"),
      }),
    ),
    people: z.array(z.object({ operatorId: f.id, name: f.text("姓名") })),
    /** Where tenants come from. */
    channels: z.array(z.object({ code: z.string(), name: f.text("渠道") })),
  }),
});

/** By which rule the contract would earn something for its agent, were it signed today; nothing for one of another store. */
export const agentOutlook = contracts.get("/agent", "经纪人佣金规则", ofAnyKind("add", "edit"), {
  query: z.object({
    kind: z.enum(CONTRACT_KINDS).default("renter"),
    villageId: z.coerce.number().pipe(f.id),
    agentId: z.coerce.number().pipe(f.id),
    partyId: z.coerce.number().pipe(f.id).optional(),
    /** The draft, once it is kept: what it comes after counts. */
    contractId: z.coerce.number().pipe(f.id).optional(),
  }),
  reply: z
    .object({
      agentId: f.id,
      name: f.text("经纪人"),
      agencyName: f.text("机构"),
      why: f.text("不产生佣金的原因").nullable(),
      rule: z
        .object({
          name: f.text("佣金规则"),
          base: f.status("基数", BASES),
          tiers: z.array(
            z.object({
              fromMonths: z.number().int(),
              percent: z.string().nullish(),
              fixed: z.number().int().nullish(),
            }),
          ),
          cap: f.money("封顶").nullable(),
          payAfterDays: z.number().int(),
        })
        .nullable(),
    })
    .nullable(),
});

const saved = z.object({ id: f.id, contractNo: z.string(), version: f.version, occupantIds: z.array(f.id) });

export const createContract = contracts.post("", "新建合同草稿", ofAnyKind("add"), {
  body: contractForm,
  reply: saved,
});

export const saveContract = contracts.put("/:id", "保存合同草稿", ofAnyKind("edit", "add"), {
  body: contractForm.extend({ version: f.version }),
  reply: saved,
});

export const deleteContract = contracts.delete("/:id", "删除合同草稿", ofAnyKind("delete"), {
  reply: z.null(),
});

export const readForm = contracts.get("/:id/form", "读取合同草稿", ofAnyKind("edit", "add"), {
  reply: z.object({
    contractNo: z.string(),
    version: f.version,
    form: contractForm.extend({
      occupants: z.array(
        occupantShape.omit({ certNo: true }).extend({ id: f.id, certMasked: z.string().nullable() }),
      ),
    }),
  }),
});
