import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { freshDatabase } from "./cluster.sample.ts";
import { migrate, readMigrations, SCHEMA } from "./migrate.ts";

const { owner: pool } = await freshDatabase();
const dir = fs.mkdtempSync(path.join(os.tmpdir(), "migrations-"));
afterAll(() => fs.rmSync(dir, { recursive: true }));

const write = (name: string, body: string, folder = "migrations") => {
  fs.mkdirSync(path.join(dir, folder), { recursive: true });
  fs.writeFileSync(path.join(dir, folder, name), body);
};
const count = async (table: string) =>
  (await pool.query<{ n: number }>(`select count(*) as n from ${table}`)).rows[0]!.n;

beforeEach(async () => {
  fs.rmSync(dir, { recursive: true });
  fs.mkdirSync(dir);
  await pool.query("drop table if exists schema_migration, shed, shelf cascade");
});

test("applies files in order, each once", async () => {
  write("0002-shelf.sql", "create table shelf (shed int references shed)");
  write("0001-shed.sql", "create table shed (id int primary key)");
  expect(await migrate(pool, dir)).toEqual(["0001-shed.sql", "0002-shelf.sql"]);
  expect(await migrate(pool, dir)).toEqual([]);
});

test("a file that fails leaves nothing of itself, names its line, and what came before stays", async () => {
  write("0001-shed.sql", "create table shed (id int primary key)");
  write("0002-shelf.sql", "create table shelf (id int);\ninsert into nowhere values (1)");
  await expect(migrate(pool, dir)).rejects.toThrow(
    '0002-shelf.sql (line 2): relation "nowhere" does not exist',
  );
  expect(await count("schema_migration")).toBe(1);
  await expect(count("shelf")).rejects.toThrow("does not exist");
  write("0002-shelf.sql", "create table shelf (id int)");
  expect(await migrate(pool, dir)).toEqual(["0002-shelf.sql"]);
});

test("refuses a file that was changed after it was applied, but not one with other line ends", async () => {
  write("0001-shed.sql", "create table shed (\n  id int)");
  await migrate(pool, dir);
  write("0001-shed.sql", "create table shed (\r\n  id int)");
  expect(await migrate(pool, dir)).toEqual([]);
  write("0001-shed.sql", "create table shed (id bigint)");
  await expect(migrate(pool, dir)).rejects.toThrow("0001-shed.sql was changed after it was applied");
});

test("refuses a database of a newer release", async () => {
  write("0001-shed.sql", "create table shed (id int)");
  write("0002-shelf.sql", "create table shelf (id int)");
  await migrate(pool, dir);
  fs.rmSync(path.join(dir, "migrations/0002-shelf.sql"));
  await expect(migrate(pool, dir)).rejects.toThrow("newer release: it has 0002-shelf.sql");
});

test("of many servers that start at once one migrates and the others wait for it", async () => {
  write("0001-shed.sql", "create table shed (id int); insert into shed values (1); select pg_sleep(0.1)");
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrate(pool, dir)));
  expect(applied.flat()).toEqual(["0001-shed.sql"]);
  expect(await count("shed")).toBe(1);
});

test("refuses names that are no migration, and two of one number", () => {
  write("0001-shed.sql", "");
  write("0001-shelf.sql", "");
  expect(() => readMigrations(dir)).toThrow("0001-shed.sql and 0001-shelf.sql have the same number");
  fs.renameSync(path.join(dir, "migrations/0001-shelf.sql"), path.join(dir, "migrations/1-x.sql"));
  expect(() => readMigrations(dir)).toThrow("1-x.sql is not the name of a migration");
});

