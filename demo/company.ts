import type { Cipher } from "../platform/server/secrets/cipher.ts";
import { BUILT_IN, type Subject } from "../domains/finance/subject/subject.rules.ts";
import type { Day } from "../platform/kernel/day.ts";
import { at, counting, numbering, type Numbering } from "./numbers.ts";
import { chanceOf, type Chance } from "./random.ts";
import type { Sink } from "./sink.ts";
import type { Ids } from "./stores/stores.ts";
import { balanced, EVENTS, type Entry } from "../domains/finance/journal/journal.rules.ts";

/** Writes entries as the journal's own service does: balanced by village, numbered by day. */
function ledgerOf(sink: Sink, ids: Ids, numbers: Numbering, postedBy: number) {
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
type Ledger = ReturnType<typeof ledgerOf>;

export type DemoOptions = {
  rooms: number;
  today: Day;
  /** Nothing that is over lies after it. */
  now?: Date;
  seed: number;
  /** How far back the leases reach. */
  years: number;
  /** `fee` makes a bill for every fee of a period: many small bills, for measuring. */
  grouping: "period" | "fee";
  /** Shares of monthly, quarterly, half-yearly, yearly and whole-term payers. */
  cycles: readonly (readonly [1 | 3 | 6 | 12 | 0, number])[];
};

type Purse = { id: number; kind: "wechat" | "alipay" | "pos" | "bank" | "cash"; feeRate: string };

/** What every part of the generator works with. */
export type Company = {
  options: DemoOptions;
  today: Day;
  enterpriseId: number;
  sink: Sink;
  ids: Ids;
  numbers: Numbering;
  /** An instant on a day that has come, not after now. */
  by: (day: Day, hour?: number) => string;
  chance: Chance;
  cipher: Cipher;
  post: Ledger;
  subjects: { of: (id: number) => Subject; find: (villageId: number, subject: string | number) => Subject };
  subjectId: (code: string) => number;
  /** The leasing consultant and the cashier of a village. */
  clerkOf: (villageId: number) => number;
  cashierOf: (villageId: number) => number;
  purses: Record<string, Purse>;
  /** Leases of the last weeks so far, and how many of them were signed by an offer. */
  offers: { recent: number; given: number };
  note: (entry: {
    kind: string;
    recordId: number;
    number: string;
    villageId: number;
    action: string;
    summary: string;
    day: Day;
  }) => Promise<void>;
};

export const ENTERPRISE = "青禾公寓管理有限公司";

export function companyOf(
  sink: Sink,
  cipher: Cipher,
  options: DemoOptions,
  people: { clerk: number; cashier: number; names: Map<number, string> },
): Company {
  const ids = counting();
  const numbers = numbering();
  const now = options.now ?? new Date();
  const by = (day: Day, hour?: number) => {
    const then = at(day, hour);
    return new Date(then) > now ? now.toISOString() : then;
  };
  const enterpriseId = 1;
  const subjects = BUILT_IN.map((seed, i): Subject => ({ ...seed, id: i + 1, enterpriseId, enabled: true }));
  const byCode = new Map(subjects.map((s) => [s.code, s]));
  return {
    options,
    today: options.today,
    offers: { recent: 0, given: 0 },
    enterpriseId,
    sink,
    ids,
    numbers,
    by,
    chance: chanceOf(options.seed),
    cipher,
    post: ledgerOf(sink, ids, numbers, people.cashier),
    subjects: {
      of: (id) => subjects[id - 1]!,
      find: (_, subject) => (typeof subject === "number" ? subjects[subject - 1]! : byCode.get(subject)!),
    },
    subjectId: (code) => byCode.get(code)!.id,
    clerkOf: () => people.clerk,
    cashierOf: () => people.cashier,
    purses: {
      wechat: { id: 1, kind: "wechat", feeRate: "0.006" },
      alipay: { id: 2, kind: "alipay", feeRate: "0.006" },
      pos: { id: 3, kind: "pos", feeRate: "0.005" },
      bankTransfer: { id: 4, kind: "bank", feeRate: "0" },
      cash: { id: 5, kind: "cash", feeRate: "0" },
    },
    note: async ({ day, ...entry }) => {
      await sink.add("business_log", {
        id: ids("business_log"),
        at: by(day),
        ...entry,
        operatorId: people.clerk,
        operatorName: people.names.get(people.clerk)!,
        requestId: "demo",
      });
    },
  };
}
