import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { grantVillage } from "../../access/operator/scope.service.ts";
import { makeVillage } from "../../place/village/village.service.ts";
import type { VillageMode } from "./village.rules.ts";
import { aRow } from "../../../platform/server/database/row.ts";

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
  const id = await makeVillage(act, village);
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
  const manager = await aRow(read, "operator", ["state"], { id: managerId, enterpriseId });
  if (!manager || manager.state === "disabled") throw new Refusal("managerDisabled", "店长账号已停用");
}

/** How a village is called inside the name of a room. */
export const calledAs = (v: { name: string; shortName: string }): string => v.shortName || v.name;
