import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, notFound } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { type Waiting, propose } from "../../approval/examine/propose.service.ts";
import {
  type Outlook,
  type PreviewTable,
  type Wanted,
  approves,
  governing,
  waitsAt,
  money,
  words,
} from "../../approval/examine/registry.service.ts";
import type { PriceUnit } from "../room/words.rules.ts";
import { CHANGED, carryOut } from "./apply.service.ts";
import { valueOf } from "./change.queries.ts";
import { openText, percentOf, productLine } from "./change.rules.ts";
import { type Computed, roomsOf } from "./compute.queries.ts";
import { pricesOn, recompute, worked } from "./product-look.queries.ts";
import {
  APPLY_TO,
  type ApplyTo,
  CHANGE_KINDS,
  type ChangeKind,
  type Mode,
  type Round,
} from "./words.rules.ts";
import { theRow } from "../../../platform/server/database/row.ts";

export const PRICE_CHANGE = "priceChange";
/** Whoever decides sees the first rooms; all of them stand on the change itself. */
const SHOWN = 200;

async function changeById(read: Read, id: number, lock = false) {
  const change = await read.tx
    .selectFrom("priceChange")
    .selectAll()
    .where("id", "=", id)
    .$if(lock, (q) => q.forUpdate())
    .executeTakeFirst();
  if (!change) throw notFound();
  return change;
}
type Change = Awaited<ReturnType<typeof changeById>>;

/** What conditions of a process are judged by. */
const valuesOf = ({ totals, percent }: Computed) => ({
  percent: percent ?? percentOf(totals),
  rooms: totals.rooms,
  effect: Math.abs(totals.effect),
});

function tablesOf(change: Change, { totals, histogram, lines }: Computed): PreviewTable[] {
  const taken = lines.filter((line) => !line.skipped);
  const lowest = change.applyTo !== "list" || taken.some((l) => l.newLowest !== l.oldLowest);
  // whoever may not see lowest prices decides without them
  const bottom = (title: string) => ({ title, kind: "money" as const, need: "#601" as const });
  return [
    {
      title: "合计",
      columns: [words("房间数"), money("调整前均价"), money("调整后均价"), money("月影响")],
      rows: [[`${totals.rooms} 间`, totals.oldAverage, totals.newAverage, totals.effect]],
    },
    {
      title: "价格分布",
      columns: [words("标价（元起）"), words("调整前"), words("调整后")],
      rows: histogram.labels.map((label, i) => [
        label,
        `${histogram.before[i]} 间`,
        `${histogram.after[i]} 间`,
      ]),
    },
    {
      title: taken.length > SHOWN ? `明细（前 ${SHOWN} 间，共 ${taken.length} 间）` : "明细",
      columns: [
        words("房间"),
        money("原标价"),
        money("新标价"),
        money("变动"),
        ...(lowest ? [bottom("原底价"), bottom("新底价")] : []),
      ],
      rows: taken
        .slice(0, SHOWN)
        .map((l) => [
          l.roomName,
          l.oldList,
          l.newList,
          l.newList! - l.oldList!,
          ...(lowest ? [l.oldLowest, l.newLowest] : []),
        ]),
    },
  ];
}

/** The very prices that were agreed to; refused once anything under them has moved, or the change is no longer submitted. */
async function outlook(read: Read, { id }: Wanted): Promise<Outlook> {
  const change = await changeById(read, id);
  if (change.state !== "submitted")
    throw new Refusal("notAllowed", "该调价单已修改、取消或生效，请在批量调价中查看");
  const computed = await recompute(read, change);
  if (computed.hash !== change.previewHash) throw new Refusal("previewChanged", CHANGED);
  const { totals } = computed;
  return {
    title: `${CHANGE_KINDS[change.kind as ChangeKind][0]} ${change.number}`,
    number: change.number,
    villageId: await placeOf(read, change.villageIds),
    amount: totals.newSum - totals.oldSum,
    values: valuesOf(computed),
    facts: [
      ["范围", change.scopeText],
      ["方式", change.ruleText ?? ruleOf(change)],
      ["生效日", change.effectiveDay],
      ["房间数", `${totals.rooms} 间`],
      ["月影响", `${yuan(totals.effect)} 元`],
    ],
    preview: tablesOf(change, computed),
    hash: computed.hash,
  };
}

