import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import {
  type ActivityBody,
  activityBody,
  addActivity,
  enableActivity,
  getActivity,
} from "./activity.contract.ts";

/** What somebody holds who looks after offers. */
export const OFFERING = ["query", "get", "add", "edit", "delete", "enable", "disable", "export"].map(
  (p) => `13.${p}`,
);

/** 5 % off new contracts of tenants, signed in 2026. */
export const anOffer = (villageIds: number[], more: Partial<ActivityBody> = {}): ActivityBody =>
  activityBody.parse({
    name: "春季 95 折",
    kind: "percent",
    percent: 5,
    appliesTo: "rent",
    contractKinds: ["renter"],
    sources: ["new"],
    villageIds,
    signFrom: "2026-01-01",
    signTo: "2026-12-31",
    ...more,
  });

/** An offer that is switched on, as the store's own people make it. */
export async function aRunning(house: TestHouse, as: Person, body: ActivityBody): Promise<number> {
  const { id } = await house.did(addActivity, { as }, { body });
  const { version } = await house.did(getActivity, { as }, { params: { id } });
  await house.did(enableActivity, { as }, { params: { id }, body: { version } });
  return id;
}
