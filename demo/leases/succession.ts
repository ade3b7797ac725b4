import { agreedDeposit } from "../../domains/contract/schedule/bills.rules.ts";
import type { Plan } from "../../domains/contract/schedule/line.rules.ts";
import { dueOn } from "../../domains/contract/schedule/slot.rules.ts";
import { rentsOn } from "../../domains/contract/succession/agreed.rules.ts";
import {
  carriedOver,
  renewalTerms,
  roomTerms,
  tenantTerms,
} from "../../domains/contract/succession/succession.rules.ts";
import {
  SUCCESSIONS,
  type Succession,
  type TakeOver,
  type Terms,
} from "../../domains/contract/terms/terms.contract.ts";
import { scheduleOf } from "../../domains/contract/terms/terms.rules.ts";
import { carriedEntry } from "../../domains/finance/bill/posting.rules.ts";
import { addDays, type Day } from "../../platform/kernel/day.ts";
import { yuan } from "../../platform/kernel/fen.ts";
import type { Company } from "../company.ts";
import type { Lease, LeasePlan } from "./lease-plan.ts";

const KIND = { renewal: "renew", changeRoom: "changeRoom", changeTenant: "changeTenant" } as const;
const LETTERS = { renew: "XZ", changeRoom: "HF", changeTenant: "ZZ", settle: "TF" } as const;
const REASONS = {
  renewal: ["合同到期续租", "工作稳定，继续居住", "租客申请续租"],
  changeRoom: ["想换朝南的房间", "换大一点的户型", "原房间临街噪音大"],
  changeTenant: ["同事接手租住", "工作调动，转给朋友", "室友接手租住"],
} as const;

/** The terms of a lease that comes after another, with what it takes over, by the rules of its act. */
export function comeAfter(
  before: Lease,
  kind: Succession,
  { start, end, rooms }: Pick<Lease, "start" | "end" | "rooms">,
): Terms {
  const terms = { renewal: renewalTerms, changeRoom: roomTerms, changeTenant: tenantTerms }[kind](
    before,
    start,
  );
  const own = "terms" in terms ? terms.terms : terms;
  const inherited =
    kind === "renewal"
      ? { anchorDate: null, carriedDays: null, carried: null }
      : carriedOver(before, kind, start, rooms);
  const takeOver: TakeOver = {
    kind,
    previousId: before.id,
    previousNo: before.contractNo,
    ...inherited,
    carried: inherited.carried ?? null,
    deposit: 0,
    held: before.held,
  };
  const agreed = agreedDeposit(scheduleOf({ start, end, terms: { ...own, takeOver }, rooms }));
  return { ...own, takeOver: { ...takeOver, deposit: Math.min(before.held, agreed) } };
}

type Done = {
  id: number;
  kind: keyof typeof LETTERS;
  lease: Lease;
  state: "done" | "cancelled";
  on: Day;
  effectiveOn: Day;
  reason: string;
  payload: object;
  nextId: number | null;
  net: number;
  endReason?: string;
};

/** An act that is over, and the line about it on the timeline of its contract. */
async function addAct(co: Company, act: Done, action: string, text: string): Promise<void> {
  const { lease, on } = act;
  const clerk = co.clerkOf(lease.room.villageId);
  const actNo = co.numbers.next(LETTERS[act.kind], on);
  await co.sink.add("contract_act", {
    id: act.id,
    actNo,
    kind: act.kind,
    contractId: lease.id,
    villageId: lease.room.villageId,
    state: act.state,
    requestedOn: addDays(on, -2) < lease.signedOn ? lease.signedOn : addDays(on, -2),
    effectiveOn: act.effectiveOn,
    reason: act.reason,
    payload: act.payload,
    net: act.net,
    trace: null,
    handlerId: clerk,
    endReason: act.endReason ?? "",
    doneAt: act.state === "done" ? co.by(on, 14) : null,
    resultContractId: act.nextId,
    createdAt: co.by(addDays(on, -2), 10),
    createdBy: clerk,
    updatedAt: co.by(on, 14),
    updatedBy: clerk,
  });
  await co.note({
    kind: "contract",
    recordId: lease.id,
    number: lease.contractNo,
    villageId: lease.room.villageId,
    action,
    summary: `${actNo} ${text}`,
    day: on,
  });
}

