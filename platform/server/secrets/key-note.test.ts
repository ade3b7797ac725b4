import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { cipherOf, type Cipher } from "./cipher.ts";
import { freshDatabase } from "../database/cluster.sample.ts";
import { openCipher } from "./key-note.ts";
import { acceptLoss, rotateKey } from "./rotate-key.ts";
import { makeKey, readKeys, type KeySettings } from "./secret.ts";

const root = fs.mkdtempSync(path.join(os.tmpdir(), "key-"));
afterAll(() => fs.rmSync(root, { recursive: true }));
const { owner } = await freshDatabase();
// stands for every column of sealed values; one of them refuses to be found by its name alone
await owner.query(
  "create table card (id bigint generated always as identity primary key, number bytea, number_hash bytea)",
);

let settings: KeySettings & { DATA_DIR: string };
let folders = 0;
const file = (name = "secret.key") => path.join(settings.DATA_DIR, name);
beforeEach(async () => {
  settings = {
    DATA_DIR: path.join(root, String(++folders)),
    SECRET_KEY: undefined,
    SECRET_KEY_OLD: undefined,
  };
  await owner.query("delete from key_note; delete from card");
});
const open = (with_ = settings) => openCipher(owner, with_);
const keep = (cipher: Cipher, text: string) =>
  owner.query("insert into card (number, number_hash) values ($1, $2)", [
    cipher.seal(text),
    cipher.hash(text),
  ]);
const cards = async (cipher: Cipher) => {
  const { rows } = await owner.query<{ number: Buffer }>("select number from card order by id");
  return rows.map(({ number }) => cipher.open(number));
};

test("the first start makes the key; a later one with none, an empty or another one is stopped with what to do", async () => {
  await keep(await open(), "330106199001011234");
  const key = fs.readFileSync(file());
  expect(await cards(await open())).toEqual(["330106199001011234"]);

  fs.rmSync(file());
  await expect(open()).rejects.toThrow(
    /The secret key is missing: .*secret\.key is not there.* Put the key with/,
  );
  expect(fs.existsSync(file()), "none is made in its place").toBe(false);
  fs.writeFileSync(file(), "\n");
  await expect(open()).rejects.toThrow("secret.key is empty: put the secret key back into it");
  fs.writeFileSync(file(), "somebody else's key, of another house\n");
  await expect(open()).rejects.toThrow(
    /fingerprint .*does not open what is sealed.* Put the key with the fingerprint/,
  );
  await expect(open({ ...settings, SECRET_KEY: "x".repeat(32) })).rejects.toThrow(
    "The secret key in SECRET_KEY",
  );

  fs.writeFileSync(file(), key);
  expect(await cards(await open())).toEqual(["330106199001011234"]);
});

test("data of an earlier release: the key is proved by what it sealed before it is noted", async () => {
  const before = cipherOf(makeKey(settings));
  await keep(before, "6222021001");
  const key = fs.readFileSync(file());
  fs.writeFileSync(file(), "not the key that sealed the number\n");
  await expect(open()).rejects.toThrow("does not open what is sealed in the database. Put the right key");
  fs.rmSync(file());
  await expect(open()).rejects.toThrow("The secret key is missing");
  fs.writeFileSync(file(), key);
  const cipher = await open();
  expect(await cards(cipher)).toEqual(["6222021001"]);
  expect(cipher.hash("6222021001"), "it is found as before").toEqual(before.hash("6222021001"));
});

test("a key is changed: every value is sealed anew, hashes stay, the old key goes to its place", async () => {
  const before = await open();
  for (let i = 0; i < 1203; i++) await keep(before, `card ${i}`);
  const [{ current: old }, hash] = [readKeys(settings), before.hash("card 7")];
  expect(await rotateKey(owner, settings)).toBe(1203);
  expect(readKeys(settings).old).toEqual([old]);
  fs.rmSync(file("secret.key.old"));
  const after = await open();
  expect((await cards(after))[1202]).toBe("card 1202");
  expect(after.hash("card 7")).toEqual(hash);
  await expect(cards(before)).rejects.toThrow("此号码是用另一把密钥加密的");
});

test("a change that is broken off reads both keys and is finished by the next run", async () => {
  await keep(await open(), "一");
  await keep(await open(), "二");
  await owner.query(
    "create function full_disk() returns trigger language plpgsql as $$ begin raise exception 'no space'; end $$; create trigger full_disk before update on card for each row execute function full_disk()",
  );
  await expect(rotateKey(owner, settings)).rejects.toThrow("no space");
  await owner.query("drop function full_disk cascade");
  const between = await open();
  await keep(between, "三");
  expect(await cards(between)).toEqual(["一", "二", "三"]);
  const old = fs.readFileSync(file("secret.key.old"));
  fs.rmSync(file("secret.key.old"));
  await expect(open()).rejects.toThrow("the key before it is still needed");
  fs.writeFileSync(file("secret.key.old"), old);
  expect(await rotateKey(owner, settings)).toBe(2);
  fs.rmSync(file("secret.key.old"));
  expect(await cards(await open())).toEqual(["一", "二", "三"]);
});

test("SECRET_KEY is changed with the one before beside it, and the start says so until it is done", async () => {
  const first = { ...settings, SECRET_KEY: "the first of two keys, long enough" };
  await keep(await open(first), "一");
  await expect(rotateKey(owner, first)).rejects.toThrow("Give SECRET_KEY its new value and SECRET_KEY_OLD");
  const second = {
    ...settings,
    SECRET_KEY: "the second of two keys, long enough",
    SECRET_KEY_OLD: first.SECRET_KEY,
  };
  await expect(open(second)).rejects.toThrow("run `npm run rotate-key`");
  expect(await rotateKey(owner, second)).toBe(1);
  expect(await cards(await open({ ...second, SECRET_KEY_OLD: undefined }))).toEqual(["一"]);
  await expect(open(first)).rejects.toThrow("does not open");
});

test("a key that is lost for good does not hold up the house for ever", async () => {
  await keep(await open(), "一");
  fs.rmSync(file());
  await acceptLoss(owner, settings);
  const cipher = await open();
  await expect(cards(cipher)).rejects.toThrow("请重新录入");
  await keep(cipher, "二");
});
