import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { afterAll, expect, test } from "vitest";
import { backUp } from "./backup.ts";
import { freshDatabase, type FreshDatabase } from "../database/cluster.sample.ts";
import { SCHEMA } from "../database/migrate.ts";
import { openCipher } from "../secrets/key-note.ts";
import { restore, type RestoreOptions } from "./restore.ts";
import { prepareSchema } from "../database/rights.ts";
import { readSettings } from "../process/settings.ts";

/** Each restore runs every migration anew. */
const LONG = 60_000;
const root = fs.mkdtempSync(path.join(os.tmpdir(), "backup-"));
afterAll(() => fs.rmSync(root, { recursive: true }));

// the product's tables and one of a table with everything that is hard to bring back
const schema = path.join(root, "db");
fs.cpSync(SCHEMA, schema, { recursive: true });
fs.mkdirSync(path.join(schema, "migrations"), { recursive: true });
fs.writeFileSync(
  path.join(schema, "migrations/9001-garden.sql"),
  `create table garden (id bigint generated always as identity primary key, name text not null, twin bigint references garden,
     length int not null, area int generated always as (length * length) stored, seen timestamptz, raw bytea, tags text[]);
   create function no_gardener() returns trigger language plpgsql as $$ begin raise exception 'never'; end $$;
   create trigger garden_append_only before update or delete or truncate on garden execute function no_gardener();
   insert into garden (name, length) values ('来自迁移', 1);`,
);
const settings = readSettings({ DATA_DIR: path.join(root, "data"), MODE: "demo" });
const elsewhere = (name: string) => readSettings({ DATA_DIR: path.join(root, name), MODE: "demo" });
const giveKey = (to: { DATA_DIR: string }) => {
  fs.mkdirSync(to.DATA_DIR, { recursive: true });
  fs.copyFileSync(path.join(settings.DATA_DIR, "secret.key"), path.join(to.DATA_DIR, "secret.key"));
};
const queueOf = (database: FreshDatabase) => {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => database.pool.query(text, values) },
    schema: "job",
    supervise: false,
  });
  boss.on("error", () => {});
  return boss;
};

const source = await freshDatabase();
await prepareSchema(source, schema);
await openCipher(source.owner, settings);
await source.pool.query(
  `insert into garden (name, twin, length, seen, raw, tags) values
     (E'制表\\t换行\\n反斜杠\\\\', 3, 7, '2026-11-20 09:05:07.123456+08', '\\x00ff', '{"a,b",null}'), ('二', 2, 3, null, null, null)`,
);
fs.mkdirSync(path.join(settings.DATA_DIR, "files/ab"), { recursive: true });
fs.writeFileSync(path.join(settings.DATA_DIR, "files/ab/contract"), "合同");
fs.writeFileSync(path.join(settings.DATA_DIR, "files/ab/half.part"), "合");
const boss = queueOf(source);
await boss.start();
await boss.createQueue("settled--cleaning");
await boss.send("settled--cleaning", { roomId: 7 }, { startAfter: "2030-01-01T00:00:00Z" });
await boss.stop();

const folder = path.join(root, "first");
const manifest = await backUp(source, settings, folder);
const rowsOf = async ({ pool }: FreshDatabase) => (await pool.query("select * from garden order by id")).rows;
const target = async () => {
  const database = await freshDatabase();
  await database.owner.query("drop schema public cascade; create schema public");
  return {
    database,
    again: (to = settings, options: RestoreOptions = {}) =>
      restore(database, to, folder, { schema, ...options }),
  };
};

test(
  "everything comes back: rows, references, generated columns, numbers that go on, jobs and files",
  async () => {
    const { database, again } = await target();
    const to = elsewhere("second");
    giveKey(to);
    await again(to);
    expect(await rowsOf(database)).toEqual(await rowsOf(source));
    expect(await rowsOf(database)).toHaveLength(3);
    await expect(
      database.pool.query("insert into garden (name, twin, length) values ('x', 99, 1)"),
    ).rejects.toThrow("violates foreign key");
    await expect(database.pool.query("delete from garden")).rejects.toThrow("never");
    // a refused insert has taken a number too
    const { rows } = await database.pool.query(
      "insert into garden (name, length) values ('四', 1) returning id",
    );
    expect(rows).toEqual([{ id: 5 }]);
    expect(fs.readdirSync(path.join(to.DATA_DIR, "files/ab"))).toEqual(["contract"]);
    expect(fs.readFileSync(path.join(to.DATA_DIR, "files/ab/contract"), "utf8")).toBe("合同");
    const jobs = await database.pool.query("select name, data, start_after from job.job");
    expect(jobs.rows).toEqual([
      { name: "settled--cleaning", data: { roomId: 7 }, start_after: "2030-01-01T00:00:00.000Z" },
    ]);
  },
  LONG,
);

