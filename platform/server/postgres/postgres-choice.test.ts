import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../database/database.ts";
import { findBinaries, serverIdentity } from "./postgres-binaries.ts";
import { chooseBinaries, installedFolders } from "./postgres-choice.ts";
import { prepareRoles } from "./postgres-roles.ts";
import { startPostgres } from "./postgres.ts";
import { prepareSchema } from "../database/rights.ts";

const root = fs.mkdtempSync(path.join(os.tmpdir(), "choice-"));
fs.chmodSync(root, 0o755);
afterAll(() => fs.rmSync(root, { recursive: true }));

const nothing = path.join(root, "no-data");
const identity = serverIdentity(nothing);
const shipped = findBinaries(identity);

type Fake = { extensions?: string[]; icu?: boolean };
/** Programs that only say which version they are. */
function fake(
  at: string,
  version: string,
  { extensions = ["pg_trgm", "btree_gist"], icu = true }: Fake = {},
) {
  const folder = path.join(root, at);
  const share = path.join(folder, "share");
  fs.mkdirSync(path.join(share, "extension"), { recursive: true });
  for (const name of extensions) fs.writeFileSync(path.join(share, "extension", `${name}.control`), "");
  const script = (name: string, line: string) =>
    fs.writeFileSync(path.join(folder, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  script("postgres", `echo 'postgres (PostgreSQL) ${version}' ${icu ? "# ucol_open" : ""}`);
  script("initdb", `echo 'share_path=${share}' >&2`);
  return folder;
}
const dataOf = (major: number) => {
  const data = path.join(root, `data-${major}`);
  fs.mkdirSync(data, { recursive: true });
  fs.writeFileSync(path.join(data, "PG_VERSION"), `${major}\n`);
  return data;
};

test("installed programs are found where packagers put them, newest first, and on the PATH", () => {
  const machine = path.join(root, "machine");
  const debian = fake("machine/usr/lib/postgresql/9/bin", "9.6");
  const newer = fake("machine/usr/lib/postgresql/16/bin", "16.1");
  const redHat = fake("machine/usr/pgsql-17/bin", "17.2");
  const homebrew = fake("machine/opt/homebrew/opt/postgresql@15/bin", "15.3");
  const built = fake("machine/srv/pg/bin", "18.0");
  // only the client
  fs.mkdirSync(path.join(machine, "usr/lib/postgresql/18/bin"), { recursive: true });
  const links = path.join(machine, "links");
  fs.mkdirSync(links);
  fs.symlinkSync(path.join(built, "postgres"), path.join(links, "postgres"));
  const searched = ["relative", "/nowhere", newer, links].join(path.delimiter);
  expect(installedFolders(machine, searched)).toEqual([redHat, newer, homebrew, debian, built]);
});

test("installed: the first that will do is taken, and says why others were not", () => {
  const good = fake("good", "16.4 (Debian 16.4-1)");
  const folders = [
    fake("old", "14.9"),
    fake("bare", "17.1", { extensions: ["btree_gist"] }),
    fake("plain", "17.2", { icu: false }),
    path.join(root, "broken"),
    good,
    fake("later", "15.1"),
  ];
  expect(chooseBinaries(nothing, identity, "installed", () => folders)).toEqual({
    folder: good,
    postgres: path.join(good, "postgres"),
    initdb: path.join(good, "initdb"),
    major: 16,
    version: "16.4 (Debian 16.4-1)",
    passed: [
      `${root}/old is PostgreSQL 14.9, older than 15`,
      `${root}/bare lacks the extension pg_trgm`,
      `${root}/plain was built without ICU`,
      `${root}/broken/postgres cannot be run`,
    ],
  });
  const none = chooseBinaries(nothing, identity, "installed", () => folders.slice(0, 2));
  expect(none).toMatchObject({ ...shipped, passed: [expect.any(String), expect.any(String)] });
});

test("embedded takes the package's whatever is installed; a folder is taken or refused, never replaced", () => {
  const other = fake("other", "17.5");
  const installed = () => [other];
  expect(chooseBinaries(nothing, identity, "embedded", installed)).toEqual({ ...shipped, passed: [] });
  expect(chooseBinaries(nothing, identity, undefined, installed).folder).toBe(shipped.folder);
  expect(chooseBinaries(nothing, identity, other, () => []).folder).toBe(other);
  const old = fake("too-old", "13.2");
  expect(() => chooseBinaries(nothing, identity, old, installed)).toThrow(
    `POSTGRES_BIN cannot be used: ${old} is PostgreSQL 13.2, older than 15.`,
  );
});

test("a data directory keeps the version that wrote it, whatever is asked for", () => {
  const sixteen = fake("sixteen", "16.1");
  const seventeen = fake("seventeen", "17.1");
  const installed = () => [seventeen, sixteen];
  for (const bin of ["installed", "embedded", seventeen])
    expect(chooseBinaries(dataOf(16), identity, bin, installed).folder, bin).toBe(sixteen);
  for (const bin of ["installed", "embedded", seventeen])
    expect(chooseBinaries(dataOf(shipped.major), identity, bin, installed).folder, bin).toBe(shipped.folder);
  const ours = fake("ours", `${shipped.major}.9`);
  expect(chooseBinaries(dataOf(shipped.major), identity, "installed", () => [ours]).folder).toBe(ours);
  expect(() => chooseBinaries(dataOf(15), identity, "installed", installed)).toThrow(
    `data-15 was written by PostgreSQL 15, which is not on this machine (${seventeen} is PostgreSQL 17.1; ${sixteen} is PostgreSQL 16.1; ${shipped.folder} is PostgreSQL ${shipped.version}): install PostgreSQL 15, or back up`,
  );
});

/** The machine's own PostgreSQL where it has one that will do, else the package's. */
const ofMachine = chooseBinaries(nothing, identity, "installed");

test(`production works on PostgreSQL ${ofMachine.version} in ${ofMachine.folder} and says so`, async () => {
  const settings = {
    DATA_DIR: path.join(root, "production"),
    POOL_SIZE: 4,
    TIME_ZONE: "Asia/Shanghai",
    MODE: "production",
  } as const;
  const said: string[] = [];
  const says = (sentence: string) => void said.push(sentence);
  const expected = `PostgreSQL ${ofMachine.version} in ${ofMachine.folder} serves ${settings.DATA_DIR}/postgres`;
  if (ofMachine.folder === shipped.folder) expect(ofMachine).toMatchObject(shipped);

  const database = await openDatabase(settings, says);
  expect(said).toEqual([expect.stringContaining(expected)]);
  await prepareSchema(database);
  const one = async (expression: string) =>
    (await database.pool.query<{ value: unknown }>(`select ${expression} as value`)).rows[0]!.value;
  expect(await one("show_trgm('智慧公寓') <> '{}' and '智慧公寓' ilike '%慧公%'")).toBe(true);
  expect(
    await one(`array(select n from unnest(array['赵', '安', '李']) n order by n collate "zh-x-icu")`),
  ).toEqual(["安", "李", "赵"]);
  expect(await one("array(select n from unnest(array['a', 'B', '安', 'ß']) n order by n)")).toEqual([
    "B",
    "a",
    "ß",
    "安",
  ]);
  expect(await one("initials_of('苏瑾')")).toBe("sj");
  const { rows } = await database.owner.query(
    "select current_user as owner, count(*)::int as bills from bill",
  );
  expect(rows).toEqual([{ owner: "sams_owner", bills: 0 }]);
  const { rowCount } = await database.owner.query(
    `select from pg_index where (select oid from pg_collation where collname = 'zh-x-icu') = any (indcollation)`,
  );
  expect(rowCount, "an index would have to be rebuilt with every change of ICU").toBe(0);
  await database.close();

  const quiet = await openDatabase({ ...settings, LOG_LEVEL: "warn" }, says);
  await quiet.close();
  expect(said).toHaveLength(1);
  const again = await openDatabase({ ...settings, POSTGRES_BIN: "embedded" }, says);
  await again.close();
  expect(said[1]).toContain(expected);
}, 120_000);

test("another ICU of the same version is noted, so that no session warns of it", async () => {
  const server = await startPostgres(path.join(root, "production", "postgres"));
  await prepareRoles(server, "sams");
  const superuser = new pg.Client({ host: server.host, user: server.user, database: "sams" });
  await superuser.connect();
  await superuser.query("update pg_collation set collversion = '1' where collname = 'zh-x-icu'");
  await prepareRoles(server, "sams");
  const { rowCount } = await superuser.query(
    "select from pg_collation where collname = 'zh-x-icu' and collversion = pg_collation_actual_version(oid)",
  );
  expect(rowCount).toBe(1);
  await superuser.end();
  await server.stop();
});
