import type { Permit } from "../../../platform/kernel/call.ts";
import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { eachByItself } from "../../../platform/server/jobs/by-itself.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { ActField, Values } from "../../approval/examine/condition.rules.ts";
import { type PreviewTable, approves } from "../../approval/examine/registry.service.ts";
import { release, take } from "../../listing/occupancy/occupancy.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { configOf } from "../config/config.service.ts";
import { signSettingsOf } from "../config/sign.service.ts";
import { type ContractRecord, contractNote, recordById } from "../contract/record.queries.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { type ActRecord, actById } from "./act.queries.ts";
import { ACT_KIND_WORDS, type ActKind } from "./act.rules.ts";
import { beingSigned } from "./signing.service.ts";

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
export type Hold = { roomId: number; from: Day; to: Day };

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
  /** Where it is worked on; what stands with its contract, with the contracts of its kind. */
  page: string | ((kind: ContractKind) => string);
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
  /** Rooms that nobody else gets from handing in to confirmation, or until the days for signing have passed. */
  holds?: (contract: ContractRecord, draft: P) => readonly Hold[];
  /** Refuses an agreement that may not be registered yet. */
  mayAgree?: (read: Read, record: ActRecord<P>, how: "paper" | "silence") => Promise<void>;
  /** The contract is told that the act began, and that it came to nothing. */
  begun: (act: Act, contract: ContractRecord, on: Day) => Promise<void>;
  dropped: (act: Act, contract: ContractRecord) => Promise<void>;
  /** What processes are chosen by beside the result. */
  judgedBy?: { fields: readonly ActField[]; values: (weighed: W) => Values };
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
const pageOf = ({ page }: AnyPart, kind: ContractKind) => (typeof page === "string" ? page : page(kind));
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
    page: pageOf(part, "renter"),
    permit: part.permit,
    fields: [
      { key: "net", title: "结果金额", kind: "money" },
      { key: "refund", title: "退款金额", kind: "money" },
      { key: "due", title: "应收金额", kind: "money" },
      ...(part.judgedBy?.fields ?? []),
    ],
    outlook: async (read, { id }) => {
      const record = (await actById(read, id))!;
      if (record.status !== "approving")
        throw new Refusal("notAllowed", `${record.actNo} 已退回处理，请在申请中修改后重新提交`, 409);
      const own = parts.get(record.kind)!;
      const { title, facts, tables, weigh, judgedBy } = own;
      const contract = (await recordById(read, record.contractId))!;
      const draft = record.payload as Draft;
      const weighed = await weigh(read, contract, draft);
      const { net } = weighed;
      return {
        title: `${title} ${record.actNo}`,
        number: record.actNo,
        villageId: record.villageId,
        amount: Math.abs(net),
        values: {
          net: Math.abs(net),
          refund: Math.max(0, net),
          due: Math.max(0, -net),
          ...judgedBy?.values(weighed),
        },
        facts: facts(contract, draft, weighed),
        preview: tables(weighed),
        hash: weighed.previewHash,
        opens: { page: pageOf(own, contract.kind), id },
      };
    },
    effect: async (act, { id }) => {
      const record = (await actById(act, id, true))!;
      await revise(
        act,
        "contractAct",
        { id, version: record.version, state: "approving" },
        { state: waiting(record.kind), ...(record.held && (await deadlineOf(act, record))), ...stamp(act) },
      );
    },
    dropped: (act, { id }) => reopen(act, id),
  });
}

const DAY_MS = 86_400_000;

/** Until when rooms are held for what waits for its signatures. */
async function deadlineOf(
  act: Act,
  { contractId }: Pick<ActRecord, "contractId">,
): Promise<{ holdUntil: Date }> {
  const { holdDays } = await configOf(act, (await recordById(act, contractId))!);
  return { holdUntil: new Date(act.now.getTime() + holdDays * DAY_MS) };
}

/** The rooms of an act that is handed in are held; answers what is kept with it. */
export async function holdFor(
  act: Act,
  contract: ContractRecord,
  holds: readonly Hold[],
): Promise<{ holdUntil: Date } | undefined> {
  if (!holds.length) return undefined;
  const ours = { kind: "reservation" as const, contractId: contract.id };
  await take(
    act,
    holds.map((hold) => ({ ...hold, ...ours })),
  );
  return deadlineOf(act, { contractId: contract.id });
}

/** What an act held is free again; answers what is kept with it. */
export async function freeHeld(
  act: Act,
  contract: ContractRecord,
  record: ActRecord,
): Promise<{ holdUntil: null } | undefined> {
  if (!record.held) return undefined;
  const { holds } = [...approved.values()].flatMap((parts) => parts.get(record.kind) ?? [])[0]!;
  const letRoomIds = holds!(contract, record.payload as Draft).map((h) => h.roomId);
  await release(act, { contractId: contract.id, letRoomIds });
  return { holdUntil: null };
}

/**
 * Acts that nobody signed in time are worked on again and let go of their rooms. What is being signed electronically ends with its
 * signing, at the same moment. Answers how many.
 */
export async function letGoHeld(act: Act, most = 200): Promise<number> {
  const late = await act.tx
    .selectFrom("contractAct")
    .select(["id", "actNo", "contractId"])
    .where("state", "=", "signing")
    .where("holdUntil", "<=", act.now.toISOString())
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("signFlow as w")
            .select("w.id")
            .whereRef("w.actId", "=", "contractAct.id")
            .where("w.endedAt", "is", null),
        ),
      ),
    )
    .orderBy("id")
    .limit(most)
    .execute();
  return eachByItself(
    act,
    late,
    ({ actNo }) => actNo,
    async ({ id, contractId }) => {
      const contract = (await recordById(act, contractId, true))!;
      const record = (await actById(act, id, true))!;
      // somebody else may have been here while this waited for the lock
      if (record.status !== "signing" || !record.held) return 0;
      if (await beingSigned(act, { contractId, actId: id })) return 0;
      const freed = await freeHeld(act, contract, record);
      await revise(
        act,
        "contractAct",
        { id, version: record.version },
        { state: "handling", agreed: null, ...freed, ...stamp(act) },
      );
      const { contractNo, villageId } = contract;
      const text = `${record.actNo} 签署期限已过，退回处理中，释放房间`;
      await act.note(contractNote(contract, "签署过期", text));
      await tell(act, {
        to: [record.handlerId ?? record.createdBy].filter((to) => to !== null),
        type: 3,
        title: `${record.actNo} 超过签署期限`,
        content: `合同 ${contractNo} 的${ACT_KIND_WORDS[record.kind][0]}超过签署期限，已退回处理中，房间已释放，请重新提交。`,
        bizType: "contract",
        bizId: contractId,
        villageId,
      });
      return 1;
    },
  );
}

/** What was not approved is worked on again, and lets go of the rooms that it held. */
async function reopen(act: Act, id: number): Promise<void> {
  const seen = await actById(act, id);
  if (!seen) return;
  const contract = (await recordById(act, seen.contractId, true))!;
  const record = (await actById(act, id, true))!;
  if (record.status !== "approving") return;
  const state = record.kind === "settle" ? "settling" : "handling";
  const freed = await freeHeld(act, contract, record);
  await revise(act, "contractAct", { id, version: record.version }, { state, ...freed, ...stamp(act) });
}