const ways = (reason: string) => ({ deposit: "carry", credit: "carry", arrearsReason: "", reason });

/** The act that led from one signed lease to the next, its money, and the deposit that went over (E15). */
export async function noteSuccession(
  co: Company,
  { lease: before, kind }: NonNullable<LeasePlan["after"]>,
  lease: Lease,
  plan: Plan,
): Promise<void> {
  const { deposit } = lease.terms.takeOver!;
  const { villageId } = lease.room;
  const holder = (l: Lease) => ({ villageId, partyId: l.tenant.id, contractId: l.id });
  if (deposit)
    await co.post([
      carriedEntry(holder(before), holder(lease), deposit, {
        sourceId: lease.id,
        times: 0,
        businessDate: lease.signedOn,
      }),
    ]);
  const id = co.ids("contract_act");
  const reason = co.chance.pick(REASONS[kind]);
  const more = { state: "done", effectiveOn: lease.start, reason, payload: ways(reason) } as const;
  await addAct(
    co,
    { id, kind: KIND[kind], lease: before, on: lease.signedOn, nextId: lease.id, net: 0, ...more },
    SUCCESSIONS[kind][0],
    `新合同 ${lease.contractNo} 已签署`,
  );
  await co.sink.add("change_money", {
    actId: id,
    rentBefore: rentsOn(before, addDays(lease.start, -1)).get(before.room.id)!,
    rentAfter: lease.rooms[0]!.monthlyRent,
    atSigning: plan.totals.atSigning,
    depositDue: plan.totals.deposit - deposit,
    shown:
      kind === "renewal"
        ? { cut: [], added: [] }
        : {
            cut: before.dropped,
            added: plan.bills.map(({ title, periodStart, periodEnd, amount, ...bill }) => ({
              ...{ title, periodStart, periodEnd, amount },
              dueOn: bill.onSigning ? null : dueOn(bill, lease.signedOn),
            })),
          },
  });
}

/** A renewal that was begun and given up: the tenant left after all. */
export const giveUpRenewal = (co: Company, lease: Lease, on: Day): Promise<void> =>
  addAct(
    co,
    {
      ...{ id: co.ids("contract_act"), kind: "renew", lease, state: "cancelled", on, nextId: null, net: 0 },
      effectiveOn: addDays(lease.end, 1),
      reason: co.chance.pick(REASONS.renewal),
      payload: ways("租客申请续租"),
      endReason: "租客改变主意，到期退房",
    },
    "取消续租",
    "租客改变主意，到期退房",
  );

/** The settlement of a tenant who left on the last day with everything paid: the deposit went back. */
export async function leaveInPeace(co: Company, lease: Lease): Promise<void> {
  const id = co.ids("contract_act");
  const reason = "合同到期退房";
  const notice = addDays(lease.end, -co.chance.int(7, 30));
  const draft = {
    ...{ effectiveOn: lease.end, endReason: "normal", noticeOn: notice, reason },
    ...{ penaltyReason: "", charges: [] },
  };
  await addAct(
    co,
    {
      ...{ id, kind: "settle", lease, state: "done", on: lease.end, effectiveOn: lease.end, reason },
      ...{ payload: draft, nextId: null, net: lease.held },
    },
    "确认退房",
    `应退 ${yuan(lease.held)} 元`,
  );
  if (lease.held)
    await co.sink.add("settlement_line", {
      ...{ actId: id, seq: 0, kind: "depositIn", amount: lease.held, title: "押金" },
      ...{ clause: "", formula: "在管押金" },
    });
}
