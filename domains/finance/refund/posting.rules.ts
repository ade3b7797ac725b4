import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { credit, debit, type Entry } from "../journal/journal.rules.ts";

type Owed = {
  id: number;
  source: "prepaid" | "deposit" | "earnest";
  sourceId: number;
  villageId: number;
  partyId: number;
  contractId: number | null;
};

/** E12: money leaves what is held and is owed back from now on; prepaid money flow by flow, so that each keeps its balance. */
export function owedBackEntry(
  refund: Owed,
  parts: readonly { flowId: number | null; amount: Fen }[],
  businessDate: Day,
): Entry {
  const { villageId, partyId, contractId } = refund;
  const amount = parts.reduce((sum, part) => sum + part.amount, 0);
  const dims = { partyId, contractId, ...(refund.source === "earnest" && { billId: refund.sourceId }) };
  const taken =
    refund.source === "prepaid"
      ? parts.map((part) => debit("2203", villageId, part.amount, { partyId, flowId: part.flowId }))
      : [debit("2241", villageId, amount, dims)];
  return {
    event: "E12",
    sourceType: "refund",
    sourceId: refund.id,
    businessDate,
    legs: [...taken, credit("2202", villageId, amount, dims)],
  };
}
