import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import * as f from "../../../platform/kernel/field.ts";
import { idList, wordList } from "../../../platform/kernel/paging.ts";
import { PARTY_KIND, type PartyKind } from "../bill/bills.contract.ts";

/** Who can be billed or paid, for pickers at the counter. */
export const payers = call({
  method: "GET",
  path: "/billing/api/v3/party/options",
  summary: "付款人选项",
  needs: ["102.query", "102.add", "26.query", "26.add"],
  query: z.object({
    villageIds: idList,
    keyword: z.string().trim().max(50).optional(),
    ids: idList,
    /** The party of this bill. */
    billId: z.coerce.number().pipe(f.id).optional(),
    kinds: wordList(Object.keys(PARTY_KIND) as [PartyKind, ...PartyKind[]]),
    pageSize: z.coerce.number().int().optional(),
  }),
  reply: z.array(
    z.object({
      id: f.id,
      kind: f.status("类型", PARTY_KIND),
      name: f.person("客户"),
      phone: f.phone("手机"),
      rooms: f.text("房间"),
      owed: f.money("未收"),
    }),
  ),
});

/** The contracts of a party in a store, for a bill by hand that belongs to one. */
export const partyContracts = call({
  method: "GET",
  path: "/billing/api/v3/party/contracts",
  summary: "客户合同选项",
  needs: ["102.add", "26.add"],
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
      rooms: f.text("房间"),
      start: f.day("起"),
      end: f.day("止"),
    }),
  ),
});
