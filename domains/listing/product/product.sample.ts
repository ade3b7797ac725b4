import type { TestHouse } from "../../../platform/server/process/house.sample.ts";
import type { Sent } from "../../../platform/kernel/call.ts";
import type { addProduct } from "./product.contract.ts";

type Body = Sent<typeof addProduct> extends { body: infer B } ? B : never;

/** The form of a product at 3,000.00 for whole flats, as far as a test does not say otherwise. */
export const aProduct = (villageIds: number[], more: Partial<Body> = {}): Body => ({
  code: "CP01",
  name: "雅致一居",
  kind: "whole",
  villageIds,
  bedrooms: 1,
  halls: 1,
  baths: 1,
  areaFrom: 35,
  areaTo: 45.5,
  capacity: 2,
  payPlans: [
    { depositMonths: 1, payMonths: 3, adjustPercent: 0, default: true },
    { depositMonths: 1, payMonths: 12, adjustPercent: -5, default: false },
  ],
  listPrice: 300_000,
  effectiveDay: "2026-11-20",
  ...more,
});

/** As much of a signed contract as its numbers need. */
export const signed = (house: TestHouse, contractId: number, day: string) =>
  house.database.pool.query(
    `with who as (insert into party (enterprise_id, kind, name) values ($3, 'renter', '张三') returning id)
     update contract set signed_on = $2, state = 'effective', party_id = (select id from who), start_date = $2,
       end_date = $2::date + 364, preview_hash = 'x' where id = $1`,
    [contractId, day, house.enterpriseId],
  );
