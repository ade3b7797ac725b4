import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { ACT_STATES } from "../act/act.rules.ts";
import { SOURCES } from "../contract/contract.contract.ts";
import { PHASES } from "../contract/contract.rules.ts";
import { CONTRACT_KINDS, ofAnyKind } from "../terms/kind.rules.ts";
import { ACT_WORDS } from "./chain.rules.ts";

const record = z.coerce.number().int().positive().optional();

/** A contract on the line, or what was done to it. */
const contractOn = z.object({
  id: f.id,
  contractNo: f.link("合同号"),
  kind: z.enum(CONTRACT_KINDS),
  source: f.status("来源", SOURCES),
  phase: f.status("状态", PHASES),
  partyName: f.person("客户"),
  roomNames: f.room("房间"),
  startDate: f.day("起租日"),
  endDate: f.day("到期日"),
  leaveDate: f.day("退租日").nullable(),
  currentRent: f.money("月租金").nullable(),
});
const actOn = z.object({
  id: f.id,
  actNo: f.link("单号"),
  kind: f.status("办理", ACT_WORDS),
  state: f.status("状态", ACT_STATES),
  net: f.money("结果金额").nullable(),
  reason: f.text("原因"),
  /** The contract that it led to, as far as the caller may see it. */
  resultId: f.id.nullable(),
  resultNo: f.text("新合同号").nullable(),
});

export const tenancyLine = callsAt("/contract/api/v3/chain", "contract").get(
  "",
  "租约时间线",
  ofAnyKind("query", "get"),
  {
    /** Of a room, of a party, or of all contracts of one tenancy. */
    query: z
      .object({ roomId: record, partyId: record, contractId: record })
      .refine((q) => [q.roomId, q.partyId, q.contractId].filter(Boolean).length === 1, {
        error: "请指定房间、客户或合同之一",
      }),
    reply: z.array(
      z.object({ key: z.string(), on: f.day("日期"), contract: contractOn, act: actOn.nullable() }),
    ),
  },
);
export type Tenancy = z.output<typeof tenancyLine.reply>[number];
