import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import forge from "node-forge";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting, aVillage } from "../../listing/village/village.sample.ts";
import { listMessages } from "../../system/message/message.contract.ts";
import { selfSigned } from "./x509.service.ts";
import * as calls from "./seal.contract.ts";
import jobs from "./seal.job.ts";
import { aLessor, aSeal, DOT } from "./seal.sample.ts";
import { holdSeal, keyOf, noteSealUse } from "./seal.service.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const now = new Date("2026-03-12T02:00:00Z");
const { db } = house.database;
const [villageId, elsewhere] = [await aVillage(house), await aVillage(house)];
const lessorId = await aLessor(house);
const permits = ["95.query", "95.get", "#9501", "#9502"];
const as = await house.person({ permits, villages: [villageId] });
const reader = await house.person({ permits: ["95.query", "95.get"], villages: [villageId] });
const holder = await house.person({ villages: [villageId], name: "盖章员" });
const to = { villageId, contractKind: "renter" as const };

async function picture(bytes = DOT, type = "image/png"): Promise<number> {
  const { key, sha256, size } = await house.files.put(bytes);
  const { id } = await db
    .insertInto("storedFile")
    .values({ name: "章.png", type, size, sha256, storageKey: key, createdBy: as.operatorId })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
const body = async (more: object = {}) => ({
  lessorId,
  name: `合同章${randomUUID().slice(0, 6)}`,
  kind: "contract" as const,
  imageFileId: await picture(),
  villageIds: [villageId],
  operatorIds: [holder.operatorId],
  autoSeal: false,
  ...more,
});
/** An RGB picture: every dot covers what lies below. */
const OPAQUE = Buffer.concat([DOT.subarray(0, 25), Buffer.from([2]), DOT.subarray(26)]);

const dir = mkdtempSync(path.join(os.tmpdir(), "p12-"));
afterAll(() => rmSync(dir, { recursive: true }));
/** A .p12 as the common tool writes it today, valid for so many days more. */
async function p12(password: string, days = 3650): Promise<Buffer> {
  const begins = new Date(now.getTime() + days * 86_400_000);
  begins.setUTCFullYear(begins.getUTCFullYear() - 10);
  const made = await selfSigned("青禾公寓管理有限公司", "青禾公寓", begins);
  const at = (name: string) => path.join(dir, name);
  writeFileSync(at("key.pem"), made.privateKey);
  writeFileSync(at("cert.pem"), made.pem);
  execFileSync("openssl", [
    "pkcs12",
    "-export",
    "-inkey",
    at("key.pem"),
    "-in",
    at("cert.pem"),
    "-out",
    at("a.p12"),
    "-passout",
    `pass:${password}`,
  ]);
  return readFileSync(at("a.p12"));
}
const sendP12 = (id: number, bytes: Buffer, password: string, who = as) =>
  house.app.inject({
    method: "POST",
    url: calls.importCertificate.path.replace(":id", String(id)),
    headers: { authorization: who.token, "content-type": "multipart/form-data; boundary=x" },
    payload: Buffer.concat([
      Buffer.from(`--x\r\ncontent-disposition: form-data; name="password"\r\n\r\n${password}\r\n`),
      Buffer.from('--x\r\ncontent-disposition: form-data; name="file"; filename="a.p12"\r\n\r\n'),
      bytes,
      Buffer.from("\r\n--x--\r\n"),
    ]),
  });

test("a seal is registered with its picture, stores and people, and listed with why it may not be set", async () => {
  const { id } = await house.did(calls.addSeal, { as }, { body: await body() });
  const { list } = await house.did(
    calls.listSeals,
    { as: reader },
    { query: { lessorId: String(lessorId) as never } },
  );
  expect(list.find((s) => s.id === id)).toMatchObject({
    villageNames: "滨江店",
    operatorNames: "盖章员",
    source: "deployment",
    why: "",
    state: "enabled",
  });
  expect((await house.ask(calls.addSeal, { as: reader }, { body: await body() })).status).toBe(403);
  expect(
    (await house.ask(calls.addSeal, { as }, { body: await body({ villageIds: [elsewhere] }) })).status,
  ).toBe(404);
});

test.each([
  [async () => ({ imageFileId: await picture(OPAQUE) }), "imageFileId", "印章图片须为透明背景的PNG图片"],
  [
    async () => ({ imageFileId: await picture(DOT, "image/jpeg") }),
    "imageFileId",
    "印章图片须为透明背景的PNG图片",
  ],
  [async () => ({ name: "章" }), "name", "印章名称长度为2到30个字"],
  [async () => ({ operatorIds: [] }), "operatorIds", "请选择可用人员"],
  [async () => ({ villageIds: [] }), "villageIds", "请选择可用门店"],
])("what cannot be is refused under its field (%#)", async (more, field, msg) => {
  const { body: told } = await house.ask(
    calls.addSeal,
    { as },
    { body: (await body(await more())) as never },
  );
  expect(told.fields).toEqual([{ field, msg }]);
});

test("two seals of a lessor have two names", async () => {
  const first = await body();
  await house.did(calls.addSeal, { as }, { body: first });
  const { body: told } = await house.ask(calls.addSeal, { as }, { body: await body({ name: first.name }) });
  expect(told.fields).toEqual([{ field: "name", msg: "该企业已有同名印章" }]);
});

test("stores beyond the editor's own stay; a seal switched off may not be set", async () => {
  const id = await aSeal(house, {
    lessorId,
    villageIds: [villageId, elsewhere],
    operatorIds: [holder.operatorId],
  });
  const seal = await house.did(calls.getSeal, { as }, { params: { id } });
  expect(seal.villageIds).toEqual([villageId]);
  const { lessorId: _l, ...edited } = await body({ imageFileId: seal.imageFileId });
  await house.did(calls.editSeal, { as }, { params: { id }, body: { ...edited, version: seal.version } });
  const kept = await db
    .selectFrom("seal")
    .select("villageIds")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  expect(kept.villageIds).toEqual([villageId, elsewhere]);
  const stale = { params: { id }, body: { ...edited, version: seal.version } };
  expect((await house.ask(calls.editSeal, { as }, stale)).status).toBe(409);
  await house.did(calls.disableSeal, { as }, { params: { id }, body: { version: seal.version + 1 } });
  await expect(acting(house, (act) => holdSeal(act, id, to))).rejects.toThrow("印章已停用");
});

test("an imported certificate closes files from then on; its key and password are neither shown nor logged", async () => {
  const id = await aSeal(house, { lessorId, villageIds: [villageId], operatorIds: [as.operatorId] });
  const password = "p12-secret-4711";
  const bytes = await p12(password);
  expect((await sendP12(id, bytes, password, reader)).statusCode).toBe(403);
  expect((await sendP12(id, bytes, "wrong")).json().fields).toEqual([
    { field: "password", msg: "证书密码不正确" },
  ]);
  expect((await sendP12(id, Buffer.from("no certificate"), password)).json().message).toBe(
    "请上传有效的 .p12 或 .pfx 证书文件",
  );
  expect((await sendP12(id, bytes, password)).json()).toMatchObject({ code: 200 });
  const shown = await house.did(calls.getSeal, { as }, { params: { id } });
  expect(shown).toMatchObject({ source: "imported", subject: "CN=青禾公寓管理有限公司, O=青禾公寓" });
  const key = await acting(house, (act) => keyOf(act, id));
  expect(key.fingerprint).toBe(shown.fingerprint);
  expect(() => forge.pki.privateKeyFromPem(key.privateKey)).not.toThrow();
  const { rows } = await house.database.pool.query<{ text: string }>(
    "select coalesce(string_agg(t::text, ''), '') as text from operation_log t union all select coalesce(string_agg(b::text, ''), '') from business_log b",
  );
  for (const { text } of rows)
    for (const hidden of [password, "PRIVATE KEY"]) expect(text).not.toContain(hidden);
  expect(JSON.stringify(shown)).not.toMatch(/PRIVATE|key_cipher/);

  await house.did(calls.dropCertificate, { as }, { params: { id }, query: { version: shown.version } });
  expect((await acting(house, (act) => keyOf(act, id))).fingerprint).not.toBe(shown.fingerprint);
});

test("a certificate that has passed is not taken, and one that passes stops the seal; its holders hear of it before", async () => {
  const id = await aSeal(house, { lessorId, villageIds: [villageId], operatorIds: [as.operatorId] });
  expect((await sendP12(id, await p12("a", -1), "a")).json().fields).toEqual([
    { field: "file", msg: "证书已过期" },
  ]);
  expect((await sendP12(id, await p12("a", 40), "a")).statusCode).toBe(200);
  const told = async (at: string) => {
    house.setClock(at);
    for (const job of jobs) await perform(house, job, {}, "morning");
    const { list } = await house.did(listMessages, { as }, { query: {} });
    return list.filter((m) => m.bizId === id).length;
  };
  expect(await told("2026-03-13T08:20:00+08:00")).toBe(0);
  expect(await told("2026-03-27T08:20:00+08:00")).toBe(1);
  expect(await told("2026-03-28T08:20:00+08:00")).toBe(1);
  house.setClock("2026-04-29T10:00:00+08:00");
  await expect(acting(house, (act) => holdSeal(act, id, to))).rejects.toThrow("印章证书已过期");
  await expect(acting(house, (act) => keyOf(act, id))).rejects.toThrow("印章证书已过期");
  house.setClock("2026-03-12T10:00:00+08:00");
});

test("uses are listed in the caller's stores only", async () => {
  const id = await aSeal(house, { lessorId, villageIds: [villageId], operatorIds: [holder.operatorId] });
  for (const at of [villageId, elsewhere])
    await acting(house, async (act) => {
      const { certificateId } = await keyOf(act, id);
      await noteSealUse(act, {
        sealId: id,
        certificateId,
        documentId: 1,
        title: "租客合同 HT1",
        villageId: at,
      });
    });
  const { list } = await house.did(calls.listSealUses, { as: reader }, { query: {} });
  expect(list).toMatchObject([{ title: "租客合同 HT1", operatorName: "自动盖章", villageName: "滨江店" }]);
});