test("what happens while it is being made is not half in it", async () => {
  const writing = (async () => {
    for (let i = 0; i < 40; i++)
      await source.pool.query(
        "with one as (insert into garden (name, length) values ('对', 1) returning id) insert into garden (name, length) select '双', 1 from one",
      );
  })();
  const { tables } = await backUp(source, settings, path.join(root, "busy"));
  await writing;
  expect(tables.find(({ name }) => name === "garden")!.rows % 2).toBe(1);
});

test(
  "a database or a folder with something in it is replaced only by force, and wholly",
  async () => {
    const { database, again } = await target();
    const to = elsewhere("third");
    giveKey(to);
    await again(to);
    await database.pool.query("insert into garden (name, length) values ('多余', 1)");
    await expect(again(to)).rejects.toThrow("The database is not empty");
    await again(to, { force: true });
    expect(await rowsOf(database)).toHaveLength(3);
    expect((await database.pool.query("select from job.job")).rowCount).toBe(1);
  },
  LONG,
);

test(
  "a restore that breaks off leaves everything as it was",
  async () => {
    const { database, again } = await target();
    const to = elsewhere("fourth");
    giveKey(to);
    await again(to);
    await database.pool.query("insert into garden (name, length) values ('留下', 1)");
    const before = await rowsOf(database);
    const table = manifest.tables.find(({ name }) => name === "garden")!;
    const broken = path.join(root, "broken");
    fs.cpSync(folder, broken, { recursive: true });
    const lies = {
      ...manifest,
      tables: manifest.tables.map((each) => (each === table ? { ...each, rows: 9 } : each)),
    };
    fs.writeFileSync(path.join(broken, "manifest.json"), JSON.stringify(lies));
    await expect(restore(database, to, broken, { schema, force: true })).rejects.toThrow(
      "garden has 9 rows, 3 came back",
    );
    expect(await rowsOf(database)).toEqual(before);
  },
  LONG,
);

test("a damaged, half-made or newer back-up is refused", async () => {
  const { again, database } = await target();
  const damaged = path.join(root, "damaged");
  fs.cpSync(folder, damaged, { recursive: true });
  fs.appendFileSync(path.join(damaged, "tables/garden.copy.gz"), "x");
  await expect(restore(database, settings, damaged)).rejects.toThrow(
    "damaged: tables/garden.copy.gz has changed",
  );
  fs.rmSync(path.join(damaged, "files/ab/contract"));
  fs.copyFileSync(path.join(folder, "tables/garden.copy.gz"), path.join(damaged, "tables/garden.copy.gz"));
  await expect(restore(database, settings, damaged)).rejects.toThrow("files/ab/contract is missing");
  await expect(restore(database, settings, root)).rejects.toThrow("is not a whole back-up");
  await expect(again(settings, { schema: SCHEMA })).rejects.toThrow("of another release");
});

test(
  "an older back-up gets the migrations that came since",
  async () => {
    const { database } = await target();
    const to = elsewhere("fifth");
    giveKey(to);
    const newer = path.join(root, "newer");
    fs.cpSync(schema, newer, { recursive: true });
    fs.writeFileSync(
      path.join(newer, "migrations/9002-garden.sql"),
      "alter table garden add column note text not null default '新'",
    );
    await restore(database, to, folder, { schema: newer });
    expect((await rowsOf(database))[0]).toMatchObject({ name: "来自迁移", note: "新" });
  },
  LONG,
);

test(
  "without the key it was made under it is refused, unless one says so",
  async () => {
    const { again } = await target();
    const to = elsewhere("sixth");
    await expect(again(to)).rejects.toThrow("made under another secret key");
    expect(fs.existsSync(path.join(to.DATA_DIR, "secret.key")), "no key is made on the way").toBe(false);
    await again(to, { withoutKey: true });
  },
  LONG,
);

test("a database that somebody uses is refused", async () => {
  const { again, database } = await target();
  const somebody = new pg.Client(database.url);
  await somebody.connect();
  await expect(again()).rejects.toThrow("The database is in use (1 connections): stop the product first.");
  await somebody.end();
});

test("it holds no key, and is for its owner's eyes only", () => {
  expect(fs.statSync(folder).mode & 0o077).toBe(0);
  const names = fs.readdirSync(folder, { recursive: true }).map(String);
  expect(names.some((name) => name.includes("secret"))).toBe(false);
});
