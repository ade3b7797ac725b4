import { createHash } from "node:crypto";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { processFor } from "../../approval/examine/registry.service.ts";
import { offerErrors } from "../activity/use.service.ts";
import { whyShut } from "../../place/village/village.service.ts";
import { configOf, type ContractConfig } from "../config/config.service.ts";
import { checkedFees } from "../contract/contract.queries.ts";
import type { ContractRecord } from "../contract/record.queries.ts";
import { permitOf } from "../terms/kind.rules.ts";
import {
  type RoomFact,
  type PartyFact,
  heldOver,
  type Listed,
  listedIn,
  roomFacts,
  takenBetween,
  keptParties,
  partyFact,
  unverifiedText,
  productsOf,
} from "../contract/facts.queries.ts";
import { whyNotAfter, withTakeOver } from "../succession/succession.queries.ts";
import { overCredit } from "./credit.service.ts";
import { planBills } from "../schedule/bills.rules.ts";
import type { Plan } from "../schedule/line.rules.ts";
import type { ScheduleInput } from "../schedule/terms.rules.ts";
import { formErrors, formWarnings } from "../terms/check.rules.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { scheduleOf } from "../terms/terms.rules.ts";
import type { Dealt } from "./deal.rules.ts";
import type { Preview } from "./preview.contract.ts";
import { approvalOf, approvalValues, belowLowest, breachOf, hashText, shownBill } from "./preview.rules.ts";

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A contract with everything that its signing depends on, and what signing it would make. */
export type Weighed = {
  contract: ContractRecord;
  config: ContractConfig;
  rooms: RoomFact[];
  party: PartyFact | undefined;
  listed: Listed[];
  input: ScheduleInput;
  plan: Plan;
  preview: Preview;
  below: string | undefined;
  /** A process judges the price below the lowest: nobody else has to. */
  judged: boolean;
};

/** The stored contract as the form it came from, for the rules that look at forms. */
export const formOf = (contract: ContractRecord, occupants: ContractForm["occupants"]): ContractForm => ({
  ...contract.terms,
  kind: contract.kind,
  villageId: contract.villageId,
  partyId: contract.partyId,
  start: contract.start,
  end: contract.end,
  rooms: contract.rooms.map(({ roomId, monthlyRent, unitPrice }) => ({ roomId, monthlyRent, unitPrice })),
  occupants,
  managerId: contract.managerId,
  signerId: contract.signerId,
  channel: contract.channel,
  agentId: contract.agentId,
  titleId: contract.titleId,
  remark: contract.remark,
});

/** A contract that comes after another and is not handed in yet begins as the record that was kept, where that of its tenant was merged meanwhile. */
async function asKept(read: Read, contract: ContractRecord): Promise<ContractRecord> {
  const { partyId } = contract;
  if (!contract.terms.takeOver || !partyId) return contract;
  return { ...contract, partyId: (await keptParties(read, [partyId])).get(partyId)! };
}

/**
 * Weighs a draft before it is handed in: against the rooms, prices and limits of this moment. Wrong fields are refused (400);
 * what else stands in the way is listed with the preview.
 */
export async function weighDraft(read: Read, stored: ContractRecord): Promise<Weighed> {
  const contract = await asKept(read, await withTakeOver(read, stored));
  return weighDrawn(read, contract, await occupantsOf(read, contract.id), await whyNotAfter(read, contract));
}

/** The same of a contract that is not stored yet; `gone` is why it cannot come after another any more. */
export async function weighDrawn(
  read: Read,
  contract: ContractRecord,
  occupants: ContractForm["occupants"],
  gone: string | undefined,
): Promise<Weighed> {
  const { start, end } = contract;
  const on = start ?? read.today;
  const roomIds = contract.rooms.map((r) => r.roomId);
  const rooms = await roomFacts(read, roomIds, on);
  const products = await productsOf(read, roomIds);
  const held = rooms.map((room) => ({ ...room, product: products.get(room.roomId) ?? null }));
  const party = contract.partyId ? await partyFact(read, contract.partyId, contract.kind) : undefined;
  const config = await configOf(read, contract);
  const form = formOf(contract, occupants);
  const errors = formErrors(form, {
    ...config,
    today: read.today,
    mayBackdate: read.who.permits.has(permitOf(contract.kind, "backdate")),
    rooms: held,
    party,
  });
  // a draft from before may hold what the dictionary does not offer
  errors.push(...(await checkedFees(read, contract.enterpriseId, contract.terms.fees)).errors);
  if (errors.length) throw invalid(...errors);
  const current = contract.rooms.map((room, i) => ({ ...room, area: rooms[i]?.area ?? null }));
  const input = scheduleOf({ start: start!, end: end!, terms: contract.terms, rooms: current });
  const plan = planBills(input);
  const offers = await offerErrors(
    read,
    {
      ...contract,
      start: start!,
      end: end!,
      roomIds,
      cycleMonths: input.cycleMonths,
      contractId: contract.id,
    },
    contract.terms,
    plan,
  );
  if (offers.length) throw invalid(...offers);
  const lowest = rooms.map((r) => r.lowestPrice);
  const itself = [contract.id, contract.previousId, contract.terms.takeOver?.swapWith ?? null];
  const taken = await takenBetween(read, roomIds, start!, end!, itself, contract.partyId);
  const below = belowLowest(input, lowest, contract.terms.turnover);
  const obstacles: Preview["obstacles"] = [];
  const renews = contract.terms.takeOver?.kind === "renewal";
  for (const t of taken.slice(0, 5))
    obstacles.push({
      code: "roomTaken",
      msg: `${rooms.find((r) => r.roomId === t.roomId)?.name} 在 ${t.from} 至 ${t.to ?? "未定"} 已被 ${t.label} 占用${
        renews && t.kind !== "block" ? FIRST_REFUSAL : ""
      }`,
    });
  for (const h of await heldOver(read, roomIds, itself))
    obstacles.push({ code: "roomTaken", msg: heldOverText(h) });
  const shut = await whyShut(read, contract.villageId, end);
  for (const why of [gone, shut]) if (why) obstacles.push({ code: "notAllowed", msg: why });
  const wait = await processFor(
    read,
    approvalOf(contract),
    contract.villageId,
    approvalValues({ contract, input, plan, below, lists: rooms.map((r) => r.listPrice) }),
  );
  const judged = below !== undefined && wait.fields.includes("belowLowest");
  if (below && !judged) obstacles.push({ code: "belowLowest", msg: below });
  const beyond = await overCredit(read, { contract, plan });
  if (beyond) obstacles.push({ code: "overCredit", msg: beyond });
  const listed = party ? await listedIn(read, contract) : [];
  for (const hit of listed)
    obstacles.push({
      code: "blackListed",
      msg: `${hit.whom === "该客户" ? "" : `${hit.whom}：`}黑名单（${hit.source || "未注明来源"}）：${hit.reason}`,
    });
  const unverified = party && unverifiedText(party);
  if (unverified && config.verifyRule === "refuse")
    obstacles.push({ code: "unverified", msg: `${unverified}，核验后才能签约` });
  const hash = sha256(hashText({ ...contract, contractId: contract.id, input, lowest, taken, plan }));
  const preview = previewOf(read, contract, plan, hash, {
    lowest,
    obstacles,
    unverified,
    warnings: [
      ...(judged ? [`${breachOf(below)}，提交后由审批人决定`] : []),
      ...formWarnings(form, { rooms: held }, { plan, start: start!, end: end! }),
    ],
    waitsAt: wait.nodes,
  });
  return { contract, config, rooms, party, listed, input, plan, preview, below, judged };
}

