import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { freshDatabase } from "./cluster.sample.ts";
import { migrate, MIGRATIONS, readMigrations } from "./migrate.ts";

const { owner: pool } = await freshDatabase();
const dir = fs.mkdtempSync(path.join(os.tmpdir(), "migrations-"));
afterAll(() => fs.rmSync(dir, { recursive: true }));

const write = (name: string, body: string) => fs.writeFileSync(path.join(dir, name), body);
const count = async (table: string) =>
  (await pool.query<{ n: number }>(`select count(*) as n from ${table}`)).rows[0]!.n;

beforeEach(async () => {
  fs.rmSync(dir, { recursive: true });
  fs.mkdirSync(dir);
  await pool.query("drop table if exists schema_migration, shed, shelf");
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
  fs.rmSync(path.join(dir, "0002-shelf.sql"));
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
  fs.renameSync(path.join(dir, "0001-shelf.sql"), path.join(dir, "1-x.sql"));
  expect(() => readMigrations(dir)).toThrow("1-x.sql is not the name of a migration");
});

test("the product's own migrations are well named and applied to every fresh database", async () => {
  const { owner: other } = await freshDatabase();
  const { rows } = await other.query<{ name: string }>("select name from schema_migration order by name");
  expect(rows.map((row) => row.name)).toEqual(readMigrations(MIGRATIONS).map(({ name }) => name));
});
