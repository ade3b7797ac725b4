import { sql } from "kysely";
import { type FieldError, Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import type { RoomKind } from "../../listing/room/words.rules.ts";
import type { Plan } from "../schedule/line.rules.ts";
import type { CycleMonths } from "../schedule/terms.rules.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { isAttached } from "../terms/product.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import { activitiesAt, activitiesOf, contentOf, type Stored, usesByParty } from "./activity.queries.ts";
import { type Deal, clash, discountOf, offOf, unfit, usedUp, valueText } from "./activity.rules.ts";

type Discounts = NonNullable<Terms["discounts"]>;
/** Discounts agreed by hand come after every offer of their kind. */
const BY_HAND = 100;
const offersIn = (discounts: Discounts): number[] => discounts.flatMap((d) => d.activityId ?? []);

/** The terms of an offer as a contract names it. */
const termOf = (a: Stored): Discounts[number] => ({
  ...discountOf(contentOf(a), a.priority),
  feeIds: a.appliesTo === "fees" ? a.feeIds : [],
  activityId: a.id,
  activityVersion: a.contentVersion,
  name: a.name,
  reason: "",
});

/** The discounts of a draft with what their offers give now; whatever came along with an offer's id counts for nothing. */
export async function namedDiscounts(
  read: Pick<Read, "tx">,
  enterpriseId: number,
  terms: Terms,
): Promise<Terms> {
  const { discounts } = terms;
  if (!discounts?.length) return terms;
  const before = discounts.flatMap((d) => d.fromActivityId ?? []);
  const offers = await activitiesOf(read, [...offersIn(discounts), ...before]);
  const laid = discounts.map((d, i) => {
    const offer = offers.get(d.activityId ?? d.fromActivityId ?? 0);
    if (!d.activityId) {
      const { fromActivityId: _, ...own } = d;
      const goesOn = offer?.enterpriseId === enterpriseId && { fromActivityId: offer.id };
      return { ...own, ...goesOn, activityVersion: null, name: d.name || "整单优惠", order: BY_HAND };
    }
    if (offer?.enterpriseId !== enterpriseId || offer.state === "draft")
      throw invalid({ field: `discounts.${i}`, msg: "请选择优惠活动" });
    return { ...termOf(offer), reason: d.reason };
  });
  return { ...terms, discounts: laid };
}

export type Drawn = {
  villageId: number;
  kind: ContractKind;
  partyId: number | null;
  start: string;
  end: string;
  cycleMonths: CycleMonths;
  roomIds: readonly number[];
  contractId: number | null;
};

async function dealOf(read: Read, drawn: Drawn): Promise<Deal> {
  const rooms = await read.tx
    .selectFrom("room")
    .select(["kind", "productId"])
    .where("id", "=", anyOf(drawn.roomIds))
    .execute();
  const contract = drawn.contractId
    ? await read.tx
        .selectFrom("contract")
        .select("source")
        .where("id", "=", drawn.contractId)
        .executeTakeFirst()
    : undefined;
  return {
    ...drawn,
    source: contract?.source ?? "new",
    rooms: rooms
      .filter((room) => !isAttached(room.kind))
      .map(({ kind, productId }) => ({ kind: kind as RoomKind, productId })),
    day: read.today,
  };
}

/** The offers that fit a contract, with what is left of each. */
export async function usableFor(read: Read, drawn: Drawn) {
  const deal = await dealOf(read, drawn);
  const fitting = (await activitiesAt(read, drawn.villageId)).filter((a) => !unfit(a, deal));
  const ids = fitting.map((a) => a.id);
  const byParty = await usesByParty(read, drawn.partyId, ids);
  return fitting.map((a) => {
    const { kind, value, fromMonth, toMonth, everyMonth, order, feeIds = [] } = termOf(a);
    return {
      id: a.id,
      name: a.name,
      valueText: valueText(contentOf(a)),
      signTo: a.signTo,
      contentVersion: a.contentVersion,
      stackGroup: a.stackGroup,
      stackable: a.stackable,
      discount: {
        kind,
        value,
        fromMonth: fromMonth ?? 1,
        toMonth: toMonth ?? null,
        everyMonth: everyMonth ?? false,
        feeIds: [...feeIds],
        order,
      },
      left: a.quota ? a.quota - a.usedCount : null,
      budgetLeft: a.budget ? a.budget - a.usedFen : null,
      why: usedUp({ ...a, usedByParty: byParty.get(a.id) ?? 0 }, 0) ?? null,
    };
  });
}

/** What stands in the way of the discounts of a draft as it is about to be handed in, under the names of the form. */
export async function offerErrors(read: Read, drawn: Drawn, terms: Terms, plan: Plan): Promise<FieldError[]> {
  const discounts = terms.discounts ?? [];
  const ids = offersIn(discounts);
  if (!ids.length) return [];
  const [deal, offers, byParty] = await Promise.all([
    dealOf(read, drawn),
    activitiesOf(read, ids),
    usesByParty(read, drawn.partyId, ids),
  ]);
  const off = offOf(plan, discounts.length);
  const chosen = [...offers.values()];
  return discounts.flatMap((d, i): FieldError[] => {
    const offer = d.activityId ? offers.get(d.activityId) : undefined;
    if (!d.activityId) return [];
    const twice = ids.indexOf(d.activityId) !== ids.lastIndexOf(d.activityId) && "不能重复选择";
    const why =
      !offer || offer.contentVersion !== d.activityVersion
        ? "内容已变化，请重新选择"
        : twice ||
          unfit(offer, deal) ||
          clash(offer, chosen) ||
          usedUp({ ...offer, usedByParty: byParty.get(offer.id) ?? 0 }, off[i]!);
    if (!why) return [];
    const own = why.startsWith("活动") ? why : `优惠“${d.name}”${why}`;
    return [{ field: `discounts.${i}`, msg: own }];
  });
}

export type Used = { id: number; villageId: number; partyId: number; terms: Terms };

/**
 * Why an offer of a contract cannot be given any more as it comes into force, or nothing. The offers are locked in order of
 * their ids, so of two who sign at once the second sees what the first has taken.
 */
export async function offersGone(
  act: Read,
  contract: Used,
  plan: Plan,
  lock = true,
): Promise<string | undefined> {
  const discounts = contract.terms.discounts ?? [];
  const ids = offersIn(discounts);
  if (!ids.length) return undefined;
  const offers = await activitiesOf(act, ids, { lock });
  const byParty = await usesByParty(act, contract.partyId, ids);
  const off = offOf(plan, discounts.length);
  for (const [i, { activityId }] of discounts.entries()) {
    const offer = activityId && offers.get(activityId);
    const why = offer && usedUp({ ...offer, usedByParty: byParty.get(offer.id) ?? 0 }, off[i]!);
    if (why) return why;
  }
  return undefined;
}

/** Counts the discounts of a contract that comes into force; refused where an offer is used up. */
export async function takeUses(act: Act, contract: Used, plan: Plan, signedOn: string): Promise<void> {
  const discounts = contract.terms.discounts ?? [];
  if (!discounts.length) return;
  const gone = await offersGone(act, contract, plan);
  if (gone) throw new Refusal("quotaUsed", gone);
  const off = offOf(plan, discounts.length);
  await act.tx
    .insertInto("contractDiscount")
    .values(
      discounts.map((d, i) => ({
        contractId: contract.id,
        villageId: contract.villageId,
        partyId: contract.partyId,
        activityId: d.activityId ?? null,
        activityVersion: d.activityId ? (d.activityVersion ?? 1) : null,
        name: d.name,
        kind: d.kind,
        value: d.value,
        fromMonth: d.fromMonth ?? null,
        toMonth: d.toMonth ?? null,
        orderNum: d.order,
        totalFen: off[i]!,
        reason: d.reason,
        usedOn: signedOn,
      })),
    )
    .execute();
  for (const [i, { activityId }] of discounts.entries())
    if (activityId) await count(act, activityId, 1, off[i]!);
}

/** Gives back what a contract used that is voided. */
export async function returnUses(act: Act, contractId: number): Promise<void> {
  const open = await act.tx
    .selectFrom("contractDiscount")
    .select("activityId")
    .where("contractId", "=", contractId)
    .where("returnedOn", "is", null)
    .execute();
  if (!open.length) return;
  await activitiesOf(
    act,
    open.flatMap((d) => d.activityId ?? []),
    { lock: true },
  );
  const returned = await act.tx
    .updateTable("contractDiscount")
    .set({ returnedOn: act.today })
    .where("contractId", "=", contractId)
    .where("returnedOn", "is", null)
    .returning(["activityId", "totalFen"])
    .execute();
  for (const { activityId, totalFen } of returned)
    if (activityId) await count(act, activityId, -1, -totalFen);
}

/** The last place that is taken ends an offer; one that comes back while it still runs opens it again. */
async function count(act: Act, id: number, uses: number, fen: number): Promise<void> {
  await act.tx
    .updateTable("activity")
    .set({
      usedCount: sql<number>`used_count + ${uses}`,
      usedFen: sql<number>`used_fen + ${fen}`,
      state: sql<string>`case
        when state = 'enabled' and quota > 0 and used_count + ${uses} >= quota then 'ended'
        when state = 'ended' and sign_to >= ${act.today}::date and (quota = 0 or used_count + ${uses} < quota) then 'enabled'
        else state end`,
      ...stamp(act),
      version: NEXT_VERSION,
    })
    .where("id", "=", id)
    .execute();
}
