import { expect, test } from "vitest";
import { DOMAINS, domainOf } from "./house.ts";
import { copiedConditions, foreignUses, madeIn, ownersOf, usesOf } from "./owners.ts";
import { expectNone, filesOf, isTest, textOf } from "./tree.ts";

const files = filesOf()
  .filter((path) => /^(db|domains|platform\/server)\/.*\.(ts|sql)$/.test(path) && !isTest(path))
  // samples lay what a test needs into whichever table it is in
  .filter((path) => !/\.(sample|gen)\.ts$/.test(path))
  .map((path) => ({ path, text: textOf(path) }));
const owners = ownersOf(files);
const users = files.filter(({ path }) => !/^db\/(tables|migrations)\//.test(path));
const uses = users.flatMap((file) => usesOf(file, owners));

test("every domain with tables has a file of them, in the order of the floors", () => {
  const domains = owners.order.filter((domain) => domain !== "platform");
  expect(domains).toEqual(DOMAINS.filter((domain) => domains.includes(domain)));
});

test("every table has an owner", () => {
  const made = files
    .filter(({ path }) => /^db\/(tables|migrations)\//.test(path))
    .flatMap(({ text }) => madeIn(text).flatMap(([name, kind]) => (kind === "table" ? [name] : [])));
  const dropped = new Set(
    files.flatMap(({ text }) => [...text.matchAll(/drop table (?:if exists )?(\w+)/g)].map((m) => m[1]!)),
  );
  expect(made.filter((name) => !owners.owned.has(name) && !dropped.has(name))).toEqual([]);
});

test("tables are written by their owner alone, and read by what stands to its right", () =>
  expectNone(foreignUses(uses, owners), "These statements reach into another domain's tables"));

test("a condition of the trade is written out once", () =>
  expectNone(copiedConditions(users), "These conditions have a home already"));

test("a version is looked at in one place", () =>
  expectNone(
    users
      .filter(({ path }) => path.endsWith(".ts") && !path.endsWith("database/versioned.ts"))
      .filter(({ text }) =>
        /\.where\("version", "="|eb\("version", "\+"|\.version !== [\w.]+\) throw stale/.test(text),
      )
      .map(({ path }) => path),
    "revise, removeAt and asSeen (platform/server/database/versioned.ts) compare and raise versions",
  ));

test("the views that domains publish to their left are described, and read by somebody", () => {
  const published = files.filter(({ path }) => path.endsWith("/published.view.sql"));
  const views = published.flatMap(({ text }) =>
    [...text.matchAll(/create or replace view (\w+)/g)].map((m) => m[1]!),
  );
  const read = new Set(uses.map(({ name, path }) => `${name} ${domainOf(path)}`));
  const unread = views.filter(
    (view) =>
      ![...read].some(
        (use) => use.startsWith(`${view} `) && use !== `${view} ${owners.owned.get(view)!.domain}`,
      ),
  );
  expect(unread).toEqual([]);
  expect(views.length, "a list that fits on one screen").toBeLessThan(40);
});

const shelf = ownersOf([
  { path: "db/tables/0001-place.sql", text: "create table shed (id int);" },
  { path: "db/tables/0002-listing.sql", text: "create table shelf (id int); -- create table dust (id int);" },
  { path: "db/tables/0003-finance.sql", text: "create table book (id int);" },
  {
    path: "db/routines/finance/published.view.sql",
    text: "create or replace view book_brief as select id from book;",
  },
  {
    path: "db/routines/finance/priced.sql",
    text: "create or replace function priced(d date) returns int as '';",
  },
]);
test("a table that a migration has made is the leftmost's that fills it", () => {
  const { owned } = ownersOf([
    { path: "db/tables/0002-listing.sql", text: "" },
    { path: "db/tables/0003-finance.sql", text: "" },
    { path: "db/migrations/0013-more.sql", text: "create table lamp (id int);\ncreate table till (id int);" },
    { path: "domains/finance/a/a.service.ts", text: 'db.insertInto("till"); db.insertInto("lamp");' },
    { path: "domains/listing/a/a.service.ts", text: "sql`insert into lamp values (1)`" },
  ]);
  expect([owned.get("till")?.domain, owned.get("lamp")?.domain]).toEqual(["finance", "listing"]);
});

const against = (path: string, text: string) =>
  foreignUses(usesOf({ path, text }, shelf), shelf).map((line) => line.split(":").slice(1, 2).join());

test("what reaches to the right, or writes, is found in builders, texts and routines", () => {
  const file = "domains/listing/shelf/shelf.queries.ts";
  const found = [
    'db.selectFrom("book as b")',
    'theRow(act, "book", ["id"], { id: 1 })',
    'db.selectFrom("shelf").innerJoin("book", "book.id", "shelf.id")',
    "sql`select 1 from shelf s, book b`",
    "sql`select 1 from shelf s join book b on true`",
    "sql`select priced(now())`",
    'db.updateTable("shed")',
    "sql`delete from shed where id = ${1}`",
    'pool.query("insert into shed values (1)")',
  ];
  for (const text of found) expect(against(file, `export const x = () => ${text};`), text).toHaveLength(1);
  expect(against("db/routines/listing/a.sql", "create function a() as $$ select 1\nfrom book $$;")).toEqual([
    "2 reads book of finance, which stands to the right of listing",
  ]);
});

test("what stands to the left is read, and views from everywhere", () => {
  const allowed = [
    'db.selectFrom("shed")',
    "sql`select 1 from shed join shelf on true`",
    'db.selectFrom("bookBrief")',
    "sql`select id from book_brief -- from book`",
    'db.insertInto("shelf")',
    'db.with("book", (q) => q.selectFrom("shelf")).selectFrom("book")',
    'label("from book to book")',
  ];
  const file = "domains/listing/shelf/shelf.queries.ts";
  for (const text of allowed.slice(0, 6))
    expect(against(file, `export const x = () => ${text};`), text).toEqual([]);
  expect(
    against("domains/finance/book/book.queries.ts", "sql`select 1 from shelf join book on true`"),
  ).toEqual([]);
});
