import type { Read } from "../../../platform/server/pipeline/act.ts";
import { actRecord } from "../act/act.queries.ts";
import { contractRecord } from "../contract/record.queries.ts";
import { leaseFacts } from "../paper/paper.queries.ts";
import type { Document } from "../template/document.service.ts";
import type { SettleDraft } from "./settlement.contract.ts";
import { settlementDetail } from "./settlement.queries.ts";
import { END_REASONS } from "./settlement.rules.ts";
import type { SheetFacts } from "./sheet.rules.ts";
import { weighSettlement } from "./weigh.service.ts";

/** What stands on the sheet: while it is open as it comes to now, afterwards as it was confirmed. */
export async function sheetOf(
  read: Read,
  id: number,
): Promise<{ facts: SheetFacts; name: string; document: Document }> {
  const record = await actRecord(read, id, "settle");
  const contract = await contractRecord(read, record.contractId);
  const draft = record.payload as SettleDraft;
  const shown = await settlementDetail(read, id);
  const open = record.trace === null;
  const now = open
    ? await weighSettlement(read, contract, draft)
    : { lines: shown.lines, net: shown.net ?? 0 };
  const { actNo } = record;
  const { villageId, kind: contractKind } = contract;
  return {
    name: `退房结算单_${actNo}`,
    document: { docKind: "settlementSheet", recordId: id, villageId, contractKind },
    facts: {
      lease: await leaseFacts(read, contract),
      actNo,
      leaveDate: draft.effectiveOn,
      endReason: END_REASONS[draft.endReason][0],
      lines: now.lines,
      net: now.net,
      open,
      dated: record.agreed?.on ?? read.today,
    },
  };
}
