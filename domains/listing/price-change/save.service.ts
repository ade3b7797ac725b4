import { oneEnterprise } from "../../place/village/village.service.ts";
import { sql } from "kysely";
import { stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import type { z } from "zod";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { changeSeen, standing } from "./change.queries.ts";
import { hundredths, openText, type PriceLine } from "./change.rules.ts";
import { CHANGE_MOVES } from "./words.rules.ts";
import { computeFor, ruleOf, shownLines, type Computed } from "./compute.queries.ts";
import { type ChangePlan, type confirmedPlan, type previewReply, changeScope } from "./change.contract.ts";
import { scopeText } from "./stored.queries.ts";

type Confirmed = z.output<typeof confirmedPlan>;

/** What a preview answers. */
export const previewOf = (
  read: Read,
  computed: Computed,
  page: Parameters<typeof shownLines>[2] = { part: "all", pageNo: 1, pageSize: 50 },
): z.input<typeof previewReply> => ({
  ...computed.totals,
  products: computed.products.map(({ id, name, rooms }) => ({ id, name, rooms })),
  histogram: computed.histogram,
  hash: computed.hash,
  ...shownLines(read, computed.lines, page),
});

/** The prices that somebody agreed to must still be those that come out, and somebody has looked at the large ones. */
function agree(read: Read, computed: Computed, { hash, checked }: Confirmed): void {
  if (computed.hash !== hash)
    throw new Refusal("previewChanged", "房价已变化，请重新预览", 409, { data: previewOf(read, computed) });
  const { problems, beyond } = computed.totals;
  if (problems[0]) throw new Refusal("notAllowed", problems[0]);
  if (beyond && !checked)
    throw invalid({ field: "checked", msg: `有 ${beyond} 间调整超过 50%，请核对后勾选“已核对”` });
}

/** The villages of the rooms, all of one enterprise. */
async function placeOf(act: Act, lines: readonly PriceLine[]) {
  const villageIds = [...new Set(lines.filter((l) => !l.skipped).map((l) => l.villageId))].toSorted(
    (a, b) => a - b,
  );
  return { villageIds, enterpriseId: await oneEnterprise(act, villageIds) };
}

async function rowOf(act: Act, plan: Confirmed, computed: Computed) {
  const { rooms, oldSum, newSum, effect } = computed.totals;
  const rule = ruleOf(plan as ChangePlan);
  return {
    ...(await placeOf(act, computed.lines)),
    scope: JSON.stringify(changeScope.parse(plan)),
    scopeText: await scopeText(act, plan, plan.villageIds),
    mode: plan.mode,
    value: rule.mode === "percent" && rule.value !== null ? hundredths(rule.value) : rule.value,
    undoOf: plan.mode === "undo" ? plan.undoOf! : null,
    applyTo: plan.applyTo,
    round: plan.round,
    asProduct: plan.asProduct,
    effectiveDay: plan.effectiveDay,
    reason: plan.reason,
    previewHash: computed.hash,
    rooms,
    oldSum,
    newSum,
    effect,
  };
}

/** All lines in one statement, however many rooms there are. */
export async function writeLines(act: Act, id: number, lines: readonly PriceLine[]): Promise<void> {
  const rows = lines.map(
    ({ roomName: _, villageId: _1, area: _2, warnings: _3, productId: _4, oldUnit: _5, ...line }) => line,
  );
  await sql`
    insert into price_change_line (change_id, room_id, unit, old_list, old_lowest, new_list, new_lowest, edited, vacant,
      followed, by_product, skipped, why)
    select ${id}, "roomId", unit, "oldList", "oldLowest", "newList", "newLowest", edited, vacant, followed, "byProduct", skipped, why
    from json_to_recordset(${JSON.stringify(rows)}::json) as l("roomId" bigint, unit text, "oldList" bigint,
      "oldLowest" bigint, "newList" bigint, "newLowest" bigint, edited boolean, vacant boolean, followed boolean, "byProduct" boolean,
      skipped boolean, why text)`.execute(act.tx);
}

/** Keeps a plan as a draft, as it was agreed to. */
export async function addDraft(act: Act, plan: Confirmed) {
  const computed = await computeFor(act, plan as ChangePlan);
  agree(act, computed, plan);
  const [number] = await act.numbers("TJ");
  const by = act.who.operatorId;
  const row = await rowOf(act, plan, computed);
  const { id } = await act.tx
    .insertInto("priceChange")
    .values({ ...row, number: number!, createdAt: act.now.toISOString(), createdBy: by, updatedBy: by })
    .returning("id")
    .executeTakeFirstOrThrow();
  await writeLines(act, id, computed.lines);
  await noteChange(act, { id, number: number!, ...row }, "新增", said(plan, row.rooms));
  return { id, number: number!, version: 1 };
}

/** Plans a draft anew, or one that was rejected or taken back. */
export async function editDraft(act: Act, id: number, { version, ...plan }: Confirmed & { version: number }) {
  const before = await changeSeen(act, id, { lock: true });
  CHANGE_MOVES.next("edit", await standing(act, id));
  asSeen(before, version);
  const computed = await computeFor(act, { ...plan, self: id } as ChangePlan);
  agree(act, computed, plan);
  const row = await rowOf(act, plan, computed);
  await act.tx
    .updateTable("priceChange")
    .set({
      ...row,
      state: "draft",
      ...stamp(act),
      version: version + 1,
    })
    .where("id", "=", id)
    .execute();
  await act.tx.deleteFrom("priceChangeLine").where("changeId", "=", id).execute();
  await writeLines(act, id, computed.lines);
  await noteChange(act, { ...before, ...row }, "编辑", said(plan, row.rooms));
  return { id, number: before.number, version: version + 1 };
}

const said = (plan: Confirmed, rooms: number) =>
  `${rooms} 间，${openText(ruleOf(plan as ChangePlan))}，${plan.effectiveDay} 起生效`;

/** One line on the change's own timeline. */
export const noteChange = (
  act: Act,
  { id, number, villageIds }: { id: number; number: string; villageIds: readonly number[] },
  action: string,
  summary: string,
): Promise<void> =>
  act.note({ kind: "priceChange", recordId: id, number, villageId: villageIds[0]!, action, summary });
