import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { CONTRACT_KINDS } from "../terms/kind.rules.ts";
import { KIND_WORDS } from "../settlement/settlement.contract.ts";

const settlements = callsAt("/contract/api/v3/settlement", "settlement");

const expiredRow = z.object({
  /** Of the contract. */
  id: f.id,
  contractNo: f.link("合同号"),
  contractKind: z.enum(CONTRACT_KINDS),
  villageName: f.text("门店"),
  roomNames: f.room("房间"),
  partyName: f.person("租客"),
  start: f.day("起租日"),
  end: f.day("到期日"),
  daysOver: f.number("已超", { unit: "天" }),
  depositHeld: f.money("押金在管"),
  overdue: f.money("欠费"),
  keeperName: f.person("管家"),
});
export type ExpiredRow = z.output<typeof expiredRow>;

/** 到期未结账: the term is over, and nobody settles, renews or changes the contract. */
export const listExpired = settlements.get("/expired", "到期未结账列表", "72.query", {
  query: pageQuery("end", "overdue").extend({
    villageIds: filter.villages(),
    kind: filter.choice("合同类型", KIND_WORDS),
    ...filter.between("endFrom", "endTo", f.dayInput("到期日").optional(), { kind: "days", title: "到期日" }),
    keyword: filter.keyword("合同号、租客、房间"),
  }),
  reply: pageReply(expiredRow, z.object({ depositHeld: f.money("押金在管"), overdue: f.money("欠费") })),
});