const ruleOf = ({ applyTo, mode, value, round }: Change): string =>
  `${APPLY_TO[applyTo as ApplyTo][0]} ${openText({
    mode: mode as Mode,
    value: valueOf(mode, value),
    applyTo: applyTo as ApplyTo,
    round: round as Round,
  })}`;

/** Of many villages, the first in which such a change needs approval: a village without a process lets nothing slip by. */
async function placeOf(read: Read, villageIds: readonly number[]): Promise<number> {
  const modules = await governing(read, PRICE_CHANGE, villageIds);
  return villageIds.find((id) => modules.has(id)) ?? villageIds[0]!;
}

/** The nodes that such a change would wait at; none where it may be carried out at once. */
export const waitsFor = async (
  read: Read,
  computed: Computed,
  villageIds: readonly number[],
): Promise<string[]> => waitsAt(read, PRICE_CHANGE, await placeOf(read, villageIds), valuesOf(computed));

approves({
  type: PRICE_CHANGE,
  title: "调价",
  group: "房源",
  kind: PRICE_CHANGE,
  page: "/configuration/BatchAdjustPrice",
  permit: "6.query",
  fields: [
    { key: "percent", title: "平均调幅", kind: "percent" },
    { key: "rooms", title: "房间数", kind: "number", unit: "间" },
    { key: "effect", title: "月影响", kind: "money" },
  ],
  outlook,
  effect: async (act, { id }) => {
    const change = await changeById(act, id, true);
    if (change.state !== "submitted") throw new Refusal("notAllowed", "该调价单不在等待审批");
    await carryOut(act, change);
  },
});

/** Waits for approval where that is configured; else it is carried out now. */
export async function proposeChange(act: Act, change: Change): Promise<Waiting | undefined> {
  const villageId = await placeOf(act, change.villageIds);
  const { now, waiting } = await propose(act, PRICE_CHANGE, [
    { recordId: change.id, villageId, payload: {}, reason: change.reason },
  ]);
  if (now.length) await carryOut(act, change);
  return waiting[0];
}

type Room = { id: number; villageId: number };

/**
 * Rooms that come to follow a product together, from today on. Where such a move of prices needs approval it is refused:
 * each room is handed in by itself, so that whoever decides sees what it does.
 */
export async function mayMove(read: Read, rooms: readonly Room[], productId: number): Promise<void> {
  const villageIds = [...new Set(rooms.map((room) => room.villageId))].toSorted((a, b) => a - b);
  if (!villageIds.length || !(await governing(read, PRICE_CHANGE, villageIds)).size) return;
  const day = read.today;
  const { priceUnit } = await theRow(read, "product", ["priceUnit"], { id: productId });
  const prices = await pricesOn(read, productId, day);
  const ids = rooms.map((room) => room.id);
  const found = await roomsOf(read, { roomIds: ids }, villageIds, day, ids.length);
  const lines = found.flatMap((room) => {
    const next =
      prices.find((p) => p.villageId === room.villageId) ?? prices.find((p) => p.villageId === null);
    const asked = next && { listPrice: next.list, lowestPrice: next.lowest };
    return asked ? [productLine(room, priceUnit as PriceUnit, asked)] : [];
  });
  // one store after the other: where only one of them asks for approval, the others do not hide it
  for (const villageId of villageIds) {
    const mine = worked(
      lines.filter((line) => line.villageId === villageId),
      [],
    );
    const waits = mine.totals.rooms ? await waitsFor(read, mine, [villageId]) : [];
    if (waits.length)
      throw new Refusal(
        "notAllowed",
        `${mine.totals.rooms} 间房跟随产品后价格变化，需要审批（${waits.join(" → ")}）；请保留自有价格，再在房间的价格中逐间恢复跟随产品`,
      );
  }
}
