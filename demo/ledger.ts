import { balanced, EVENTS, type Entry } from "../domains/finance/journal/journal.rules.ts";
import { at, type Numbering } from "./numbers.ts";
import type { Sink } from "./sink.ts";
import type { Ids } from "./stores.ts";

/** Writes entries as the journal's own service does: balanced by village, numbered by day. */
export function ledgerOf(sink: Sink, ids: Ids, numbers: Numbering, postedBy: number) {
  return async (entries: readonly Entry[]): Promise<void> => {
    for (const entry of entries) {
      const legs = balanced(entry.legs);
      if (!legs.length) continue;
      const id = ids("journal_entry");
      await sink.add("journal_entry", {
        id,
        entryNo: numbers.next("PZ", entry.businessDate),
        event: entry.event,
        side: EVENTS[entry.event].side,
        date: entry.businessDate,
        businessDate: entry.businessDate,
        sourceType: entry.sourceType,
        sourceId: entry.sourceId,
        seq: entry.seq ?? 0,
        postedAt: at(entry.businessDate),
        postedBy,
      });
      for (const [seq, leg] of legs.entries())
        await sink.add("journal_line", {
          entryId: id,
          seq,
          date: entry.businessDate,
          villageId: leg.villageId,
          account: leg.account,
          debit: Math.max(leg.amount, 0),
          credit: Math.max(-leg.amount, 0),
          feeSubjectId: leg.feeSubjectId ?? null,
          merchantAccountId: leg.merchantAccountId ?? null,
          partyId: leg.partyId ?? null,
          contractId: leg.contractId ?? null,
          billId: leg.billId ?? null,
          billLineId: leg.billLineId ?? null,
          flowId: leg.flowId ?? null,
        });
    }
  };
}
export type Ledger = ReturnType<typeof ledgerOf>;
