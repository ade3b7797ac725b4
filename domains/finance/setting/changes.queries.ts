import { sql } from "kysely";
import type { z } from "zod";
import type { Day } from "../../../platform/kernel/day.ts";
import { metaOf } from "../../../platform/kernel/field.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { billingChange, comingSetting } from "./setting.contract.ts";
import {
  billingFields,
  effective,
  ownFields,
  SETTING_KEYS,
  settingText,
  type SettingChange,
  type SettingKey,
} from "./setting.rules.ts";

export type Owner = { enterpriseId: number; villageId: number | null };
export type ChangeRow = SettingChange & {
  id: number;
  villageId: number | null;
  version: number;
  before: Record<string, unknown>;
  effectiveDate: Day;
  at: string;
  who: string;
};

/** Every change of an enterprise, and of one of its villages, in the order in which they come to hold. */
export async function changesOf(read: Pick<Read, "tx">, owner: Owner): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    select s.id, s.village_id "villageId", s.version, s.setting, s.follows, s.before,
      s.effective_date "effectiveDate", s.created_at at, coalesce(o.real_name, '系统') who
    from billing_setting s left join operator o on o.id = s.created_by
    where s.enterprise_id = ${owner.enterpriseId}
      and (s.village_id is null or s.village_id = ${owner.villageId}::bigint)
    order by s.effective_date, s.version`.execute(read.tx);
  return rows;
}

/** Names of an enterprise's fee subjects, by code. */
export async function subjectNames(
  read: Pick<Read, "tx">,
  enterpriseId: number,
): Promise<(code: string) => string> {
  const rows = await read.tx
    .selectFrom("feeSubject")
    .select(["code", "name"])
    .where("enterpriseId", "=", enterpriseId)
    .where("kind", "=", "income")
    .execute();
  const names = new Map(rows.map((r) => [r.code, r.name]));
  return (code) => names.get(code) ?? code;
}

/** A change as people read it: 出账提前天数：0 天 → 7 天. */
export function said(row: ChangeRow, today: Day, subject: (code: string) => string): Said {
  const given = row.villageId === null ? "产品默认" : "沿用企业设置";
  const keys = [...Object.keys(row.setting), ...row.follows] as SettingKey[];
  return {
    id: row.id,
    effectiveDate: row.effectiveDate,
    coming: row.effectiveDate > today,
    scope: row.villageId === null ? "enterprise" : "village",
    who: row.who,
    at: row.at,
    changes: keys.map((key) => ({
      title: metaOf(billingFields.shape[key])!.title,
      from: key in row.before ? settingText(key, row.before[key], subject) : "",
      to: key in row.setting ? settingText(key, row.setting[key], subject) : given,
    })),
  };
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** What will be different on each later day: a change that was taken back for the same day is none any more. */
export function comingOf(
  rows: readonly ChangeRow[],
  today: Day,
  subject: (code: string) => string,
): Coming[] {
  const ahead = rows.filter((row) => row.effectiveDate > today);
  return [...new Set(ahead.map((row) => row.effectiveDate))].flatMap((day) => {
    const layer = (own: boolean, until: (row: ChangeRow) => boolean) =>
      ownFields(rows.filter((row) => (row.villageId !== null) === own && until(row)));
    const before = (row: ChangeRow) => row.effectiveDate < day;
    const values = effective(layer(false, before), layer(true, before));
    return [true, false].flatMap((own) => {
      const [then, now] = [layer(own, before), layer(own, (row) => row.effectiveDate <= day)];
      const changes = SETTING_KEYS.flatMap((key) => {
        if (key in then === key in now && same(then[key], now[key])) return [];
        const to = key in now ? settingText(key, now[key], subject) : own ? "沿用企业设置" : "产品默认";
        const { title } = metaOf(billingFields.shape[key])!;
        return [{ key, title, from: settingText(key, values[key], subject), to }];
      });
      const scope = own ? ("village" as const) : ("enterprise" as const);
      return changes.length ? [{ effectiveDate: day, scope, changes }] : [];
    });
  });
}
type Coming = z.input<typeof comingSetting>;
type Said = z.input<typeof billingChange>;
