import { z } from "zod";
import type { Reply } from "../../../platform/kernel/call.ts";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { frozenShape } from "../../approval/examine/examine.contract.ts";
import { COMMISSION_STATES } from "../../customer/commission-rule/commission.rules.ts";
import { BILL_STATUS } from "../../finance/bill/bill.rules.ts";
import { CHANNELS } from "../../finance/account/channel.rules.ts";
import { REFUND_SOURCE, REFUND_STATE } from "../../finance/refund/refund.rules.ts";
import { termsShape } from "../terms/terms.contract.ts";
import { contractRow, contracts, SOURCES } from "./contract.contract.ts";
import { PHASES } from "./contract.rules.ts";
import { ofAnyKind } from "../terms/kind.rules.ts";

const get = <R extends z.ZodType>(path: string, summary: string, reply: R) =>
  contracts.get(`/:id${path}`, summary, ofAnyKind("get"), { target: "contract", reply });

/** billed = received + owed − credited; what is invoiced never exceeds what is billed; the deposit held. */
export const contractMoney = z.object({
  total: f.money("合同应收", { help: "全部账单（含押金和未出账的计划账单），减免后" }),
  billed: f.money("已出账"),
  received: f.money("已收"),
  owed: f.money("已出账未收"),
  writtenOff: f.money("核销"),
  credited: f.money("减免调整"),
  planned: f.money("未出账"),
  overdue: f.money("欠费"),
  invoiced: f.money("已开票"),
  depositBilled: f.money("应收押金"),
  depositHeld: f.money("押金在管"),
});

export const getContract = get(
  "",
  "合同详情",
  contractRow.extend({
    anchorDate: f.day("计费起算日").nullable(),
    handoverOn: f.day("入住日").nullable(),
    leaveDate: f.day("退租日").nullable(),
    signDeadline: f.instant("签署截止").nullable(),
    signedFileHash: f.text("签署件 SHA-256").nullable(),
    createdAt: f.instant("起草时间"),
    voidReason: f.text("作废原因").nullable(),
    blackListReason: f.text("黑名单签约说明").nullable(),
    creditReason: f.text("超授信签约说明").nullable(),
    remark: f.text("备注"),
    frozen: frozenShape.nullable(),
    /** The number it had before it was brought in, and what it had then. */
    oldNo: f.text("原合同号"),
    opening: z
      .object({
        paidTo: f.day("已付至"),
        takenOn: f.day("接管日"),
        deposit: f.money("在管押金"),
        arrears: f.money("欠费"),
        prepaid: f.money("预存款"),
      })
      .nullable(),
    party: z
      .object({
        name: f.person("客户"),
        phone: f.phone("手机号"),
        certType: f.text("证件类型").nullable(),
        certNo: f.certificateNo("证件号").nullable(),
        creditCode: f.text("统一社会信用代码").nullish(),
        legalName: f.text("法定代表人").optional(),
        contactName: f.text("联系人").optional(),
        address: f.text("地址").optional(),
      })
      .nullable(),
    terms: termsShape,
    rooms: z.array(
      z.object({
        roomId: f.id,
        name: f.room("房间"),
        kind: z.enum(["whole", "room", "bed", "shop", "parking", "storage"]),
        role: z.enum(["main", "attached"]),
        monthlyRent: f.money("月租金"),
        unitPrice: f.text("单价").nullable(),
        area: f.text("面积").nullable(),
        capacity: f.number("可住人数"),
        listPrice: f.money("标价").nullable(),
        joinDate: f.day("起"),
        leaveDate: f.day("止").nullable(),
      }),
    ),
    money: contractMoney,
    chain: z.array(
      z.object({
        id: f.id,
        contractNo: f.text("合同号"),
        source: f.status("来源", SOURCES),
        phase: f.status("状态", PHASES),
        startDate: f.day("起").nullable(),
        endDate: f.day("止").nullable(),
      }),
    ),
    /** What it earned for its agent; only for who may see commissions. */
    commission: z
      .object({
        id: f.id,
        number: f.link("佣金编号"),
        amount: f.money("佣金"),
        left: f.money("扣回后"),
        state: f.status("状态", COMMISSION_STATES),
      })
      .nullable(),
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
      id: f.id,
      billNo: f.link("账单号"),
      title: f.text("账单"),
      periodStart: f.day("计费期起").nullable(),
      periodEnd: f.day("计费期止").nullable(),
      dueDate: f.day("应收日"),
      issued: f.flag("已出账"),
      amount: f.money("应收", { help: "减免后" }),
      settled: f.money("已收"),
      outstanding: f.money("未收"),
      invoiced: f.money("已开票"),
      status: f.status("状态", BILL_STATUS),
      overdueDays: f.number("逾期天数"),
      lines: z.array(
        z.object({
          id: f.id,
          subject: f.text("科目"),
          kind: z.enum(["normal", "adjust", "trim", "lateFee"]),
          roomName: f.room("房间").nullable(),
          amount: f.money("金额"),
          settled: f.money("已收"),
          periodStart: f.day("起").nullable(),
          periodEnd: f.day("止").nullable(),
          how: f.text("计算说明"),
          reason: f.text("原因"),
        }),
      ),
    }),
  ),
);

