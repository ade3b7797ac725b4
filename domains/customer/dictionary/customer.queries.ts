import { sql } from "kysely";
import { usesIn, type Place } from "../../system/dic/dic.service.ts";

/** Which columns hold the words of a group. The version of a customer is its party's. */
const PLACES: Record<string, readonly Place[]> = {
  source: [
    { table: "renter", column: "source", unversioned: true },
    { table: "lead", column: "source" },
  ],
  tag: [
    { table: "renter", column: "tags", many: true, unversioned: true },
    { table: "firm", column: "tags", many: true, unversioned: true },
  ],
  industry: [{ table: "company", column: "industry", of: "firm", unversioned: true }],
  scale: [{ table: "company", column: "scale", of: "firm", unversioned: true }],
  business: [{ table: "merchant", column: "category", of: "firm", unversioned: true }],
  job: [{ table: "renter", column: "occupation", unversioned: true }],
  relation: [{ table: "renter", column: "emergency_relation", unversioned: true }],
  lostReason: [{ table: "lead", column: "lost_reason" }],
  blackReason: [{ table: "black_list", column: "reason_kind" }],
};

/** Words in the customers and leads of the enterprise. */
export const customerUses = usesIn(PLACES, (enterpriseId) => sql<boolean>`enterprise_id = ${enterpriseId}`);
