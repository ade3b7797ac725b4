import type { Day } from "../../../platform/kernel/day.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { makeBills } from "../../finance/bill/bill.service.ts";
import { takeUses } from "../activity/use.service.ts";
import { linkParties } from "../../party/party/party.service.ts";
import { roomsText } from "../contract/contract.rules.ts";
import type { Plan } from "../schedule/line.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import { newBills } from "./bills.rules.ts";
import { contractSigned } from "../../customer/lead/lead.contract.ts";

/** A contract at the moment it comes into force; its rooms are leased to it already. */
export type Signed = {
  id: number;
  contractNo: string;
  villageId: number;
  partyId: number;
  partyName: string;
  roomIds: readonly number[];
  roomNames: string;
  start: Day;
  end: Day;
  terms: Terms;
  plan: Plan;
  signedOn: Day;
  /** Where it did not come about by signing: what the timelines say instead. */
  told?: { action: string; summary: string };
};

/**
 * What signing does beside the contract's own row: what its offers give is
 * counted, every bill of the whole term, the link that lets the village see the tenant, the
 * timeline entries of contract and rooms, and the news for the domains to the right. Any number of contracts in a few statements.
 * Answers how many bills were made.
 */
export async function putInForce(act: Act, contracts: readonly Signed[]): Promise<number> {
  const bills = contracts.flatMap((c) => newBills({ ...c, mainRoomId: c.roomIds[0]! }, c.plan, c.signedOn));
  for (const c of contracts) await takeUses(act, c, c.plan, c.signedOn);
  await makeBills(act, bills);
  await linkParties(
    act,
    contracts.map((c) => ({
      partyId: c.partyId,
      villageId: c.villageId,
      because: "contract",
      firstDay: c.start,
    })),
  );
  await act.note(
    contracts.flatMap((c) => {
      const totals = c.plan.totals;
      const summary = `签署生效：${c.partyName} 租用 ${roomsText(c.roomNames)}，${c.start} 至 ${c.end}，账单 ${c.plan.bills.length} 张，签约应收 ${yuan(totals.atSigning)} 元`;
      const entry = {
        number: c.contractNo,
        villageId: c.villageId,
        ...(c.told ?? { action: "签署", summary }),
      };
      return [
        { ...entry, kind: "contract", recordId: c.id, after: { totals: { ...totals, months: undefined } } },
        ...c.roomIds.map((recordId) => ({ ...entry, kind: "room", recordId })),
      ];
    }),
  );
  await act.emit(contractSigned, {
    contracts: contracts.map((c) => ({
      contractId: c.id,
      villageId: c.villageId,
      partyId: c.partyId,
      roomIds: [...c.roomIds],
      start: c.start,
      end: c.end,
      signedOn: c.signedOn,
    })),
  });
  return bills.length;
}
