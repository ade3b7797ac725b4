import { z } from "zod";
import { call } from "../../../platform/kernel/call.ts";
import { day, id, room, status, text } from "../../../platform/kernel/field.ts";
import { idList } from "../../../platform/kernel/paging.ts";
import { base } from "./contract.contract.ts";
import { PHASES, STATES, type State } from "./contract.rules.ts";
import { ofAnyKind } from "./kind.rules.ts";

/** For pickers of other screens. */
export const contractOptions = call({
  method: "GET",
  path: `${base}/options`,
  summary: "合同选项",
  needs: [...ofAnyKind("query"), "26.query", "102.query", "72.query"],
  query: z.object({
    keyword: z.string().trim().max(50).optional(),
    ids: idList,
    villageId: z.coerce.number().int().positive().optional(),
    roomId: z.coerce.number().int().positive().optional(),
    partyId: z.coerce.number().int().positive().optional(),
    state: z.enum(Object.keys(STATES) as [State]).optional(),
    pageSize: z.coerce.number().int().min(1).max(200).default(20),
  }),
  reply: z.array(
    z.object({
      id,
      contractNo: text("合同号"),
      partyName: text("租客"),
      roomNames: room("房间"),
      phase: status("状态", PHASES),
      startDate: day("起租日").nullable(),
      endDate: day("到期日").nullable(),
    }),
  ),
});
