import { sql } from "kysely";
import type { z } from "zod";
import type { Day } from "../../../platform/kernel/day.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { changed } from "../occupancy/occupancy.service.ts";
import { followProducts } from "../room/product-price.service.ts";
import type { roomPricing } from "./room-price.contract.ts";
import { proposeChange, waitsFor } from "../price-change/approval.service.ts";
import { APPROVAL, stateOn } from "../price-change/change.queries.ts";
import { type Looked, computeGiven } from "../price-change/product-look.queries.ts";
import { type Given, followText, productText, roomText } from "../price-change/change.rules.ts";
import { noteChange, writeLines } from "../price-change/save.service.ts";
import { CHANGE_KINDS } from "../price-change/words.rules.ts";
import { theRow } from "../../../platform/server/database/row.ts";

/** A change that waits for approval or is being carried out. */
const WAITS = sql`(c.state = 'submitted' and (e.state = 'approving' or c.queued_at is not null))`;
/** The same, and those that are to come. */
const pending = (read: Read) =>
  sql`(${WAITS} or (c.state = 'scheduled' and c.effective_day > ${read.today}))`;

/** Of two prices for one room and day, the one that is waited for comes first. */
export async function refusePending(
  read: Read,
  rooms: number | readonly number[],
  day: Day,
  orLater = false,
): Promise<void> {
  const [many, ids] = typeof rooms === "number" ? [false, [rooms]] : [true, rooms];
  const { rows } = await sql<{ number: string; room: string }>`
    select c.number, r.full_name room from price_change_line l join price_change c on c.id = l.change_id ${APPROVAL}
    join room r on r.id = l.room_id
    where l.room_id = ${anyOf(ids)} and not l.skipped and ${pending(read)}
      and (c.effective_day = ${day}::date or (${orLater} and c.effective_day > ${day}::date))
    order by c.id, r.place, r.id limit 1`.execute(read.tx);
  if (!rows[0]) return;
  const [{ number, room }] = rows as [(typeof rows)[number]];
  const named = many ? `${room} ` : "房间";
  throw new Refusal("notAllowed", `${named}已在调价单 ${number} 中，请等它生效、取消或撤回后再改价`);
}

/** The first price that one of these rooms has been given of its own for a day to come; it goes with following a product. */
export async function ownAhead(read: Read, roomIds: readonly number[]) {
  const { rows } = await sql<{ room: string; day: Day }>`
    select r.full_name room, p.effective_day "day" from room_price p join room r on r.id = p.room_id
    where p.room_id = ${anyOf(roomIds)} and p.effective_day > ${read.today} and r.price_mode = 'own'
    order by r.place, r.id, p.effective_day limit 1`.execute(read.tx);
  return rows[0];
}

/** A product waits for one new price at a time. */
export async function refuseProductPending(read: Read, productId: number): Promise<void> {
  const { rows } = await sql<{ number: string }>`
    select c.number from price_change c ${APPROVAL}
    where c.product_id = ${productId} and ${WAITS} order by c.id limit 1`.execute(read.tx);
  if (rows[0])
    throw new Refusal("notAllowed", `产品已在调价单 ${rows[0].number} 中，请等它完成或撤回后再调价`);
}

/** How a room is priced, and the change that it waits for. */
export async function pricingOf(read: Read, roomId: number): Promise<z.input<typeof roomPricing.reply>> {
  const { rows } = await sql<z.input<typeof roomPricing.reply>>`
    select r.price_mode "priceMode",
      case when d.id is not null then json_build_object('id', d.id, 'name', d.name) end product,
      (select json_build_object('id', c.id, 'number', c.number, 'state', ${stateOn(read.today)},
          'effectiveDay', c.effective_day, 'newList', l.new_list)
        from price_change_line l join price_change c on c.id = l.change_id ${APPROVAL}
        where l.room_id = r.id and not l.skipped and ${pending(read)}
        order by c.effective_day, c.id limit 1) pending
    from room r left join product d on d.id = r.product_id where r.id = ${roomId}`.execute(read.tx);
  return rows[0]!;
}

/** Before anything is done: what would come of it, and the nodes it would wait at. */
export async function lookAt(read: Read, given: Given) {
  const computed = await computeGiven(read, given);
  return { ...computed, waits: await waitsFor(read, computed, computed.villageIds) };
}

export type Proposed = { id: number; number: string; examineNo: string | null; lines: number };

