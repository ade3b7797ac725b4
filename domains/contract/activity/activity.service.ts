import { sql } from "kysely";
import { yuan } from "../../../platform/kernel/fen.ts";
import { Refusal, forbidden, invalid, stale } from "../../../platform/kernel/refusal.ts";
import { removeAt, revise, stamp } from "../../../platform/server/database/versioned.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { oneEnterprise } from "../../place/village/village.service.ts";
import { propose, refuseFrozen } from "../../approval/examine/propose.service.ts";
import { type Outlook, approves, governing } from "../../approval/examine/registry.service.ts";
import type { ActivityBody } from "./activity.contract.ts";
import { ACTIVITY, type Stored, activitySeen, contentOf } from "./activity.queries.ts";
import { ACTIVITY_KINDS, activityMoves, scopeText, storedValue, valueText } from "./activity.rules.ts";

/** A line on the offer's own timeline. */
const noteOf = (
  act: Act,
  a: Pick<Stored, "id" | "name" | "villageIds">,
  action: string,
  summary: string,
  more: object = {},
) =>
  act.note({
    kind: ACTIVITY,
    recordId: a.id,
    number: a.name,
    villageId: a.villageIds[0]!,
    action,
    summary,
    ...more,
  });

/** Who changes an offer looks after every store of it. */
function mine(read: Pick<Read, "who">, a: Pick<Stored, "villageIds">): void {
  if (!a.villageIds.every((id) => read.who.villages.includes(id)))
    throw new Refusal("noPermission", "该活动含您不能管理的门店，请由可管理其全部门店的人员操作", 403);
}

async function locked(act: Act, id: number, version: number) {
  const activity = await activitySeen(act, id, { lock: true });
  mine(act, activity);
  return { activity, fresh: () => activity.version === version || fail() };
}
const fail = (): never => {
  throw stale();
};

/** Products and fees that an offer names are the enterprise's own. */
async function check(act: Act, enterpriseId: number, body: ActivityBody): Promise<void> {
  const products = await act.tx
    .selectFrom("product")
    .select("id")
    .where("id", "=", anyOf(body.productIds))
    .where("enterpriseId", "=", enterpriseId)
    .execute();
  if (products.length < body.productIds.length) throw invalid({ field: "productIds", msg: "请选择产品" });
  if (body.appliesTo !== "fees") return;
  const fees = await act.tx
    .selectFrom("feeSubject as s")
    .innerJoin("feeChoice as c", "c.id", "s.id")
    .select("s.id")
    .where("s.id", "=", anyOf(body.feeIds))
    .where("s.enterpriseId", "=", enterpriseId)
    .where("s.kind", "<>", "deposit")
    .execute();
  if (fees.length < body.feeIds.length)
    throw invalid({ field: "feeIds", msg: "请选择合同可以收取的费用，押金不能优惠" });
}

/** Only what fits the kind is kept: an offer of months off has no amount, and so on. */
function columnsOf(body: ActivityBody) {
  const { percent: _p, amount: _a, months: _m, ...rest } = body;
  return {
    ...rest,
    value: storedValue(body),
    everyMonth: body.kind === "amount" && body.everyMonth,
    feeIds: body.appliesTo === "fees" ? body.feeIds : [],
    monthTo: body.kind === "firstMonths" ? null : (body.monthTo ?? null),
    cycles: body.cycles.map(Number),
  };
}