test("routines are applied after the tables, and anew when a text of theirs changes", async () => {
  write("0001-garden.sql", "create table shed (id int primary key); insert into shed values (3)", "tables");
  write("0002-shelf.sql", "create table shelf (id int)");
  write(
    "sheds.view.sql",
    "create or replace view sheds as select id, area(id) as area from shed",
    "routines/garden",
  );
  const area = (type: string, text: string) =>
    write(
      "size.sql",
      `create or replace function area(n int) returns ${type} language sql stable as $$ ${text} $$`,
      "routines/garden",
    );
  area("int", "select n * n");
  expect(await migrate(pool, dir)).toEqual(["0001-garden.sql", "0002-shelf.sql"]);
  expect((await pool.query("select * from sheds")).rows).toEqual([{ id: 3, area: 9 }]);
  area("int", "select n * n * 2");
  write(
    "sheds.view.sql",
    "create or replace view sheds as select area(id) as area from shed",
    "routines/garden",
  );
  expect(await migrate(pool, dir)).toEqual([]);
  expect((await pool.query("select * from sheds")).rows).toEqual([{ area: 18 }]);
  area("int", "select nobody");
  await expect(migrate(pool, dir), "what a function names is looked for").rejects.toThrow(
    "routines/garden/size.sql",
  );
  area("int", "select n * n * 2");
  write("sheds.view.sql", "create or replace view sheds as select nobody from shed", "routines/garden");
  await expect(migrate(pool, dir)).rejects.toThrow("routines/garden/sheds.view.sql (line 1)");
  expect((await pool.query("select * from sheds")).rows, "what held before holds on").toEqual([{ area: 18 }]);
  await pool.query("drop view sheds; drop function area(int)");
});

test("the product's own tables are applied to every fresh database", async () => {
  const { owner: other } = await freshDatabase();
  const { rows } = await other.query<{ name: string }>("select name from schema_migration order by name");
  expect(rows.map((row) => row.name)).toEqual([
    ...readMigrations(SCHEMA).map(({ name }) => name),
    "routines",
  ]);
});

/** What a file of migrations made is taken away again, as in a database that has never heard of it. */
function undone(file: string): string[] {
  const text = file.replaceAll(/--.*$/gm, "");
  const all = (pattern: RegExp, to: (...found: string[]) => string) =>
    [...text.matchAll(pattern)].map(([, ...found]) => to(...found));
  return [
    ...all(/create table (\w+)/g, (table) => `drop table if exists ${table} cascade`),
    ...all(/create sequence (\w+)/g, (name) => `drop sequence if exists ${name} cascade`),
    ...all(/create (?:unique )?index (\w+)/g, (index) => `drop index if exists ${index}`),
    ...[...text.matchAll(/alter table (\w+)([^;]*)/g)].flatMap(([, table, changes]) => [
      // one that took the place of another was there before
      ...[...changes!.matchAll(/\badd constraint (\w+)/g)].flatMap(([, name]) =>
        text.includes(`drop constraint ${name}`)
          ? []
          : [`alter table if exists ${table} drop constraint if exists ${name} cascade`],
      ),
      ...[...changes!.matchAll(/\bdrop column (\w+)/g)].map(
        ([, column]) => `alter table if exists ${table} add column ${column} text`,
      ),
      ...[...changes!.matchAll(/\badd (?:column )?(?!constraint|column)(\w+)/g)].map(
        ([, column]) => `alter table if exists ${table} drop column if exists ${column} cascade`,
      ),
    ]),
  ];
}

test("a database of release 7.0 is taken over with what it holds; one of before is refused in a sentence", async () => {
  const { owner: old } = await freshDatabase();
  const later = readMigrations(SCHEMA).filter(({ name }) => name >= "0013");
  for (const { body } of later.toReversed()) for (const statement of undone(body)) await old.query(statement);
  await old.query(`
    delete from schema_migration;
    insert into schema_migration (name, sha256) values ('0001-access.sql', 'x'), ('0381-analyze.sql', 'x');
    drop index room_pinyin, room_pinyin_begins, room_number_begins;
    alter table contract_config drop column verify_rule;
    create function make_room_status_of() returns void language sql as '';
    insert into number_sequence (kind, day, last) values ('SK', '2026-11-23', 7)`);
  const since = later.map(({ name }) => name);
  expect(await migrate(old), "no table is made anew").toEqual(since);
  expect(await migrate(old)).toEqual([]);
  const { rows } = await old.query(
    `select (select last from number_sequence) as last, count(*) as columns from pg_attribute
     where attrelid = 'contract_config'::regclass and attname = 'verify_rule'`,
  );
  expect(rows).toEqual([{ last: 7, columns: 1 }]);

  await old.query(
    "delete from schema_migration; insert into schema_migration values ('0001-access.sql', 'x')",
  );
  await expect(migrate(old)).rejects.toThrow("Start release 7.0 on it once");
});
