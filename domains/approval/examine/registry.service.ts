import type { Permit } from "../../../platform/kernel/call.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { ActField, Values } from "../module/condition.rules.ts";

/** A table of what the act does, as the submitter saw it. Amounts are fen. */
export type PreviewTable = {
  title: string;
  /** A column that needs something is only there for a reader who has it. */
  columns: { title: string; kind: "text" | "money"; need?: Permit }[];
  rows: (string | number | null)[][];
};

/** What an act would do now. */
export type Outlook = {
  title: string;
  /** The record's number, as people know it. */
  number: string;
  villageId: number;
  amount: Fen | null;
  /** What conditions are judged by: fen, percent, counts, 1 and 0. */
  values: Values;
  /** At most eight label and value pairs. */
  facts: (readonly [string, string])[];
  preview: PreviewTable[];
  /** The same hash means the same effect. */
  hash: string;
};

/** A record and what is to be done with it. The payload is whatever its owner needs to do it later. */
export type Wanted = { id: number; payload: unknown; reason: string };

/** A kind of act that can need approval, registered by the domain that owns the record. */
export type Approvable = {
  type: string;
  title: string;
  group: "合同" | "财务" | "房源" | "运营";
  /** The record that waits, named as in the business log. */
  kind: string;
  /** The screen that opens it by ?id=. */
  page: string;
  /** Who may open that screen's records: people an approval can be handed to. */
  permit: Permit;
  fields: readonly ActField[];
  /** Refuses what cannot be done. */
  outlook: (read: Read, wanted: Wanted) => Promise<Outlook>;
  /** Does it, in the transaction of the last approval. */
  effect: (act: Act, wanted: Wanted) => Promise<void>;
};

const known = new Map<string, Approvable>();

/** Registers a type of act; called once, by the file that holds its effect. */
export function approves(approvable: Approvable): void {
  known.set(approvable.type, approvable);
}
export const approvable = (type: string): Approvable | undefined => known.get(type);
/** For acts that run: their type was registered when they were submitted. */
export function registered(type: string): Approvable {
  const found = known.get(type);
  if (!found) throw new Error(`nobody approves ${type}`);
  return found;
}
export const everyApprovable = (): Approvable[] => [...known.values()];
