import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery } from "../../../platform/kernel/paging.ts";
import { callsAt, recordCalls } from "../../../platform/kernel/records.ts";
import { PEOPLE } from "../../access/operator/operator.contract.ts";
import { BILL_STATUS } from "../../finance/bill/bill.rules.ts";
import { ACT_SOURCES, ACT_STATES } from "../act/act.rules.ts";
import { CHARGES, chargeOf } from "../settlement/settlement.contract.ts";
import { MONEY_WAYS, REST_WAYS } from "../succession/succession.rules.ts";
import { CHANGES } from "../successor/successor.contract.ts";
import { CONTRACT_KINDS } from "../terms/kind.rules.ts";

const PATH = "/contract/api/v3/changeRoom";
export const CHANGE_PAGE = "/contract/ChangeRoomManage";

/** The states that a change of room or tenant goes through, as tabs of its list. */
export const TABS = {
  requested: ACT_STATES.requested[0],
  handling: ACT_STATES.handling[0],
  approving: ACT_STATES.approving[0],
  signing: ACT_STATES.signing[0],
  done: ACT_STATES.done[0],
  ended: "已驳回/取消",
} as const;
export type ChangeTab = keyof typeof TABS;

export const changeFilter = z.object({
  villageIds: filter.villages(),
  kind: filter.choice("类型", CHANGES),
  tab: filter.tab(z.enum(Object.keys(TABS) as [ChangeTab, ...ChangeTab[]]).optional(), TABS),
  ...filter.between("effectiveFrom", "effectiveTo", f.dayInput("生效日").optional(), {
    kind: "days",
    title: "生效日",
  }),
  ...filter.between("requestedFrom", "requestedTo", f.dayInput("申请日").optional(), {
    kind: "days",
    title: "申请日",
  }),
  reason: filter.by(z.string().trim().max(50).optional(), { kind: "text", title: "原因" }),
  handlerId: filter.by(z.coerce.number().pipe(f.id).optional(), {
    kind: "choice",
    title: "处理人",
    source: PEOPLE,
  }),
  contractId: z.coerce.number().pipe(f.id).optional(),
  keyword: filter.keyword("单号、合同号、租客、手机号、房间"),
});

const row = z.object({
  id: f.id,
  actNo: f.link("单号"),
  kind: f.status("类型", CHANGES),
  contractId: f.id,
  contractNo: f.link("原合同"),
  contractKind: z.enum(CONTRACT_KINDS),
  source: f.status("来源", ACT_SOURCES),
  /** The contract that comes after; null before it is drawn, and once the change was given up. */
  nextId: f.id.nullable(),
  nextNo: f.link("新合同").nullable(),
  /** Its documents were sent to be signed electronically. */
  electronic: f.flag("电子签署"),
  villageId: f.id,
  villageName: f.text("门店"),
  partyId: f.id,
  partyName: f.person("租客"),
  nextPartyId: f.id.nullable(),
  nextPartyName: f.person("新租客").nullable(),
  roomId: f.id,
  roomNames: f.room("房间"),
  nextRoomId: f.id.nullable(),
  nextRoomNames: f.room("新房间").nullable(),
  /** 对调: the act of the tenant who takes the room of this one. */
  pairedId: f.id.nullable(),
  pairedNo: f.link("对调单号").nullable(),
  effectiveOn: f.day("生效日"),
  rentBefore: f.money("原月租"),
  rentAfter: f.money("新月租").nullable(),
  /** From here on as it was handed in: null while it is still drawn up. */
  rentChange: f.money("月租变化").nullable(),
  depositChange: f.money("押金差", { help: "新合同要补的押金，减去退还的原押金" }).nullable(),
  rentDue: f.money("租金差", { help: "签约当日应收的租金和费用，减去抵扣的未用租金" }).nullable(),
  fee: f.money("手续费").nullable(),
  due: f.money("应收", { help: "签约当日应收，已扣除抵扣的未用租金" }).nullable(),
  refund: f.money("应退", { help: "退还的押金和未用租金" }).nullable(),
  state: f.status("状态", ACT_STATES),
  handlerName: f.person("处理人"),
  requestedOn: f.day("申请日"),
  reason: f.text("原因"),
  updatedAt: f.instant("更新时间"),
  version: f.version,
});
export type ChangeRow = z.output<typeof row>;

