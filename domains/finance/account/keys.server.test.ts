import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aStore } from "../bill/bill.sample.ts";
import { alipayKeys, hashed, KEEPER, wechatAccount, wechatKeys, withPassword } from "./account.sample.ts";
import { addMerchantAccount, getAccount, listAccounts, setKeys } from "./account.contract.ts";

const house = await testHouse();
const { pool } = house.database;
const store = await aStore(house);
const keeper = await house.person({ permits: KEEPER, villages: [store.villageId] });
await withPassword(house, keeper.operatorId);
const { id } = await house.did(addMerchantAccount, { as: keeper }, { body: wechatAccount() });
const keys = wechatKeys();

const send = async (body: object, as = keeper, at = id) => {
  const { version } = await house.did(getAccount, { as: keeper }, { params: { id: at } });
  return house.ask(setKeys, { as }, { params: { id: at }, body: { version, password: hashed(), ...body } });
};
const sealedOf = async () =>
  (
    await pool.query("select name, sealed from merchant_key where merchant_account_id = $1 order by name", [
      id,
    ])
  ).rows;

test("only who holds the authority for keys may set them", async () => {
  const editor = await house.person({ permits: ["252.query", "252.edit"], villages: [store.villageId] });
  expect((await send(keys, editor)).status).toBe(403);
  const outsider = await house.person({ permits: ["252.query", "#10101"], villages: [store.villageId] });
  expect((await send(keys, outsider)).status).toBe(403);
  const stranger = await house.person({ permits: KEEPER });
  expect((await send(keys, stranger)).status).toBe(403);
});

test("a wrong password sets nothing, and counts", async () => {
  const wrong = await send({ ...keys, password: hashed("wrong") });
  expect([wrong.status, wrong.body.fields]).toEqual([400, [{ field: "password", msg: "登录密码错误" }]]);
  expect(await sealedOf()).toEqual([]);
  const { rows } = await pool.query("select count(*)::int n from login_failure");
  expect(rows).toEqual([{ n: 1 }]);
});

test("keys are sealed, never come back, and are logged without values", async () => {
  expect((await send({ ...keys, certExpiresOn: "2027-06-30" })).status).toBe(200);
  const { rows: forgotten } = await pool.query("select from login_failure");
  expect(forgotten).toEqual([]);
  const rows = await sealedOf();
  expect(rows.map((r) => house.cipher.open(r.sealed as Buffer))).toEqual([
    keys.apiV3Key,
    keys.certSerialNo,
    keys.privateKey.trim(),
  ]);
  expect(JSON.stringify(rows.map((r) => String(r.sealed)))).not.toContain(keys.apiV3Key);
  const detail = await house.did(getAccount, { as: keeper }, { params: { id } });
  expect(detail).toMatchObject({ keys: "set", certExpiresOn: "2027-06-30" });
  expect(detail.keySet.map((k) => k.title)).toEqual(["APIv3密钥", "证书序列号", "私钥文件"]);
  const shown = JSON.stringify([detail, await house.did(listAccounts, { as: keeper }, { query: {} })]);
  const { rows: logs } = await pool.query(
    "select input::text t from operation_log union all select to_jsonb(b)::text from business_log b",
  );
  for (const text of [shown, ...logs.map((l) => l.t as string)])
    for (const value of [keys.apiV3Key, keys.certSerialNo, keys.privateKey.slice(60, 120), hashed()])
      expect(text).not.toContain(value);
  const { rows: told } = await pool.query(
    "select action, summary from business_log where kind = 'account' order by id",
  );
  expect(told.at(-1)).toEqual({ action: "设置密钥", summary: "设置APIv3密钥、证书序列号、私钥文件" });
});

test("later one key alone is replaced; a certificate comes with its private key", async () => {
  const before = await sealedOf();
  expect((await send({ apiV3Key: "z".repeat(32) })).status).toBe(200);
  const after = await sealedOf();
  expect(house.cipher.open(after[0]!.sealed as Buffer)).toBe("z".repeat(32));
  expect(after[2]).toEqual(before[2]);
  expect((await send({ privateKey: keys.privateKey })).body.fields).toEqual([
    { field: "certSerialNo", msg: "证书序列号与私钥文件须一起更换" },
  ]);
  expect((await send({})).body.fields).toEqual([{ field: "apiV3Key", msg: "请至少更换一项密钥" }]);
});

test("what is no key is refused under its field", async () => {
  const broken = keys.privateKey.replace(/\n[A-Za-z0-9+/=]{64}\n/, "\nAAAA\n");
  const no = await send({ certSerialNo: keys.certSerialNo, privateKey: broken });
  expect(no.body.fields).toEqual([{ field: "privateKey", msg: "私钥文件无法识别，请检查文件内容" }]);
  expect((await send({ privateKey: "hello" })).body.fields?.[0]?.msg).toBe("请选择PEM格式的私钥文件");
  expect((await send({ apiV3Key: "short" })).body.fields?.[0]?.msg).toBe("APIv3密钥为32位字母和数字");
  expect((await send(alipayKeys())).body.fields?.[0]?.msg).toBe("该类型账户没有应用私钥");
  const body = { name: "支付宝", kind: "alipay" as const, holderVillageId: 0, mchId: "2088000000000001" };
  const { id: alipay } = await house.did(addMerchantAccount, { as: keeper }, { body });
  const { appPrivateKey } = alipayKeys();
  expect((await send({ appPrivateKey }, keeper, alipay)).body.fields).toEqual([
    { field: "alipayPublicKey", msg: "请提供支付宝公钥" },
  ]);
  expect((await send(alipayKeys(), keeper, alipay)).status).toBe(200);
});

test("two at once: the second is told", async () => {
  const { version } = await house.did(getAccount, { as: keeper }, { params: { id } });
  const body = { version: version - 1, apiV3Key: "y".repeat(32), password: hashed() };
  const answer = await house.ask(setKeys, { as: keeper }, { params: { id }, body });
  expect([answer.status, answer.body.message]).toEqual([409, "数据已被他人修改，请刷新后重试"]);
});

test("five wrong passwords lock the confirmation, for the right one too; the session stays", async () => {
  const thief = await house.person({ permits: KEEPER, villages: [store.villageId] });
  await withPassword(house, thief.operatorId);
  const guess = () => send({ apiV3Key: "x".repeat(32), password: hashed("guess") }, thief);
  for (let i = 0; i < 4; i++) expect((await guess()).body.message).toBe("登录密码错误");
  expect((await guess()).body.message).toBe("账号已锁定，请联系管理员解锁");
  expect((await send(keys, thief)).body.message).toBe("账号已锁定，请联系管理员解锁");
  expect((await house.ask(getAccount, { as: thief }, { params: { id } })).status).toBe(200);
});