/** What the bills of the period ask for, a line for each room and fee: those of the rent bill in `currentBill` and of its days. */
export const companyStatement = contracts.get("/:id/statement", "企业合同本期账单明细", "11.get", {
  target: "contract",
  query: pageQuery("roomName"),
  reply: pageReply(
    z.object({
      roomName: f.room("房间"),
      subject: f.text("费用"),
      periodStart: f.day("计费期起").nullable(),
      periodEnd: f.day("计费期止").nullable(),
      billNo: f.link("账单号"),
      dueDate: f.day("应收日"),
      amount: f.money("应收", { help: "减免后" }),
      settled: f.money("已收"),
      outstanding: f.money("未收"),
    }),
    z.object({ amount: f.money("应收"), settled: f.money("已收"), outstanding: f.money("未收") }),
  ),
});

export const exportCompanyStatement = exportOf({
  type: "companyContractStatement",
  title: "本期账单明细",
  needs: "11.get",
  list: companyStatement,
});

/** The same on paper, for the company. */
export const companyStatementPaper = contracts.get(
  "/:id/statement/paper",
  "企业合同本期账单明细PDF",
  "11.get",
  {
    target: "contract",
  },
);

export const FLOW_WAYS = {
  money: ["收款", "grey"],
  deposit: ["押金抵扣", "grey"],
  earnest: ["定金抵扣", "grey"],
  writeOff: ["核销", "grey"],
} as const satisfies f.Words;

export const contractFlows = get(
  "/flows",
  "合同收支",
  z.array(
    z.object({
      id: z.string(),
      flowId: f.id.nullable(),
      flowNo: f.link("流水号").nullable(),
      way: f.status("方式", FLOW_WAYS),
      channel: f.status("渠道", CHANNELS).nullable(),
      date: f.day("日期"),
      payerName: f.text("付款人"),
      /** What of it went to this contract; negative where it was taken back. */
      amount: f.money("分配金额"),
      bills: f.text("账单"),
    }),
  ),
);

/** What goes back to the tenant, whatever state it is in. */
export const contractRefunds = get(
  "/refunds",
  "合同退款",
  z.array(
    z.object({
      id: f.id,
      refundNo: f.link("退款单号"),
      source: f.status("来源", REFUND_SOURCE),
      amount: f.money("退款金额"),
      paid: f.money("已付"),
      state: f.status("状态", REFUND_STATE),
      createdAt: f.instant("申请时间"),
      paidOn: f.day("支付日期").nullable(),
      reason: f.text("原因"),
    }),
  ),
);

export const contractOccupants = get(
  "/occupants",
  "合同入住人",
  z.array(
    z.object({
      id: f.id,
      roomId: f.id.nullable(),
      roomName: f.room("房间"),
      name: f.person("姓名"),
      phone: f.phone("手机号"),
      certNo: f.certificateNo("证件号").nullable(),
      relation: f.text("关系"),
      signer: f.flag("签约人"),
      lockAccess: f.flag("门锁权限"),
      fromDate: f.day("入住"),
      toDate: f.day("离开").nullable(),
    }),
  ),
);

export const DOCUMENT_WORDS = {
  draft: ["待签稿", "grey"],
  signed: ["签署件", "grey"],
  further: ["补传件", "grey"],
} as const satisfies f.Words;

export const contractDocuments = get(
  "/documents",
  "合同文件",
  z.array(
    z.object({
      id: f.id,
      kind: f.status("类型", DOCUMENT_WORDS),
      name: f.text("文件名"),
      type: f.text("格式"),
      size: f.number("大小", { unit: "字节" }),
      fileHash: f.text("SHA-256"),
      createdAt: f.instant("上传时间"),
      createdBy: f.person("上传人"),
    }),
  ),
);

export const contractLog = get(
  "/log",
  "合同日志",
  z.array(
    z.object({
      id: f.id,
      at: f.instant("时间"),
      operatorName: f.person("操作人"),
      action: f.text("操作"),
      summary: f.text("内容"),
    }),
  ),
);