/** Weighs a contract that was handed in: everything it needs was copied into it then. */
export function weighStored(
  read: Read,
  contract: ContractRecord,
): Omit<Weighed, "config" | "rooms" | "party" | "listed" | "judged"> & Pick<Dealt, "lists"> {
  const input = scheduleOf({ ...contract, start: contract.start!, end: contract.end! });
  const plan = planBills(input);
  const lowest = contract.rooms.map((r) => r.lowestPrice);
  const hash = sha256(hashText({ ...contract, contractId: contract.id, input, lowest, taken: [], plan }));
  const preview = previewOf(read, contract, plan, hash, { lowest, obstacles: [], warnings: [] });
  const below = belowLowest(input, lowest, contract.terms.turnover);
  return { contract, input, plan, preview, below, lists: contract.rooms.map((r) => r.listPrice) };
}

/** The preview that a person agreed to must still be the one that comes out. */
export function agree(weighed: Pick<Weighed, "preview">, previewHash: string): void {
  if (weighed.preview.previewHash !== previewHash)
    throw new Refusal("previewChanged", "账单试算已变化，请核对后重新确认", 409, { data: weighed.preview });
}

/** Somebody else has the room after the lease that is renewed: Civil Code, article 734. */
const FIRST_REFUSAL = "，原租客在同等条件下有优先承租权，请先与占用方协商";

export const heldOverText = (h: { room: string; start: string; end: string; contractNo: string }) =>
  `${h.room} 在 ${h.start} 至 ${h.end} 已被 ${h.contractNo} 占用（到期未退）`;

function previewOf(
  read: Read,
  contract: ContractRecord,
  plan: Plan,
  previewHash: string,
  more: {
    lowest: readonly (number | null)[];
    obstacles: Preview["obstacles"];
    warnings: string[];
    unverified?: string | undefined;
    waitsAt?: string[];
  },
): Preview {
  const { totals } = plan;
  const known = more.lowest.every((l) => l !== null) && read.who.permits.has("#601");
  return {
    act: "sign",
    contractId: contract.id,
    version: contract.version,
    added: plan.bills.map((bill) => shownBill(bill, contract.terms, read.today)),
    rooms: contract.rooms.map(({ roomId, name }) => ({ roomId, name })),
    deposit: { before: contract.terms.takeOver?.deposit ?? 0, after: totals.deposit },
    totals: {
      atSigning: totals.atSigning,
      contractTotal: totals.contractTotal,
      deposit: totals.deposit,
      firstRent: totals.firstRent,
      rent: totals.rent,
      fees: totals.fees,
      forgone: totals.forgone,
      netMonthlyRent: totals.netMonthlyRent ?? 0,
    },
    lowestPrice: known ? more.lowest.reduce<number>((sum, l) => sum + l!, 0) : null,
    obstacles: more.obstacles,
    warnings: more.warnings,
    unverified: more.unverified ?? null,
    waitsAt: more.waitsAt ?? [],
    previewHash,
  };
}

async function occupantsOf(read: Read, contractId: number): Promise<ContractForm["occupants"]> {
  const rows = await read.tx
    .selectFrom("contractOccupant")
    .select(["id", "name", "phone", "certType", "gender", "relation", "lockAccess"])
    .where("contractId", "=", contractId)
    .orderBy("id")
    .execute();
  return rows.map((r) => ({ ...r, gender: r.gender as "male" | "female" | null }));
}
