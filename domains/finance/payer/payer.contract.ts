import { z } from "zod";
import { yuan } from "../../../platform/kernel/fen.ts";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { idList, wordList } from "../../../platform/kernel/paging.ts";
import { PARTY_KIND, type PartyKind } from "../bill/bill.rules.ts";

const parties = callsAt("/billing/api/v3/party");

const KINDS = Object.keys(PARTY_KIND) as [PartyKind, ...PartyKind[]];

/** Who can be billed or paid, for the counter: by name, initials, phone (whole or its last four digits) or room. */
export const payers = parties.get(
  "/options",
  "付款人选项",
  ["102.query", "102.add", "26.query", "26.add", "108.query", "108.add", "244.query", "97.add", "97.edit"],
  {
    query: z.object({
      villageIds: idList,
      keyword: z.string().trim().max(50).optional(),
      ids: idList,
      /** The party of this bill. */
      billId: z.coerce.number().pipe(f.id).optional(),
      kinds: wordList(KINDS),
      /** Only records that stand for themselves: whoever something new is written for. */
      standing: z.literal("1").optional(),
      pageSize: z.coerce.number().int().optional(),
    }),
    reply: z.array(
      z.object({
        id: f.id,
        kind: f.status("类型", PARTY_KIND),
        name: f.person("客户"),
        phone: f.phone("手机"),
        /** A merged record that still owes: the name of the record kept, else empty. */
        mergedInto: f.text("已并入"),
        rooms: f.room("房间"),
        owed: f.money("欠费", { help: "应收日已到、已出账仍未收的金额" }),
      }),
    ),
  },
);

export const openLine = z.object({
  billId: f.id,
  billNo: f.link("账单号"),
  /** null: the late fee that has grown and stands on no line yet. */
  lineId: f.id.nullable(),
  title: f.text("账单名称"),
  subject: f.text("费用"),
  feeSubjectId: f.id,
  periodStart: f.day("计费期起").nullable(),
  periodEnd: f.day("计费期止").nullable(),
  dueDate: f.day("应收日"),
  amount: f.money("应收"),
  settled: f.money("已收"),
  owed: f.money("未收"),
  lateFee: f.flag("滞纳金"),
  issued: f.flag("已出账"),
  roomId: f.id.nullable(),
  contractId: f.id.nullable(),
  villageId: f.id,
});
export type OpenLine = z.output<typeof openLine>;

const openBill = z.object({
  id: f.id,
  roomName: f.room("房间").nullable(),
  contractNo: f.link("合同号").nullable(),
  disputed: f.flag("争议"),
});

/** Everything a counter needs of one party: what it owes in scope on a day, and what it has prepaid. */
export const openOfParty = parties.get(
  "/:type/:id/open",
  "客户未收费用",
  ["102.query", "102.add", "97.add"],
  {
    params: z.object({ type: z.enum(KINDS), id: z.coerce.number().pipe(f.id) }),
    query: z.object({
      villageId: z.coerce.number().pipe(f.id).optional(),
      /** The day the money came; the late fee is worked out for it. */
      asOf: f.dayInput("日期").optional(),
    }),
    reply: z.object({
      partyId: f.id,
      partyName: f.person("客户"),
      partyPhone: f.phone("手机"),
      villages: z.array(
        z.object({
          villageId: f.id,
          villageName: f.text("门店"),
          prepaid: f.money("预存款"),
          unconfirmed: f.money("待确认到账", { help: "已登记收款，尚未确认或仍在审批的金额" }),
          /** In the order in which they are paid. */
          lines: z.array(openLine),
          bills: z.array(openBill),
        }),
      ),
    }),
  },
);

/** The contracts of a party in a store, for a bill by hand that belongs to one. */
export const partyContracts = parties.get("/contracts", "客户合同选项", ["102.add", "26.add"], {
  query: z.object({
    partyId: z.coerce.number().pipe(f.id),
    villageId: z.coerce.number().pipe(f.id),
    keyword: z.string().trim().max(50).optional(),
    ids: idList,
    pageSize: z.coerce.number().int().optional(),
  }),
  reply: z.array(
    z.object({
      id: f.id,
      contractNo: f.link("合同号"),
      rooms: f.room("房间"),
      start: f.day("起"),
      end: f.day("止"),
    }),
  ),
});

/** Whoever can be billed, by name, phone or room. */
export const PAYERS: Source = {
  call: payers,
  query: { kinds: "renter,company,merchant,thirdParty" },
  option: (p: {
    id: number;
    name: string;
    mergedInto: string;
    phone: string;
    rooms: string;
    owed: number;
  }) => ({
    value: p.id,
    label: p.mergedInto ? `${p.name}（已并入${p.mergedInto}）` : p.name,
    note: [p.rooms || p.phone, p.owed > 0 && `欠 ${yuan(p.owed)}`].filter(Boolean).join("　"),
  }),
};