export async function addActivity(act: Act, body: ActivityBody): Promise<{ id: number }> {
  const enterpriseId = await oneEnterprise(act, body.villageIds);
  await check(act, enterpriseId, body);
  const by = act.who.operatorId;
  const { id } = await act.tx
    .insertInto("activity")
    .values({
      ...columnsOf(body),
      enterpriseId,
      createdBy: by,
      createdAt: act.now.toISOString(),
      ...stamp(act),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await noteOf(act, { ...body, id }, "新增", `新增优惠活动 ${body.name}：${valueText(body)}`);
  return { id };
}

export async function editActivity(
  act: Act,
  id: number,
  { version, ...body }: ActivityBody & { version: number },
) {
  const { activity, fresh } = await locked(act, id, version);
  activityMoves.next("edit", activity);
  fresh();
  await refuseFrozen(act, ACTIVITY, [id]);
  const enterpriseId = await oneEnterprise(act, body.villageIds);
  if (enterpriseId !== activity.enterpriseId)
    throw invalid({ field: "villageIds", msg: "所选门店须属于同一企业" });
  await check(act, enterpriseId, body);
  await revise(
    act,
    "activity",
    { id, version },
    { ...columnsOf(body), contentVersion: activity.contentVersion + 1, ...stamp(act) },
  );
  await noteOf(act, { ...body, id }, "修改", `修改优惠活动 ${body.name}：${valueText(body)}`);
  return { id };
}

export async function deleteActivity(act: Act, id: number, version: number): Promise<void> {
  const { activity, fresh } = await locked(act, id, version);
  activityMoves.next("remove", activity);
  fresh();
  await removeAt(act, "activity", { id, version });
  await noteOf(act, activity, "删除", `删除优惠活动 ${activity.name}`);
}

async function switchOn(act: Act, a: Stored): Promise<void> {
  const { id, version } = a;
  await revise(act, "activity", { id, version }, { state: "enabled", ...stamp(act) });
  await noteOf(act, a, "启用", `启用优惠活动 ${a.name}：${valueText(contentOf(a))}`);
}

/** A draft waits for approval where that is configured; what was approved once is switched on again at once. */
export async function enableActivity(act: Act, id: number, version: number) {
  const { activity, fresh } = await locked(act, id, version);
  activityMoves.next("enable", activity);
  fresh();
  if (activity.state === "draft") {
    const villageId = await placeOf(act, activity.villageIds);
    const reason = `启用优惠活动 ${activity.name}`;
    const { waiting } = await propose(act, ACTIVITY, [{ recordId: id, villageId, payload: {}, reason }]);
    if (waiting[0]) return { id, examineNo: waiting[0].examineNo };
  }
  await switchOn(act, activity);
  return { id, examineNo: null };
}

export async function disableActivity(act: Act, id: number, version: number) {
  const { activity, fresh } = await locked(act, id, version);
  activityMoves.next("disable", activity);
  fresh();
  await revise(act, "activity", { id, version }, { state: "disabled", ...stamp(act) });
  await noteOf(act, activity, "停用", `停用优惠活动 ${activity.name}`);
  return { id };
}

/** More days and more contracts, never fewer: what was promised stays. The quota takes a code of its own. */
export async function adjustActivity(
  act: Act,
  id: number,
  { signTo, quota, version }: { signTo: string; quota: number; version: number },
) {
  const { activity, fresh } = await locked(act, id, version);
  activityMoves.next("adjust", activity);
  fresh();
  if (signTo < activity.signTo)
    throw invalid({ field: "signTo", msg: `截止日只能延后，现为 ${activity.signTo}` });
  const lower = activity.quota === 0 ? quota !== 0 : quota !== 0 && quota < activity.quota;
  if (lower) throw invalid({ field: "quota", msg: `名额只能增加，现为 ${activity.quota || "不限"}` });
  if (quota !== activity.quota && !act.who.permits.has("#1301")) throw forbidden();
  if (signTo !== activity.signTo && !act.who.permits.has("13.edit")) throw forbidden();
  const open = signTo >= act.today && (quota === 0 || activity.usedCount < quota);
  const state = activity.state === "ended" && open ? "enabled" : activity.state;
  await revise(act, "activity", { id, version }, { signTo, quota, state, ...stamp(act) });
  const said = [
    signTo !== activity.signTo && `截止日 ${activity.signTo} → ${signTo}`,
    quota !== activity.quota && `名额 ${activity.quota || "不限"} → ${quota || "不限"}`,
  ].filter(Boolean);
  if (said.length)
    await noteOf(act, activity, quota === activity.quota ? "延长" : "名额调整", said.join("，"), {
      before: { signTo: activity.signTo, quota: activity.quota },
      after: { signTo, quota },
    });
  return { id };
}

/** Offers whose last day has passed; answers how many ended. One that is switched off stays so: made longer it must not be on again. */
export async function endOver(act: Act): Promise<number> {
  const { rows } = await sql<Pick<Stored, "id" | "name" | "villageIds"> & { signTo: string }>`
    update activity set state = 'ended', version = version + 1, updated_at = ${act.now}, updated_by = null
    where state = 'enabled' and sign_to < ${act.today}::date
    returning id, name, village_ids "villageIds", sign_to "signTo"`.execute(act.tx);
  for (const a of rows) await noteOf(act, a, "结束", `签约截止日 ${a.signTo} 已过，活动结束`);
  return rows.length;
}

/** Of many stores, the first in which switching on needs approval: a store without a process lets nothing slip by. */
async function placeOf(read: Read, villageIds: readonly number[]): Promise<number> {
  const modules = await governing(read, ACTIVITY, villageIds);
  return villageIds.find((id) => modules.has(id)) ?? villageIds[0]!;
}

async function outlook(read: Read, { id }: { id: number }): Promise<Outlook> {
  const a = await activitySeen(read, id);
  if (a.state !== "draft") throw new Refusal("notAllowed", "该活动已启用或结束，请在优惠活动中查看");
  if (a.signTo < read.today) throw new Refusal("notAllowed", `签约截止日 ${a.signTo} 已过，请修改后重新提交`);
  const villages = await read.tx
    .selectFrom("village")
    .select("name")
    .where("id", "=", anyOf(a.villageIds))
    .orderBy("id")
    .execute();
  const content = contentOf(a);
  return {
    title: `启用优惠活动 ${a.name}`,
    number: a.name,
    villageId: await placeOf(read, a.villageIds),
    amount: a.budget || null,
    values: {
      percent: a.kind === "percent" ? a.value / 10 : 0,
      amount: a.kind === "amount" ? a.value : 0,
      months: a.kind === "firstMonths" ? a.value : 0,
      budget: a.budget,
      quota: a.quota,
    },
    facts: [
      ["类型", ACTIVITY_KINDS[a.kind][0]],
      ["优惠", valueText(content)],
      [
        "适用",
        scopeText(
          villages.map((v) => v.name),
          a,
        ),
      ],
      ["有效期", `${a.signFrom} 至 ${a.signTo}`],
      ["名额", a.quota ? String(a.quota) : "不限"],
      ["每人上限", a.perPartyLimit ? String(a.perPartyLimit) : "不限"],
      ["预算", a.budget ? `${yuan(a.budget)} 元` : "不限"],
      [
        "叠加",
        [a.stackable ? "可叠加" : "不可叠加", a.stackGroup && `互斥组 ${a.stackGroup}`]
          .filter(Boolean)
          .join("，"),
      ],
    ],
    preview: [],
    hash: `${a.id}.${a.contentVersion}`,
  };
}

approves({
  type: ACTIVITY,
  title: "优惠活动",
  group: "合同",
  kind: ACTIVITY,
  page: "/contract/Activity",
  permit: "13.query",
  fields: [
    { key: "percent", title: "优惠比例", kind: "percent" },
    { key: "amount", title: "立减金额", kind: "money" },
    { key: "months", title: "免租月数", kind: "number", unit: "个月" },
    { key: "budget", title: "预算", kind: "money" },
    { key: "quota", title: "名额", kind: "number", unit: "份" },
  ],
  outlook,
  effect: async (act, { id }) => {
    const activity = await activitySeen(act, id, { lock: true });
    if (activity.state !== "draft") throw new Refusal("notAllowed", "该活动不在等待审批");
    await switchOn(act, activity);
  },
});