/**
 * Where prices that somebody typed need approval, or are too many to wait for, they stand on a change of their own.
 * Answers nothing where the caller may write them at once.
 */
export async function proposeGiven(act: Act, given: Given, reason: string): Promise<Proposed | undefined> {
  const looked = await lookAt(act, given);
  const byJob = given.kind === "product" && looked.lines.length > act.settings.PRICE_JOB_ROOMS;
  if (!looked.waits.length && !byJob) return undefined;
  if (looked.waits.length && reason.length < 2)
    throw invalid({ field: "reason", msg: "需要审批，请输入2到200字的调价原因" });
  if (given.kind !== "product") await refusePending(act, given.roomId, given.effectiveDay, true);
  const change = await keep(act, given, looked, reason || CHANGE_KINDS[given.kind][0]);
  const waiting = await proposeChange(act, change);
  return {
    id: change.id,
    number: change.number,
    examineNo: waiting?.examineNo ?? null,
    lines: looked.lines.length,
  };
}

/** As a change that has been handed in. */
async function keep(act: Act, given: Given, looked: Looked, reason: string) {
  const { lines, totals, hash, villageIds, name } = looked;
  const { enterpriseId } = await theRow(act, "village", ["enterpriseId"], { id: villageIds[0]! });
  const [number] = await act.numbers("TJ");
  const ofProduct = given.kind === "product";
  const first = lines[0];
  const by = act.who.operatorId;
  const lowest = lines.some((line) => line.newLowest !== line.oldLowest);
  const at = act.now.toISOString();
  const change = await act.tx
    .insertInto("priceChange")
    .values({
      number: number!,
      kind: given.kind,
      roomId: ofProduct ? null : given.roomId,
      productId: ofProduct ? given.productId : null,
      given: JSON.stringify(given),
      ruleText: textOf(given, looked),
      enterpriseId,
      villageIds,
      scope: JSON.stringify(
        ofProduct ? { villageIds, productId: given.productId } : { villageIds, roomIds: [given.roomId] },
      ),
      scopeText: ofProduct ? `产品 ${name} 的 ${lines.length} 间跟随房间` : name,
      mode: "set",
      value: given.kind === "follow" ? (first?.newList ?? 1) : given.listPrice,
      applyTo: lowest ? "both" : "list",
      round: "fen",
      asProduct: ofProduct,
      effectiveDay: given.effectiveDay,
      reason,
      previewHash: hash,
      rooms: totals.rooms,
      oldSum: totals.oldSum,
      newSum: totals.newSum,
      effect: totals.effect,
      state: "submitted",
      submittedBy: by,
      submittedAt: at,
      createdAt: at,
      createdBy: by,
      updatedBy: by,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await writeLines(act, change.id, lines);
  await noteChange(act, change, "新增", `${name}：${change.ruleText}，${given.effectiveDay} 起生效`);
  return change;
}

function textOf(given: Given, { lines, unit, productName }: Looked): string {
  if (given.kind === "room") return roomText(given);
  return given.kind === "product" ? productText(given, unit) : followText(productName, lines[0]!);
}

/**
 * Lets a room take the price of its product from today on; its row is locked. Where that moves its price and needs
 * approval, it waits: answers the number of that approval.
 */
export async function follow(
  act: Act,
  room: { id: number; villageId: number; fullName: string },
  reason: string,
): Promise<string | null> {
  const given = { kind: "follow", roomId: room.id, effectiveDay: act.today } as const;
  const waiting = await proposeGiven(act, given, reason);
  if (waiting) return waiting.examineNo;
  // prices that are to come would go: whoever wants that takes the change back first
  await refusePending(act, room.id, act.today, true);
  const gone = await ownAhead(act, [room.id]);
  await act.tx
    .updateTable("room")
    .set({ priceMode: "follow", version: NEXT_VERSION, updatedAt: act.now.toISOString() })
    .where("id", "=", room.id)
    .execute();
  await followProducts(act, [room.id]);
  await changed(act, [{ roomId: room.id, villageId: room.villageId }]);
  await act.note({
    kind: "room",
    recordId: room.id,
    number: room.fullName,
    villageId: room.villageId,
    action: "恢复跟随产品",
    summary: `自 ${act.today} 起价格跟随产品${gone ? `，${gone.day} 起另定的价格取消` : ""}`,
  });
  return null;
}
