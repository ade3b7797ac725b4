import type { Read } from "../../../platform/server/pipeline/act.ts";
import { ACT_KIND_WORDS } from "../act/act.rules.ts";
import { contractRecord } from "../contract/record.queries.ts";
import { leaseFacts } from "../paper/paper.queries.ts";
import type { Document } from "../template/document.service.ts";
import { changeDetail } from "./amendment.queries.ts";
import type { SupplementFacts } from "./sheet.rules.ts";

/** What stands on the supplement of a change: while it is open as it comes to now, afterwards as it was carried out. */
export async function supplementOf(
  read: Read,
  id: number,
): Promise<{ facts: SupplementFacts; name: string; document: Document }> {
  const change = await changeDetail(read, id);
  const contract = await contractRecord(read, change.contractId);
  const { actNo, effectiveOn, reason, clauses, preview, done } = change;
  const { villageId, kind: contractKind } = contract;
  return {
    name: `补充协议_${actNo}`,
    document: { docKind: "supplement", recordId: id, villageId, contractKind },
    facts: {
      lease: await leaseFacts(read, contract),
      actNo,
      title: ACT_KIND_WORDS[change.kind][0],
      effectiveOn,
      reason,
      clauses,
      bills: preview?.bills ?? done ?? [],
      credit: preview?.credit ?? 0,
      dueNow: preview?.dueNow ?? 0,
      refund: preview?.refund ?? 0,
      open: change.state !== "done",
      today: read.today,
    },
  };
}
