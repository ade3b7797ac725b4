import type { Permit } from "../../../platform/kernel/call.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { type PreviewTable, approves } from "../../approval/examine/registry.service.ts";
import { signSettingsOf } from "../config/sign.service.ts";
import { type ContractRecord, recordById } from "../contract/record.queries.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { type ActRecord, actById } from "./act.queries.ts";
import type { ActKind } from "./act.rules.ts";

/**
 * What an act comes to now: the same `previewHash` means the same effect, the same `sheetHash` that it reads the same to who
 * approves it and to the party.
 */
export type Weighed = {
  net: Fen;
  previewHash: string;
  sheetHash?: string;
  obstacles: readonly { code: string; msg: string }[];
};
export type Outcome = {
  state: "toPay" | "done";
  net: Fen;
  trace: object;
  refundId: number | null;
  billId: number | null;
  resultContractId?: number;
};
export type Draft = { effectiveOn: Day; reason: string };

/**
 * A kind of act, as a table of its parts; the engine has the steps. `weigh` works out everything and changes nothing,
 * `carryOut` does exactly that under the locks it takes, in the transaction of the confirmation.
 */
export type Part<P extends Draft, W extends Weighed> = {
  kind: ActKind;
  title: string;
  /** The record's kind in logs, approvals and files, and what reads it. Kinds of one target are approved alike. */
  target: string;
  /** What approvals call them together, where that is not the title. */
  approvalTitle?: string;
  page: string;
  permit: `${number}.query`;
  /** What the party signs: 退房结算单, 补充协议. */
  sheet: string;
  /** Who may look at its files. */
  files: `${number}.get` | ((kind: ContractKind) => Permit);
  /** Its calls name the permits of all kinds of contracts: those of the contract's own are asked for. */
  byKind?: boolean;
  /** Refuses what cannot be asked for on this contract. */
  check: (read: Read, contract: ContractRecord, draft: P, before?: P) => void | Promise<void>;
  weigh: (read: Read, contract: ContractRecord, draft: P) => Promise<W>;
  carryOut: (
    act: Act,
    contract: ContractRecord,
    record: ActRecord<P>,
    previewHash: string,
  ) => Promise<Outcome>;
  undo: (act: Act, contract: ContractRecord, record: ActRecord<P>) => Promise<void>;
  /** Refuses an agreement that may not be registered yet. */
  mayAgree?: (read: Read, record: ActRecord<P>, how: "paper" | "silence") => void | Promise<void>;
  /** The contract is told that the act began, and that it came to nothing. */
  begun: (act: Act, contract: ContractRecord, on: Day) => Promise<void>;
  dropped: (act: Act, contract: ContractRecord) => Promise<void>;
  facts: (contract: ContractRecord, draft: P, weighed: W) => (readonly [string, string])[];
  tables: (weighed: W) => PreviewTable[];
};

/** Where work on it begins, and where it waits for the party. */
export const worked = (kind: ActKind) => (kind === "settle" ? "inspecting" : "handling");
export const waiting = (kind: ActKind) => (kind === "settle" ? "confirming" : "signing");

/** A change of the lease is agreed to by a signature; on paper where the store signs on paper. */
export async function mayAgreeOnPaper(read: Read, { contractId }: ActRecord, how: "paper" | "silence") {
  if (how !== "paper") throw new Refusal("notAllowed", "补充协议须由双方签署，请上传签字的补充协议", 409);
  const { offlineAllowed } = await signSettingsOf(read, (await recordById(read, contractId))!);
  if (!offlineAllowed) throw new Refusal("notAllowed", "该门店不允许线下签署，请发起电子签署", 409);
}

export type AnyPart = Part<Draft, Weighed>;
/** The kinds of act that are approved under one name. */
const approved = new Map<string, Map<ActKind, AnyPart>>();

/** Registers the approval of a kind of act; what waits is judged by the part of its own kind. */
export function approvesPart(part: AnyPart): void {
  const { target } = part;
  const known = approved.get(target);
  if (known) return void known.set(part.kind, part);
  const parts = new Map([[part.kind, part]]);
  approved.set(target, parts);
  approves({
    type: target,
    title: part.approvalTitle ?? part.title,
    group: "合同",
    kind: target,
    page: part.page,
    permit: part.permit,
    fields: [{ key: "net", title: "结果金额", kind: "money" }],
    outlook: async (read, { id }) => {
      const record = (await actById(read, id))!;
      const { title, facts, tables, weigh } = parts.get(record.kind)!;
      const contract = (await recordById(read, record.contractId))!;
      const draft = record.payload as Draft;
      const weighed = await weigh(read, contract, draft);
      return {
        title: `${title} ${record.actNo}`,
        number: record.actNo,
        villageId: record.villageId,
        amount: Math.abs(weighed.net),
        values: { net: Math.abs(weighed.net) },
        facts: facts(contract, draft, weighed),
        preview: tables(weighed),
        hash: weighed.previewHash,
      };
    },
    effect: async (act, { id }) => {
      const record = (await actById(act, id, true))!;
      await revise(
        act,
        "contractAct",
        { id, version: record.version, state: "approving" },
        { state: waiting(record.kind), ...stamp(act) },
      );
    },
  });
}
