import { counter } from "../../../platform/server/database/counter.sample.ts";
const next = counter();
/** What the form of an agency sends. */
export const typedAgency = (of: { villageId: number; ruleId: number }, more: object = {}) => ({
  name: `安居经纪第${"一二三四五六七八九"[(next() - 1) % 9]}店`,
  contact: "何立群",
  phone: "021-55667788",
  villageIds: [of.villageId],
  fromDay: "2026-01-01",
  ruleId: of.ruleId,
  ...more,
});
