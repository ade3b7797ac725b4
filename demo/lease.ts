import { newBills } from "../domains/contract/signing/bills.rules.ts";
import { planBills } from "../domains/contract/schedule/bills.rules.ts";
import { endAfter } from "../domains/contract/schedule/months.rules.ts";
import { DEFAULT_TERMS } from "../domains/contract/terms/plans.rules.ts";
import type { Terms } from "../domains/contract/terms/terms.contract.ts";
import { payTextOf, rentOn, scheduleOf } from "../domains/contract/terms/terms.rules.ts";
import { addDays, type Day } from "../platform/kernel/day.ts";
import type { Fen } from "../platform/kernel/fen.ts";
import { at } from "./numbers.ts";
import type { Company } from "./company.ts";
import type { DemoRoom } from "./stores.ts";
import { firmFor, makeOccupant, signedAs } from "./firms.ts";
import { makeTenant, type Tenant } from "./tenant.ts";
import { settle } from "./money.ts";
import { turnoverOf } from "./turnover.ts";

export type LeasePlan = {
  room: DemoRoom;
  start: Day;
  months: number;
  cycleMonths: Terms["cycleMonths"];
  rent: Fen;
  signedOn: Day;
  fate: "past" | "running" | "overstayed" | "coming" | "signing" | "voided" | "draft";
};

const STATE = {
  past: "ended",
  running: "effective",
  overstayed: "expired",
  coming: "effective",
  signing: "signing",
  voided: "voided",
  draft: "draft",
} as const;

/** One lease with everything that hangs on it, as signing and paying it would have written. */
export async function makeLease(co: Company, plan: LeasePlan): Promise<void> {
  const { room, start, signedOn, fate } = plan;
  const end = endAfter(start, plan.months);
  const person = await makeTenant(co, room.villageId, signedOn);
  const firm = end > addDays(co.today, 60) ? firmFor(co, plan) : undefined;
  const tenant: Tenant = firm ?? person;
  const terms: Terms = {
    ...DEFAULT_TERMS,
    cycleMonths: plan.cycleMonths,
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
              cycleMonths: plan.cycleMonths,
              prorate: true,
            },
          ],
    ...(firm?.kind === "merchant" && { turnover: turnoverOf(firm.index, plan.rent) }),
  };
  const lettable = { roomId: room.id, monthlyRent: plan.rent, unitPrice: null, area: room.area };
  const input = scheduleOf({ start, end, terms, rooms: [lettable] });
  const planned = planBills(input);
  const id = co.ids("contract");
  const contractNo = co.numbers.next("HT", signedOn);
  const signed = fate !== "signing" && fate !== "draft";
  const gone = fate === "past";
  await co.sink.add("contract", {
    id,
    contractNo,
    kind: firm?.kind ?? "renter",
    state: STATE[fate],
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
    anchorDate: start,
    leaveDate: gone ? end : null,
    signedOn: signed ? signedOn : null,
    handoverOn: gone || fate === "running" || fate === "overstayed" ? start : null,
    chainId: id,
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
  if (fate !== "voided" && fate !== "draft")
    await co.sink.add("occupancy_row", {
      id: co.ids("occupancy_row"),
      roomId: room.id,
      letRoomId: room.id,
      villageId: room.villageId,
      kind: fate === "signing" ? "reservation" : "lease",
      period: `[${start},${addDays(end, 1)})`,
      contractId: id,
      blockId: null,
      takenOn: signedOn,
    });
  if (!signed) return;
  if (firm?.kind === "company") await makeOccupant(co, { contractId: id, room, start, end, person });
  const billed = { id, villageId: room.villageId, partyId: tenant.id, mainRoomId: room.id, terms };
  await settle(
    co,
    { id, contractNo, end, signedOn, gone, voided: fate === "voided", tenant, room },
    newBills(billed, planned, signedOn),
  );
  await co.note({
    kind: "contract",
    recordId: id,
    number: contractNo,
    villageId: room.villageId,
    action: "签署",
    summary: `签署生效：${tenant.name} 租用 ${room.fullName}，${start} 至 ${end}，账单 ${planned.bills.length} 张`,
    day: signedOn,
  });
}