const family = recordCalls({ path: PATH, code: 96, title: "换房管理", target: "changeRoom" });
export const listChanges = family.list(
  pageQuery("effectiveOn", "requestedOn").extend(changeFilter.shape),
  row,
  { sums: z.object({ rentChange: f.money("月租变化"), due: f.money("应收"), refund: f.money("应退") }) },
);
export const exportChanges = family.export(listChanges, {
  personal: true,
  filters: { contractId: "合同编号" },
});

const calls = callsAt(PATH, "changeRoom");
export const countChanges = calls.get("/counts", "换房管理各状态数量", "96.query", {
  query: changeFilter.omit({ tab: true }),
  reply: z.record(z.string(), z.number()),
});

/** What the form of a change starts from: the contract as it stands, who lives there, and why it cannot be changed. */
export const changeBasis = calls.get("/basis", "换房转租的原合同", "96.add", {
  query: z.object({ contractId: z.coerce.number().pipe(f.id), kind: z.enum(["room", "tenant"]) }),
  reply: z.object({
    contractKind: z.enum(CONTRACT_KINDS),
    villageId: f.id,
    partyId: f.id.nullable(),
    partyName: f.person("租客"),
    roomNames: f.room("房间"),
    start: f.day("起租日").nullable(),
    end: f.day("到期日").nullable(),
    rent: f.money("月租金").nullable(),
    held: f.money("押金在管"),
    arrears: f.money("欠费"),
    why: z.string().nullable(),
    occupants: z.array(z.object({ id: f.id, name: f.person("姓名"), relation: f.text("关系") })),
    fees: z.array(z.object({ feeId: f.id, name: f.text("费用科目") })),
  }),
});

const stretch = z.object({
  from: f.day("起"),
  to: f.day("止").nullable(),
  label: f.text("占用"),
  /** It is the lease before or the lease after. */
  own: z.boolean(),
});
export const cutBill = z.object({
  id: f.id,
  billNo: f.link("账单"),
  title: f.text("名称"),
  before: f.money("原应收"),
  after: f.money("变更后"),
  credit: f.money("未用"),
});
export const addedBill = z.object({
  title: f.text("名称"),
  periodStart: f.day("计费期起"),
  periodEnd: f.day("计费期止"),
  dueOn: f.day("应收日").nullable(),
  amount: f.money("金额"),
});

export const getChange = family.get(
  row.extend({
    start: f.day("原起租日").nullable(),
    end: f.day("原到期日").nullable(),
    nextEnd: f.day("新到期日").nullable(),
    deposit: f.status("押金处理", MONEY_WAYS),
    credit: f.status("未用租金", MONEY_WAYS),
    arrearsReason: f.text("欠费留在原合同的原因"),
    endReason: f.text("取消原因"),
    creditUsed: f.money("抵扣新账单").nullable(),
    creditBack: f.money("退还租金").nullable(),
    depositBack: f.money("退还押金").nullable(),
    depositUsed: f.money("押金抵扣账单").nullable(),
    rest: f.status("押金差额", REST_WAYS),
    /** The bills as they were carried out; empty before. */
    cut: z.array(cutBill),
    added: z.array(addedBill),
    rooms: z.array(z.object({ roomId: f.id, name: f.room("房间"), taken: z.array(stretch) })),
    movers: z.array(z.object({ id: f.id, name: f.person("姓名"), relation: f.text("关系") })),
    /** What the room before was charged for. */
    charged: z
      .object({
        id: f.id,
        billNo: f.link("账单"),
        amount: f.money("账单金额"),
        status: f.status("账单状态", BILL_STATUS),
      })
      .nullable(),
  }),
);

/** What the room before is charged for, once the tenant has left it and its meters are read. */
export const chargeChange = calls.post("/:id/charge", "结清换房转租的水电", ["#9601", "#9602"], {
  money: true,
  body: z.object({
    charges: z.array(chargeOf(CHARGES)).min(1, "请填写水电或扣款").max(50, "扣款最多50项"),
    version: f.version,
  }),
  reply: z.object({ billNo: z.string(), version: f.version }),
});

/** 补充协议 as PDF: as it is worked out now, or as it was carried out. */
export const supplementFile = calls.get("/:id/supplement", "打印补充协议", "96.get", {
  target: "changeRoom",
  timeout: 60_000,
  perMinute: 120,
});
