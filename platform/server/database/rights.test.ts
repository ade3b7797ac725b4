import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { freshDatabase } from "./cluster.sample.ts";
import { openDatabase } from "./database.ts";
import { prepareQueue } from "../jobs/jobs.ts";
import { migrate } from "./migrate.ts";
import { startPostgres } from "../postgres/postgres.ts";
import { prepareSchema } from "./rights.ts";

const root = fs.mkdtempSync(path.join(os.tmpdir(), "rights-"));
fs.chmodSync(root, 0o755);
afterAll(() => fs.rmSync(root, { recursive: true }));
const house = await freshDatabase();

test.each([
  "truncate bill cascade",
  "truncate login_session",
  "alter table bill disable trigger all",
  "alter table journal_line drop constraint journal_line_pkey",
  "drop table login_session",
  "drop function refuse_change() cascade",
  "create table loot (id int)",
  "create function public.refuse() returns int language sql as 'select 1'",
  "update journal_line set debit = debit",
  "delete from journal_line",
  "update journal_entry set date = date",
  "delete from journal_entry",
  "delete from operation_log",
  "update key_note set fingerprint = ''",
  "delete from schema_migration",
  "set session_replication_role = replica",
  "set role sams_owner",
  "alter role sams_app superuser",
  "drop schema job cascade",
  "truncate job.job",
])("the database refuses the product's own role: %s", async (statement) => {
  const refused = await house.pool.query(statement).then(
    () => "done",
    (error: pg.DatabaseError) => error.code,
  );
  expect(refused, statement).toBe("42501");
});

test("it owns nothing, is no superuser, and reads and writes all that is not append-only", async () => {
  const { rows } = await house.pool.query<{ name: string; rights: string }>(
    `select c.relname as name, concat_ws(' ', case when has_table_privilege(c.oid, 'insert') then 'insert' end,
       case when has_table_privilege(c.oid, 'update') then 'update' end, case when has_table_privilege(c.oid, 'delete') then 'delete' end) as rights
     from pg_class c where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  const short = rows.filter(({ rights }) => rights !== "insert update delete");
  expect(Object.fromEntries(short.map(({ name, rights }) => [name, rights]))).toMatchObject({
    journal_entry: "insert",
    journal_line: "insert",
    allocation: "insert",
    operation_log: "insert",
    schema_migration: "",
    key_note: "",
  });
  expect(short.every(({ rights }) => rights === "insert" || rights === "")).toBe(true);
  const owned = await house.pool.query(
    "select 1 from pg_class where relowner = current_user::regrole union all select 1 from pg_roles where rolname = current_user and (rolsuper or rolcreatedb or rolcreaterole)",
  );
  expect(owned.rowCount).toBe(0);
});

test("tables to come are its own to fill, append-only ones from the start; sequences and functions too", async () => {
  await house.owner.query(
    `create table shed (id serial primary key); create table diary (id bigint generated always as identity, line text);
     create trigger diary_append_only before update or delete on diary for each row execute function refuse_change()`,
  );
  await prepareSchema(house);
  await house.pool.query(
    "insert into shed default values; delete from shed; insert into diary (line) values ('一')",
  );
  await expect(house.pool.query("delete from diary")).rejects.toThrow("permission denied for table diary");
  await house.pool.query("select analyze_tables('{shed,diary}')");
  const { rows } = await house.owner.query("select reltuples from pg_class where relname = 'diary'");
  expect(rows).toEqual([{ reltuples: 1 }]);
});

test("what an earlier release made as superuser is taken over, also after a kill in between", async () => {
  const settings = { DATA_DIR: path.join(root, "data"), POOL_SIZE: 4, TIME_ZONE: "Asia/Shanghai" };
  // what it writes need not outlive the machine
  const flags = { fsync: "off", full_page_writes: "off" };
  const server = await startPostgres(path.join(settings.DATA_DIR, "postgres"), { flags });
  const place = { host: server.host, port: server.port, user: server.user };
  const first = new pg.Client({ ...place, database: "postgres" });
  await first.connect();
  // the roles came into being, then it was killed
  await first.query("create database sams");
  await first.query("create role sams_owner login");
  await first.end();
  const before = new pg.Pool({ ...place, database: "sams", max: 2 });
  before.on("error", () => {});
  await migrate(before);
  await prepareQueue(before);
  await before.query(
    "create type mood as enum ('good'); insert into number_sequence (kind, day, last) values ('SK', '2026-11-23', 7)",
  );
  await before.end();
  await server.stop();
  for (let i = 0; i < 2; i++) {
    const database = await openDatabase(settings);
    await prepareSchema(database);
    const { rows } = await database.pool.query("select last from number_sequence");
    expect(rows).toEqual([{ last: 7 }]);
    await expect(database.pool.query("truncate number_sequence")).rejects.toThrow("permission denied");
    const { rowCount } = await database.owner.query(
      `select from pg_class where relowner <> 'sams_owner'::regrole and relnamespace in ('public'::regnamespace, 'job'::regnamespace) and relkind in ('r', 'v', 'S')`,
    );
    expect(rowCount).toBe(0);
    await database.owner.query(`create table if not exists later_${i} (id int)`);
    await database.close();
  }
}, 120_000);

test("an external server with one role for all works as before and says so; with two the plain one is kept plain", async () => {
  const settings = { DATABASE_URL: house.ownerUrl, DATA_DIR: "/nowhere", POOL_SIZE: 2, TIME_ZONE: "UTC" };
  const said: string[] = [];
  const one = await openDatabase(settings, (sentence) => said.push(sentence));
  expect(one.owner).toBe(one.pool);
  expect(said.join()).toContain("MIGRATE_DATABASE_URL");
  await one.close();
  const two = await openDatabase({
    ...settings,
    DATABASE_URL: house.url,
    MIGRATE_DATABASE_URL: house.ownerUrl,
  });
  await prepareSchema(two);
  await expect(two.pool.query("truncate bill cascade")).rejects.toThrow("permission denied");
  await two.close();
});
