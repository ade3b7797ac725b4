import { newBills } from "../../domains/contract/signing/bills.rules.ts";
import { planBills } from "../../domains/contract/schedule/bills.rules.ts";
import { DEFAULT_TERMS } from "../../domains/contract/terms/plans.rules.ts";
import type { Terms } from "../../domains/contract/terms/terms.contract.ts";
import { payTextOf, rentOn, scheduleOf } from "../../domains/contract/terms/terms.rules.ts";
import { addDays } from "../../platform/kernel/day.ts";
import { at } from "../numbers.ts";
import type { Company } from "../company.ts";
import { offerOf } from "./offers.ts";
import { firmFor, makeOccupant, signedAs } from "../customers/firms.ts";
import type { Lease, LeasePlan } from "./lease-plan.ts";
import { makeTenant, type Tenant } from "./tenant.ts";
import { settle } from "../books/money.ts";
import { comeAfter, leaveInPeace, noteSuccession } from "./succession.ts";
import { turnoverOf } from "./turnover.ts";

const STATE = {
  past: "ended",
  running: "effective",
  overstayed: "expired",
  coming: "effective",
  signing: "signing",
  voided: "voided",
  draft: "draft",
} as const;
const GONE_ON = { renewal: "renewed", changeRoom: "changedRoom", changeTenant: "terminated" } as const;

/** What a lease costs that comes after none. */
const freshTerms = (co: Company, { room, cycleMonths }: LeasePlan): Terms => ({
  ...DEFAULT_TERMS,
  cycleMonths,
  billGrouping: co.options.grouping,
  fees:
    room.kind === "parking"
      ? []
      : [
          {
            feeId: co.subjectId("property"),
            name: "物业费",
            kind: "recurring",
            amount: 10_000,
            cycleMonths,
            prorate: true,
          },
        ],
});

/** One lease with everything that hangs on it, as signing and paying it would have written. */
export async function makeLease(co: Company, plan: LeasePlan): Promise<Lease> {
  const { room, start, end, signedOn, fate, after, next } = plan;
  const stays = after && after.kind !== "changeTenant";
  const person = stays ? undefined : await makeTenant(co, room.villageId, signedOn);
  const firm = !after && end > addDays(co.today, 60) ? firmFor(co, plan) : undefined;
  const tenant: Tenant = firm ?? person ?? after!.lease.tenant;
  const rooms = [{ roomId: room.id, monthlyRent: plan.rent, unitPrice: null, area: room.area }];
  const terms: Terms = after
    ? comeAfter(after.lease, after.kind, { start, end, rooms })
    : {
        ...freshTerms(co, plan),
        ...(!firm && offerOf(co, plan)),
        ...(firm?.kind === "merchant" && { turnover: turnoverOf(firm.index, plan.rent) }),
      };
  const input = scheduleOf({ start, end, terms, rooms });
  const planned = planBills(input);
  const id = after?.id ?? co.ids("contract");
  const contractNo = co.numbers.next("HT", signedOn);
  const signed = fate !== "signing" && fate !== "draft";
  const followed = next && next.start <= co.today ? next : undefined;
  const gone = fate === "past" && !next;
  const leaveDate = gone ? end : next && next.kind !== "renewal" ? next.last : null;
  await co.sink.add("contract", {
    id,
    contractNo,
    kind: firm?.kind ?? "renter",
    state: followed ? GONE_ON[followed.kind] : STATE[fate],
    enterpriseId: co.enterpriseId,
    villageId: room.villageId,
    partyId: tenant.id,
    partySnapshot: {
      name: tenant.name,
      phone: tenant.maskedPhone,
      certType: firm ? null : "idCard",
      certNo: firm ? null : tenant.maskedCert,
      ...(firm && signedAs(firm)),
    },
    startDate: start,
    endDate: end,
    anchorDate: input.anchorDate,
    leaveDate,
    endReason: gone ? "normal" : followed?.kind === "changeTenant" ? "changeTenant" : null,
    signedOn: signed ? signedOn : null,
    handoverOn: fate === "past" || fate === "running" || fate === "overstayed" ? start : null,
    source: after?.kind ?? "new",
    previousId: after?.lease.id ?? null,
    nextId: next?.id ?? null,
    chainId: after?.lease.chainId ?? id,
    signerOperatorId: co.clerkOf(room.villageId),
    managerOperatorId: co.clerkOf(room.villageId),
    signDeadline: fate === "signing" ? at(addDays(co.today, 7)) : null,
    previewHash: "0".repeat(64),
    terms,
    monthlyRent: plan.rent,
    currentRent: rentOn(input, co.today),
    netRent: planned.totals.netMonthlyRent,
    depositAmount: planned.totals.deposit,
    cycleMonths: plan.cycleMonths,
    payText: payTextOf(terms),
    roomNames: room.fullName,
    partyName: tenant.name,
    voidReason: fate === "voided" ? "租客个人原因，未付款前取消" : null,
    createdAt: co.by(signedOn, 9),
    createdBy: co.clerkOf(room.villageId),
    updatedAt: co.by(signedOn),
  });
  await co.sink.add("contract_room", {
    contractId: id,
    roomId: room.id,
    joinDate: start,
    monthlyRent: plan.rent,
    depositAmount: planned.totals.deposit,
    listPrice: room.listPrice,
    lowestPrice: room.lowestPrice,
    name: room.fullName,
    kind: room.kind,
    area: room.area,
  });
  const lease: Lease = {
    ...{ id, contractNo, tenant, room, start, end, signedOn, terms, rooms, next },
    chainId: after?.lease.chainId ?? id,
    anchorDate: input.anchorDate,
    held: 0,
    dropped: [],
  };
  if (fate !== "voided" && fate !== "draft")
    await co.sink.add("occupancy_row", {
      id: co.ids("occupancy_row"),
      roomId: room.id,
      letRoomId: room.id,
      villageId: room.villageId,
      kind: fate === "signing" ? "reservation" : "lease",
      period: `[${start},${addDays(leaveDate ?? end, 1)})`,
      contractId: id,
      blockId: null,
      takenOn: signedOn,
    });
  if (!signed) return lease;
  if (firm?.kind === "company" && person)
    await makeOccupant(co, { contractId: id, room, start, end, person });
  const billed = { id, villageId: room.villageId, partyId: tenant.id, mainRoomId: room.id, terms };
  const account = await settle(
    co,
    {
      ...{ id, contractNo, end, signedOn, tenant, room },
      over: fate === "past",
      voided: fate === "voided",
      carried: terms.takeOver?.deposit ?? 0,
      deposit: next ? "over" : gone ? "back" : "held",
      ...(next && next.kind !== "renewal" && { cut: next }),
    },
    newBills(billed, planned, signedOn),
  );
  Object.assign(lease, account);
  await co.note({
    kind: "contract",
    recordId: id,
    number: contractNo,
    villageId: room.villageId,
    action: "签署",
    summary: `签署生效：${tenant.name} 租用 ${room.fullName}，${start} 至 ${end}，账单 ${planned.bills.length} 张`,
    day: signedOn,
  });
  if (after) await noteSuccession(co, after, lease, planned);
  if (gone) await leaveInPeace(co, lease);
  return lease;
}
