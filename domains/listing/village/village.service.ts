import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/act.ts";
import { constraintSays } from "../../../platform/server/constraints.ts";
import { initialsOf } from "../../../platform/server/pinyin.ts";
import { grantVillage } from "../../access/operator/scope.service.ts";
import type { VillageMode } from "./village.rules.ts";

constraintSays("village_enterprise_id_code_key", { field: "code", msg: "门店编码已存在" });
constraintSays("village_enterprise_id_name_key", { field: "name", msg: "门店名称已存在" });

export type NewVillage = {
  enterpriseId: number;
  code: string;
  name: string;
  shortName?: string;
  mode: VillageMode;
  districtId: number;
  address: string;
  lng?: number | null;
  lat?: number | null;
  managerId: number;
  phone: string;
  serviceHours?: string;
  openingDay: string;
  intro?: string;
  tags?: string[];
};

/** Makes a village with its settings and puts it into the scope of its creator and its manager, in the same transaction. */
export async function createVillage(act: Act, village: NewVillage): Promise<number> {
  await usableManager(act, village.managerId, village.enterpriseId);
  const by = act.who.operatorId || null;
  const { id } = await act.tx
    .insertInto("village")
    .values({
      ...village,
      lng: village.lng ?? null,
      lat: village.lat ?? null,
      pinyin: initialsOf(`${village.name} ${village.shortName ?? ""}`.trim()),
      createdBy: by,
      updatedBy: by,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.tx.insertInto("villageSetting").values({ villageId: id }).execute();
  await grantVillage(act, id, [act.who.operatorId, village.managerId]);
  await act.note({
    kind: "village",
    recordId: id,
    number: village.code,
    villageId: id,
    action: "新增",
    summary: `新增门店 ${village.name}`,
  });
  return id;
}

/** Refuses a manager who may not act any more (409) or does not belong to the enterprise. */
export async function usableManager(read: Read, managerId: number, enterpriseId: number): Promise<void> {
  const manager = await read.tx
    .selectFrom("operator")
    .select("state")
    .where("id", "=", managerId)
    .where("enterpriseId", "=", enterpriseId)
    .executeTakeFirst();
  if (!manager || manager.state === "disabled") throw new Refusal("managerDisabled", "店长账号已停用");
}

/** How a village is called inside the name of a room. */
export const calledAs = (v: { name: string; shortName: string }): string => v.shortName || v.name;
