import { invalid, stale } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { needsWhole, seesWhole } from "../../access/operator/scope.service.ts";
import { changesOf, comingOf, said, subjectNames, type ChangeRow, type Owner } from "./changes.queries.ts";
import { billingSettingHistory, readBillingSetting, writeBillingSetting } from "./setting.contract.ts";
import { effective, ownFields, SETTING_KEYS, type SettingKey } from "./setting.rules.ts";
import { lateFeeDefaults, setBilling, villageOf } from "./setting.service.ts";

/** Whose settings are meant: a village of the operator's, or without one the whole enterprise. */
async function ownerOf(read: Read, villageId: number | undefined): Promise<Owner> {
  if (!villageId) return { enterpriseId: read.who.enterpriseId, villageId: null };
  return { enterpriseId: (await villageOf(read, inScope(read.who, villageId))).enterpriseId, villageId };
}

/** The layers as they stand on a day. */
function layersOn(rows: readonly ChangeRow[], owner: Owner, day: string) {
  const begun = rows.filter((row) => row.effectiveDate <= day);
  const general = ownFields(begun.filter((row) => row.villageId === null));
  const village = ownFields(begun.filter((row) => row.villageId !== null));
  const own = owner.villageId === null ? general : village;
  return { general, village, own, values: effective(general, village) };
}

const versionOf = (rows: readonly ChangeRow[], owner: Owner): number =>
  rows.reduce((last, row) => (row.villageId === owner.villageId ? Math.max(last, row.version) : last), 0);

/** Late fees are laid on income only: what is named must be such a subject of the enterprise. */
async function checkSubjects(act: Act, owner: Owner, codes: readonly string[] | null | undefined) {
  if (!codes) return;
  const rows = await act.tx
    .selectFrom("feeSubject")
    .select("code")
    .where("enterpriseId", "=", owner.enterpriseId)
    .where("kind", "=", "income")
    .where("code", "in", [...codes, ""])
    .execute();
  const known = new Set(rows.map((row) => row.code));
  if (codes.some((code) => !known.has(code)))
    throw invalid({ field: "lateFeeSubjects", msg: "滞纳金只能用于收入类科目" });
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

export default [
  serveRead(readBillingSetting, async (read, { query }) => {
    const owner = await ownerOf(read, query.villageId);
    const rows = await changesOf(read, owner);
    const { general, village, values } = layersOn(rows, owner, read.today);
    const subject = await subjectNames(read, owner.enterpriseId);
    const origin = (key: SettingKey) =>
      key in village ? ("village" as const) : key in general ? ("enterprise" as const) : ("product" as const);
    return {
      villageId: owner.villageId,
      version: versionOf(rows, owner),
      today: read.today,
      editable: owner.villageId !== null || (await seesWhole(read, owner.enterpriseId)),
      values,
      origins: Object.fromEntries(SETTING_KEYS.map((key) => [key, origin(key)])) as Record<
        SettingKey,
        ReturnType<typeof origin>
      >,
      general: effective(general),
      coming: comingOf(rows, read.today, subject),
      terms: await lateFeeDefaults(read, owner),
    };
  }),

  serve(writeBillingSetting, async (act, { query, body: { follow, effectiveDate, version, ...fields } }) => {
    const owner = await ownerOf(act, query.villageId);
    if (owner.villageId === null) await needsWhole(act, owner.enterpriseId);
    if (effectiveDate < act.today) throw invalid({ field: "effectiveDate", msg: "生效日期不能早于今天" });
    await checkSubjects(act, owner, fields.lateFeeSubjects);
    const rows = await changesOf(act, owner);
    if (versionOf(rows, owner) !== version) throw stale();
    const { own, values } = layersOn(rows, owner, effectiveDate);
    const given = Object.entries(fields) as [SettingKey, unknown][];
    const set = given.filter(
      ([key, value]) =>
        value !== undefined && !follow.includes(key) && !(key in own && same(own[key], value)),
    );
    const follows = [...new Set(follow)].filter((key) => key in own);
    if (!set.length && !follows.length) throw invalid({ field: "", msg: "没有修改" });
    const changed = [...set.map(([key]) => key), ...follows];
    const before = Object.fromEntries(changed.map((key) => [key, values[key]]));
    const done = await setBilling(act, owner, Object.fromEntries(set), {
      from: effectiveDate,
      follows,
      before,
      version,
      by: act.who.operatorId,
    });
    if (!done) throw stale();
    const row = (await changesOf(act, owner)).find((r) => r.id === done.id)!;
    const { changes } = said(row, act.today, await subjectNames(act, owner.enterpriseId));
    await act.note({
      kind: "billingSetting",
      recordId: done.id,
      villageId: owner.villageId,
      action: "修改账务设置",
      summary: `${effectiveDate} 起生效：${changes.map((c) => `${c.title}：${c.from} → ${c.to}`).join("；")}`,
      before,
      after: { ...row.setting, follows },
    });
    return done;
  }),

  serveRead(billingSettingHistory, async (read, { query }) => {
    const owner = await ownerOf(read, query.villageId);
    const subject = await subjectNames(read, owner.enterpriseId);
    const rows = (await changesOf(read, owner)).toSorted((a, b) => b.id - a.id);
    return rows.slice(0, 200).map((row) => said(row, read.today, subject));
  }),
];
