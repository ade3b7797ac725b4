import crypto from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { lockOn, newLock, readLocked, writeLocked } from "./backup-lock.ts";
import { backUp } from "./backup.ts";
import { freshDatabase } from "../database/cluster.sample.ts";
import { restore } from "./restore.ts";
import { readSettings } from "../process/settings.ts";

const root = fs.mkdtempSync(path.join(os.tmpdir(), "lock-"));
afterAll(() => fs.rmSync(root, { recursive: true }));
const PASSPHRASE = "四个词 合起来 才够长 的口令";
let folders = 0;
const folder = () => {
  const at = path.join(root, `folder-${++folders}`);
  fs.mkdirSync(at);
  return at;
};

test("files of every length come back; one that is changed, cut, lengthened or renamed does not open", async () => {
  const at = folder();
  const lock = newLock(at, PASSPHRASE);
  const again = lockOn(at, PASSPHRASE);
  for (const length of [0, 1, 65_535, 65_536, 65_537, 131_072, 200_001]) {
    const text = crypto
      .randomBytes(length)
      .toString("latin1")
      .replaceAll(/[^ -~]/g, "x");
    await writeLocked(lock, at, "a", text);
    expect((await readLocked(again, at, "a")) === text, `${length} bytes`).toBe(true);
  }
  const whole = fs.readFileSync(path.join(at, "a"));
  const CHUNK = 65_536 + 16;
  const flipped = Buffer.from(whole);
  flipped[100_000]! ^= 1;
  const swapped = Buffer.concat([
    whole.subarray(0, 16),
    whole.subarray(16 + CHUNK, 16 + 2 * CHUNK),
    whole.subarray(16, 16 + CHUNK),
    whole.subarray(16 + 2 * CHUNK),
  ]);
  const broken = {
    flipped,
    swapped,
    "cut at a chunk": whole.subarray(0, 16 + CHUNK),
    cut: whole.subarray(0, -1),
    empty: Buffer.alloc(0),
    longer: Buffer.concat([whole, Buffer.from("x")]),
  };
  for (const [what, bytes] of Object.entries(broken)) {
    fs.writeFileSync(path.join(at, "a"), bytes);
    await expect(readLocked(again, at, "a"), what).rejects.toThrow("a does not open");
  }
  fs.writeFileSync(path.join(at, "b"), whole);
  await expect(readLocked(again, at, "b")).rejects.toThrow("b does not open");
});

test("an encrypted back-up comes back with its passphrase and never without; everybody has to sign in again", async () => {
  const settings = readSettings({
    DATA_DIR: path.join(root, "data"),
    MODE: "demo",
    SECRET_KEY: "the key of this house, long enough",
    BACKUP_PASSPHRASE: PASSPHRASE,
  });
  const source = await freshDatabase();
  await source.pool.query(
    `insert into enterprise (id, name) overriding system value values (1, '青禾公寓');
     insert into operator (id, enterprise_id, account, real_name, phone, password_hash) overriding system value values (1, 1, 'zhou', '周敏', '13900001111', '-');
     insert into login_session (operator_id, token_hash, expires_at) values (1, '\\x01', now() + interval '7 days')`,
  );
  fs.mkdirSync(path.join(settings.DATA_DIR, "files/ab"), { recursive: true });
  fs.writeFileSync(path.join(settings.DATA_DIR, "files/ab/paper"), "合同正文 ".repeat(20_000));
  const at = path.join(root, "first");
  await backUp(source, settings, at);
  for (const name of fs.readdirSync(at, { recursive: true, encoding: "utf8" })) {
    const file = path.join(at, name);
    if (!fs.statSync(file).isFile() || name === "lock.json") continue;
    const bytes = fs.readFileSync(file);
    expect(/合同正文|周敏|青禾|schema_migration/.test(bytes.toString("utf8")), name).toBe(false);
    expect(bytes.subarray(0, 2).toString("hex"), name).not.toBe("1f8b");
  }

  const target = await freshDatabase();
  await target.owner.query("insert into enterprise (id, name) overriding system value values (7, '留下')");
  const names = async () =>
    (await target.owner.query<{ name: string }>("select name from enterprise")).rows.map((r) => r.name);
  const back = (with_: Partial<typeof settings> = {}, from = at) =>
    restore(target, { ...settings, DATA_DIR: path.join(root, "second"), ...with_ }, from, { force: true });
  await expect(back({ BACKUP_PASSPHRASE: undefined })).rejects.toThrow(
    "give its passphrase in BACKUP_PASSPHRASE",
  );
  await expect(back({ BACKUP_PASSPHRASE: "ein anderes Passwort" })).rejects.toThrow(
    "The passphrase is not that of the back-up, or the back-up is damaged: manifest.json",
  );
  for (const name of [
    "manifest.json",
    "tables/enterprise.copy.gz",
    "files/ab/paper",
    "jobs.json",
    "lock.json",
  ]) {
    const damaged = path.join(root, `damaged-${name.replaceAll("/", "-")}`);
    fs.cpSync(at, damaged, { recursive: true });
    const bytes = fs.readFileSync(path.join(damaged, name));
    // in lock.json a digit of the salt, elsewhere any byte
    const where = name === "lock.json" ? bytes.indexOf('salt":"') + 8 : bytes.length >> 1;
    bytes[where] = name === "lock.json" ? (bytes[where] === 65 ? 66 : 65) : bytes[where]! ^ 1;
    fs.writeFileSync(path.join(damaged, name), bytes);
    await expect(back({}, damaged), name).rejects.toThrow("damaged");
  }
  expect(await names(), "nothing has changed so far").toEqual(["留下"]);
  expect(fs.existsSync(path.join(root, "second"))).toBe(false);

  await back();
  expect(await names()).toEqual(["青禾公寓"]);
  expect(fs.readFileSync(path.join(root, "second/files/ab/paper"), "utf8")).toBe("合同正文 ".repeat(20_000));
  const { rows } = await target.owner.query("select end_reason, ended_at is null as open from login_session");
  expect(rows).toEqual([{ end_reason: "restore", open: false }]);
}, 60_000);
