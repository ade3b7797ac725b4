import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import type { Person, TestHouse } from "../../../platform/server/house.sample.ts";
import { addChange, submitChange } from "./change.contract.ts";
import { previewChange } from "./plan.contract.ts";

type Body<C> = Sent<C> extends { body: infer B } ? B : never;
export type Planned = Body<typeof previewChange>;

/** +3.3 % on list prices, to yuan, from the first of December. */
export const aPlan = (villageIds: number[], more: Partial<Planned> = {}): Planned => ({
  villageIds,
  mode: "percent",
  value: 3.3,
  applyTo: "list",
  round: "yuan",
  effectiveDay: "2026-12-01",
  ...more,
});

export const previewed = (
  house: TestHouse,
  as: Person,
  plan: Planned,
): Promise<Reply<typeof previewChange>> => house.did(previewChange, { as }, { body: plan });

/** Looks at the preview and keeps it as a draft. */
export async function drafted(
  house: TestHouse,
  as: Person,
  plan: Planned,
  more: Partial<Body<typeof addChange>> = {},
) {
  const { hash } = await previewed(house, as, plan);
  return house.did(addChange, { as }, { body: { ...plan, reason: "旺季调价", hash, ...more } });
}

/** The same, handed in. */
export async function handedIn(house: TestHouse, as: Person, plan: Planned) {
  const { id, number, version } = await drafted(house, as, plan);
  const done = await house.did(submitChange, { as }, { params: { id }, body: { version } });
  return { ...done, number };
}
