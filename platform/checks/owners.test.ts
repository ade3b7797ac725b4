import { expect, test } from "vitest";
import { ownersOf, userOf, usesOf } from "./owners.ts";
import { expectNone, filesOf, isTest, textOf } from "./tree.ts";

const files = filesOf()
  .filter((path) => /\.(ts|tsx|sql)$/.test(path))
  .map((path) => ({ path, text: textOf(path) }));
const owners = ownersOf(files);

/** Rows that the pipeline itself keeps of another's: when somebody was last seen, and who was shut out by a restore. */
const ALLOWED = new Set(["platform login_session"]);

/** Each write to a table of another domain: "where writes whose table". Samples put rows where a test needs them. */
const foreignWrites = (sources: readonly { path: string; text: string }[]) =>
  sources
    .filter(({ path }) => /^(domains|platform\/server|db\/routines)\//.test(path))
    .filter(({ path }) => !isTest(path) && !/\.sample\.ts$/.test(path))
    .flatMap((source) => usesOf(source, owners))
    .filter(({ path, name, how }) => {
      const user = userOf(path);
      return how === "write" && owners.owned.get(name)!.domain !== user && !ALLOWED.has(`${user} ${name}`);
    })
    .map(({ path, line, name }) => `${path}:${line} writes ${name} of ${owners.owned.get(name)!.domain}`);

test("a table is written only by the domain that makes it", () => {
  expectNone(foreignWrites(files), "Call a service of the owner instead");
});

test("a foreign write is found in calls of the query builder, in SQL and in routines", () => {
  const texts = {
    "domains/customer/renter/a.service.ts": 'export const a = (tx) => tx.insertInto("partyVillage");',
    "domains/finance/flow/b.service.ts": "export const b = sql`update party set name = '' where id = ${1}`;",
    "db/routines/customer/c.sql": "delete from village_setting;",
    "domains/party/party/d.service.ts": 'export const d = (tx) => tx.deleteFrom("party");',
  };
  expect(foreignWrites(Object.entries(texts).map(([path, text]) => ({ path, text })))).toEqual([
    "domains/customer/renter/a.service.ts:1 writes party_village of party",
    "domains/finance/flow/b.service.ts:1 writes party of party",
    "db/routines/customer/c.sql:1 writes village_setting of place",
  ]);
});
