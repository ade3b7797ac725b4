import { sql } from "kysely";
import type { Act, Read } from "../../../platform/server/act.ts";
import { notFound, stale } from "../../../platform/kernel/refusal.ts";
import { DEFAULT_TERMS } from "../terms/defaults.rules.ts";
import type { Terms } from "../terms/terms.contract.ts";
import { CONFIG_DEFAULTS, type CONFIG_SOURCES, type FREE_ROOM_AT, type MoveInRule } from "./config.rules.ts";

export type ContractConfig = {
  villageId: number | null;
  source: keyof typeof CONFIG_SOURCES;
  version: number;
  updatedAt: string | null;
  updatedBy: string | null;
  holdDays: number;
  backdateDays: number;
  renewalWindowDays: number;
  moveInRule: MoveInRule;
  freeRoomAt: keyof typeof FREE_ROOM_AT;
  maxDepositMonths: number;
  maxPrepayMonths: number;
  defaultTerms: Partial<Terms>;
};
export type ConfigValues = Omit<
  ContractConfig,
  "villageId" | "source" | "version" | "updatedAt" | "updatedBy"
>;

/** The values in force: the village's own set, else the enterprise's, else the product's. */
export async function configOf(
  read: Pick<Read, "tx">,
  of: { enterpriseId: number; villageId: number | null },
): Promise<ContractConfig> {
  const row = await read.tx
    .selectFrom("contractConfig as c")
    .leftJoin("operator as o", "o.id", "c.updatedBy")
    .selectAll("c")
    .select("o.realName")
    .where("c.enterpriseId", "=", of.enterpriseId)
    .where((eb) => eb.or([eb("c.villageId", "=", of.villageId), eb("c.villageId", "is", null)]))
    .orderBy(sql`c.village_id is null`)
    .limit(1)
    .executeTakeFirst();
  const own = row && row.villageId === of.villageId;
  return {
    ...CONFIG_DEFAULTS,
    ...row,
    moveInRule: (row?.moveInRule ?? CONFIG_DEFAULTS.moveInRule) as MoveInRule,
    freeRoomAt: (row?.freeRoomAt ?? CONFIG_DEFAULTS.freeRoomAt) as keyof typeof FREE_ROOM_AT,
    defaultTerms: (row?.defaultTerms ?? {}) as Partial<Terms>,
    villageId: of.villageId,
    source: !row ? "platform" : row.villageId === null ? "enterprise" : "village",
    version: own ? row.version : 0,
    updatedAt: row?.updatedAt ?? null,
    updatedBy: row?.realName ?? null,
  };
}

/** The terms a new contract of the village starts from. */
export const startingTerms = (config: ContractConfig): Terms => ({
  ...DEFAULT_TERMS,
  ...config.defaultTerms,
});

/** Writes a set; `version` 0 makes the first. Contracts handed in before keep what they were handed in with. */
export async function saveConfig(
  act: Act,
  of: { enterpriseId: number; villageId: number | null },
  values: ConfigValues,
  version: number,
): Promise<{ id: number; version: number }> {
  const before = await configOf(act, of);
  if (before.version !== version) throw stale();
  const row = {
    ...values,
    defaultTerms: JSON.stringify(values.defaultTerms),
    updatedBy: act.who.operatorId,
    updatedAt: act.now,
  };
  const done = version
    ? await act.tx
        .updateTable("contractConfig")
        .set({ ...row, version: version + 1 })
        .where("enterpriseId", "=", of.enterpriseId)
        .where(sql<boolean>`village_id is not distinct from ${of.villageId}`)
        .where("version", "=", version)
        .returning(["id", "version"])
        .executeTakeFirst()
    : await act.tx
        .insertInto("contractConfig")
        .values({ ...row, ...of, createdBy: act.who.operatorId })
        .onConflict((c) => c.doNothing())
        .returning(["id", "version"])
        .executeTakeFirst();
  if (!done) throw stale();
  const { villageId: _v, source: _s, version: _n, updatedAt: _a, updatedBy: _b, ...old } = before;
  await act.note({
    kind: "contractConfig",
    recordId: done.id,
    villageId: of.villageId,
    action: "配置变更",
    summary: of.villageId ? "修改门店合同参数" : "修改企业合同参数",
    before: old,
    after: values,
  });
  return done;
}

/** The enterprise of a village; not found when there is none. */
export async function enterpriseOf(read: Pick<Read, "tx">, villageId: number): Promise<number> {
  const row = await read.tx
    .selectFrom("village")
    .select("enterpriseId")
    .where("id", "=", villageId)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row.enterpriseId;
}
