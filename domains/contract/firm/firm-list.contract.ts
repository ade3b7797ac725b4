import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import {
  day,
  id,
  money,
  number,
  percent,
  person,
  phone,
  room,
  status,
  text,
} from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageReply } from "../../../platform/kernel/paging.ts";
import { KIND_WORDS } from "../terms/kind.rules.ts";
import { RENT_KINDS } from "../terms/terms.contract.ts";
import { BILL_STATUS } from "../../finance/bill/bill.rules.ts";
import {
  contractQuery,
  contractRow,
  contracts,
  contractSums,
  BILLING_WORDS,
} from "../contract/contract.contract.ts";

export const companyContractRow = contractRow.extend({
  partyName: person("企业"),
  partyPhone: phone("联系电话"),
  contactName: person("联系人"),
  rooms: number("房间数", { unit: "间" }),
  capacity: number("可住人数"),
  occupants: number("入住人数"),
  occupancy: percent("入住").nullable(),
  currentRent: money("月租金合计").nullable(),
  billing: status("结算方式", BILLING_WORDS),
  /** The issued rent bill whose period today lies in, else the last one before. */
  currentBill: money("本期账单").nullable(),
  currentBillId: id.nullable(),
  currentBillStatus: status("本期账单状态", BILL_STATUS).nullable(),
});

/** Of one kind alone, which the head of an export says. */
const KIND = { kind: "choice", title: "合同", words: KIND_WORDS } as const;

/** One contract of a company over many rooms. */
export const listCompanyContracts = contracts.get("/company", "企业合同列表", "11.query", {
  query: contractQuery.extend({ kind: filter.by(z.literal("company").default("company"), KIND) }),
  reply: pageReply(
    companyContractRow,
    contractSums.extend({ currentRent: money("月租金合计"), occupants: number("入住人数") }),
  ),
});

/** The rooms of a company's contract and who lives in them today. */
export const companyContractRooms = contracts.get("/:id/rooms", "企业合同房间", "11.get", {
  reply: z.array(
    z.object({
      roomId: id,
      name: room("房间"),
      monthlyRent: money("月租金"),
      from: day("起"),
      to: day("止").nullable(),
      living: number("入住人数"),
      capacity: number("可住人数"),
      people: text("入住人"),
    }),
  ),
});

export const exportCompanyContracts = exportOf({
  type: "companyContract",
  title: "企业合同",
  needs: "11.export",
  list: listCompanyContracts,
});

export const merchantContractRow = contractRow.extend({
  partyName: person("商户"),
  partyPhone: phone("联系电话"),
  contactName: person("联系人"),
  shopName: text("招牌"),
  category: text("业态"),
  openOn: day("开业日").nullable(),
  rentKind: status("租金方式", RENT_KINDS),
  area: number("面积", { unit: "㎡" }),
  unitPrice: number("单价", {
    unit: "元/㎡·日",
    help: "按面积计租的为约定单价，其余为月租金 × 12 ÷ 365 ÷ 面积",
  }).nullable(),
  base: money("保底月租").nullable(),
  rates: text("扣点"),
  turnover: money("本年营业额", { help: "本年已确认月份的营业净额" }).nullable(),
  share: money("本年提成", { help: "本年已确认月份按扣点算出的提成" }).nullable(),
  rentRatio: percent("租售比", { help: "本年已确认月份的应付租金 ÷ 营业净额" }).nullable(),
});

/** Shop leases. */
export const listMerchantContracts = contracts.get("/merchant", "商户合同列表", "107.query", {
  query: contractQuery.extend({ kind: filter.by(z.literal("merchant").default("merchant"), KIND) }),
  reply: pageReply(merchantContractRow, contractSums.extend({ area: number("面积", { unit: "㎡" }) })),
});

export const exportMerchantContracts = exportOf({
  type: "merchantContract",
  title: "商户合同",
  needs: "107.export",
  list: listMerchantContracts,
});
