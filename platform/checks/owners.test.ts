import { expect, test } from "vitest";
import { copiedConditions, foreignUses, ownersOf, usesOf } from "./owners.ts";
import { expectNone, filesOf, isTest, textOf } from "./tree.ts";

const files = filesOf()
  .filter((path) => /\.(ts|tsx|sql)$/.test(path))
  .map((path) => ({ path, text: textOf(path) }));
const owners = ownersOf(files);
/** Samples put rows where a test needs them. */
const code = files.filter(
  ({ path }) =>
    /^(domains|platform\/server|db\/routines)\//.test(path) && !isTest(path) && !/\.sample\.ts$/.test(path),
);
const against = (sources: readonly { path: string; text: string }[]) =>
  foreignUses(
    sources.flatMap((source) => usesOf(source, owners)),
    owners,
  );

test("a table is written only by the domain that makes it, and read by what stands to its right", () => {
  expectNone(against(code), "These go past the owner of a table");
});

test("a condition of the trade is written out once", () => {
  expectNone(copiedConditions(code), "These conditions have a home");
});

test("foreign writes and reads are found in calls of the query builder, in SQL and in routines", () => {
  const texts = {
    "domains/customer/renter/a.service.ts": 'export const a = (tx) => tx.insertInto("partyVillage");',
    "domains/finance/flow/b.service.ts": "export const b = sql`update party set name = '' where id = ${1}`;",
    "db/routines/customer/c.sql": "delete from village_setting;",
    "domains/party/party/d.service.ts":
      'export const d = (tx) => [tx.deleteFrom("party"), tx.selectFrom("firm"), tx.selectFrom("partyHome")];',
  };
  expect(against(Object.entries(texts).map(([path, text]) => ({ path, text })))).toEqual([
    "domains/customer/renter/a.service.ts:1 writes party_village, which is party's: call a service of its owner",
    "domains/finance/flow/b.service.ts:1 writes party, which is party's: call a service of its owner",
    "db/routines/customer/c.sql:1 writes village_setting, which is place's: call a service of its owner",
    "domains/party/party/d.service.ts:1 reads firm of customer, which stands to the right of party: read a view that customer publishes",
  ]);
});
