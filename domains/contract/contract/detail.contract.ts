import { z } from "zod";
import { call, type Reply } from "../../../platform/kernel/call.ts";
import {
  certificateNo,
  day,
  flag,
  id,
  instant,
  link,
  money,
  number,
  person,
  phone,
  room,
  status,
  text,
  type Words,
} from "../../../platform/kernel/field.ts";
import { BILL_STATUS } from "../../finance/bill/bill.rules.ts";
import { CHANNELS } from "../../finance/account/channel.rules.ts";
import { termsShape } from "../terms/terms.contract.ts";
import { base, contractRow, SOURCES } from "./contract.contract.ts";
import { PHASES } from "./contract.rules.ts";
import { ofAnyKind } from "../terms/kind.rules.ts";
import { oneRecord } from "../../../platform/kernel/records.ts";

const get = <R extends z.ZodType>(path: string, summary: string, reply: R) =>
  call({
    method: "GET",
    path: `${base}/:id${path}`,
    summary,
    needs: ofAnyKind("get"),
    target: "contract",
    params: oneRecord,
    reply,
  });

/** billed = received + owed − credited; what is invoiced never exceeds what is billed; the deposit held. */
export const contractMoney = z.object({
  total: money("合同应收", { help: "全部账单（含押金和未出账的计划账单），减免后" }),
  billed: money("已出账"),
  received: money("已收"),
  owed: money("已出账未收"),
  writtenOff: money("核销"),
  credited: money("减免调整"),
  planned: money("未出账"),
  overdue: money("欠费"),
  invoiced: money("已开票"),
  depositBilled: money("应收押金"),
  depositHeld: money("押金在管"),
});

export const getContract = get(
  "",
  "合同详情",
  contractRow.extend({
    anchorDate: day("计费起算日").nullable(),
    handoverOn: day("入住日").nullable(),
    signDeadline: instant("签署截止").nullable(),
    signedFileHash: text("签署件 SHA-256").nullable(),
    createdAt: instant("起草时间"),
    voidReason: text("作废原因").nullable(),
    blackListReason: text("黑名单签约说明").nullable(),
    creditReason: text("超授信签约说明").nullable(),
    remark: text("备注"),
    /** The number it had before it was brought in, and what it had then. */
    oldNo: text("原合同号"),
    opening: z
      .object({
        paidTo: day("已付至"),
        takenOn: day("接管日"),
        deposit: money("在管押金"),
        arrears: money("欠费"),
        prepaid: money("预存款"),
      })
      .nullable(),
    party: z
      .object({
        name: person("客户"),
        phone: phone("手机号"),
        certType: text("证件类型").nullable(),
        certNo: certificateNo("证件号").nullable(),
        creditCode: text("统一社会信用代码").nullish(),
        legalName: text("法定代表人").optional(),
        contactName: text("联系人").optional(),
        address: text("地址").optional(),
      })
      .nullable(),
    terms: termsShape,
    rooms: z.array(
      z.object({
        roomId: id,
        name: room("房间"),
        kind: z.enum(["whole", "room", "bed", "shop", "parking", "storage"]),
        role: z.enum(["main", "attached"]),
        monthlyRent: money("月租金"),
        unitPrice: text("单价").nullable(),
        area: text("面积").nullable(),
        capacity: number("可住人数"),
        listPrice: money("标价").nullable(),
        joinDate: day("起"),
        leaveDate: day("止").nullable(),
      }),
    ),
    money: contractMoney,
    chain: z.array(
      z.object({
        id,
        contractNo: text("合同号"),
        source: status("来源", SOURCES),
        phase: status("状态", PHASES),
        startDate: day("起").nullable(),
        endDate: day("止").nullable(),
      }),
    ),
    counts: z.object({ bills: z.number().int(), occupants: z.number().int(), documents: z.number().int() }),
  }),
);

export type ContractDetail = Reply<typeof getContract>;

export const contractMoneyCall = get("/money", "合同收支核对", contractMoney);

export const contractBills = get(
  "/bills",
  "合同账单",
  z.array(
    z.object({
      id,
      billNo: link("账单号"),
      title: text("账单"),
      periodStart: day("计费期起").nullable(),
      periodEnd: day("计费期止").nullable(),
      dueDate: day("应收日"),
      issued: flag("已出账"),
      amount: money("应收", { help: "减免后" }),
      settled: money("已收"),
      outstanding: money("未收"),
      invoiced: money("已开票"),
      status: status("状态", BILL_STATUS),
      overdueDays: number("逾期天数"),
      lines: z.array(
        z.object({
          id,
          subject: text("科目"),
          kind: z.enum(["normal", "adjust", "trim", "lateFee"]),
          roomName: room("房间").nullable(),
          amount: money("金额"),
          settled: money("已收"),
          periodStart: day("起").nullable(),
          periodEnd: day("止").nullable(),
          how: text("计算说明"),
          reason: text("原因"),
        }),
      ),
    }),
  ),
);

export const FLOW_WAYS = {
  money: ["收款", "grey"],
  deposit: ["押金抵扣", "grey"],
  earnest: ["定金抵扣", "grey"],
  writeOff: ["核销", "grey"],
} as const satisfies Words;

export const contractFlows = get(
  "/flows",
  "合同收支",
  z.array(
    z.object({
      id: z.string(),
      flowId: id.nullable(),
      flowNo: link("流水号").nullable(),
      way: status("方式", FLOW_WAYS),
      channel: status("渠道", CHANNELS).nullable(),
      date: day("日期"),
      payerName: text("付款人"),
      /** What of it went to this contract; negative where it was taken back. */
      amount: money("分配金额"),
      bills: text("账单"),
    }),
  ),
);

export const contractOccupants = get(
  "/occupants",
  "合同入住人",
  z.array(
    z.object({
      id,
      roomId: id.nullable(),
      roomName: room("房间"),
      name: person("姓名"),
      phone: phone("手机号"),
      certNo: certificateNo("证件号").nullable(),
      relation: text("关系"),
      signer: flag("签约人"),
      lockAccess: flag("门锁权限"),
      fromDate: day("入住"),
      toDate: day("离开").nullable(),
    }),
  ),
);

export const DOCUMENT_WORDS = {
  draft: ["待签稿", "grey"],
  signed: ["签署件", "grey"],
} as const satisfies Words;

export const contractDocuments = get(
  "/documents",
  "合同文件",
  z.array(
    z.object({
      id,
      kind: status("类型", DOCUMENT_WORDS),
      name: text("文件名"),
      type: text("格式"),
      size: number("大小", { unit: "字节" }),
      fileHash: text("SHA-256"),
      createdAt: instant("上传时间"),
      createdBy: person("上传人"),
    }),
  ),
);

export const contractLog = get(
  "/log",
  "合同日志",
  z.array(
    z.object({
      id,
      at: instant("时间"),
      operatorName: person("操作人"),
      action: text("操作"),
      summary: text("内容"),
    }),
  ),
);
