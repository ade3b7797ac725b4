import { beforeAll, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { getFile } from "../../system/file/file.contract.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { companyCalls, getCompany } from "../../customer/company/company.contract.ts";
import { aCompany, aMerchant, twoFirmStores } from "../../customer/firm/firm.sample.ts";
import { mergeRenters } from "../../customer/renter/acts.contract.ts";
import { aRenter } from "../../customer/renter/renter.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { addAccount, editAccount, listAccounts } from "../account/account.contract.ts";
import { addContact, deleteContact, editContact, listContacts } from "../contact/contact.contract.ts";
import { eraseParts } from "../merge/merge.service.ts";
import { addPaper, deletePaper, listPapers } from "../paper/paper.contract.ts";
import { remindPapers } from "../paper/paper.job.ts";
import { addTitle, deleteTitle, editTitle, listTitles } from "../title/title.contract.ts";

const house = await testHouse();
const { db } = house.database;
let a: number, clerk: Person, stranger: Person, id: number;

beforeAll(async () => {
  house.setClock("2026-11-20T09:15:00+08:00");
  ({ a, clerk, stranger } = await twoFirmStores(house));
  id = await aCompany(house, clerk, a, { name: "云栖软件有限公司" });
});

const contacts = () => house.did(listContacts, { as: clerk }, { query: { partyId: id } });
const person = { name: "孙晓梅", phone: "0571-88886666", position: "财务", email: "sun@example.com" };

describe("contacts", () => {
  test("one is the main one, its phone is the company's, and it stays until another takes its place", async () => {
    const { id: second } = await house.did(
      addContact,
      { as: clerk },
      { body: { partyId: id, ...person, getsBills: true } },
    );
    const [main] = await contacts();
    const leave = { params: { id: main!.id }, body: { name: main!.name, main: false, version: 1 } };
    expect((await house.ask(editContact, { as: clerk }, leave)).body.fields).toEqual([
      { field: "main", msg: "请设置一个主联系人" },
    ]);
    const sent = { params: { id: main!.id }, query: { version: 1 } };
    expect((await house.ask(deleteContact, { as: clerk }, sent)).body.message).toBe(
      "主联系人不能删除，请先设置其他主联系人",
    );
    const params = { id: second };
    const { phone: _, ...unseen } = person;
    await house.did(editContact, { as: clerk }, { params, body: { ...unseen, main: true, version: 1 } });
    expect((await contacts()).map((c) => [c.name, c.main])).toEqual([
      ["孙晓梅", true],
      ["钱经理", false],
    ]);
    expect(await house.did(getCompany, { as: clerk }, { params: { id } })).toMatchObject({
      contactName: "孙晓梅",
    });
    const whole = { params: { id }, body: { field: "phone" as const, reason: "催收联系" } };
    expect((await house.did(companyCalls.reveal, { as: clerk }, whole)).value).toBe("0571-88886666");
  });

  test("two who make themselves the main one at once end with one", async () => {
    const made = [];
    for (const name of ["甲经理", "乙经理"])
      made.push(
        (await house.did(addContact, { as: clerk }, { body: { partyId: id, name, phone: "13900000001" } }))
          .id,
      );
    const answers = await Promise.all(
      made.map((contactId, i) =>
        house.ask(
          editContact,
          { as: clerk },
          {
            params: { id: contactId },
            body: { name: ["甲经理", "乙经理"][i]!, main: true, version: 1 },
          },
        ),
      ),
    );
    // whoever came second either takes the place or is told that the record has changed
    expect(answers.some((x) => x.status === 200)).toBe(true);
    expect((await contacts()).filter((c) => c.main)).toHaveLength(1);
  });

  test("the eleventh is refused", async () => {
    const add = (name: string) =>
      house.ask(addContact, { as: clerk }, { body: { partyId: id, name, phone: "13900000009" } });
    const left = 10 - (await contacts()).length;
    for (let i = 0; i < left; i++) expect((await add("联系人")).status).toBe(200);
    expect((await add("联系人")).body.message).toBe("联系人最多10个");
  });
});

test("a title of a firm carries its tax number; the first is the default until another becomes it", async () => {
  const typed = { partyId: id, kind: "company" as const, title: "云栖软件有限公司" };
  expect((await house.ask(addTitle, { as: clerk }, { body: typed })).body.fields).toEqual([
    { field: "taxNo", msg: "请输入税号" },
  ]);
  const body = { ...typed, taxNo: "91330108ma27xyt81b".slice(0, 15) };
  const { id: first } = await house.did(addTitle, { as: clerk }, { body });
  expect((await house.ask(addTitle, { as: clerk }, { body })).body.fields).toEqual([
    { field: "title", msg: "该抬头已登记" },
  ]);
  const other = { ...body, title: "云栖软件杭州分公司", isDefault: true };
  const { id: second } = await house.did(addTitle, { as: clerk }, { body: other });
  const titles = () => house.did(listTitles, { as: clerk }, { query: { partyId: id } });
  expect((await titles()).map((t) => [t.id, t.isDefault])).toEqual([
    [second, true],
    [first, false],
  ]);
  const { partyId: _, ...edit } = body;
  const params = { id: first };
  expect((await house.ask(editTitle, { as: clerk }, { params, body: { ...edit, version: 1 } })).status).toBe(
    409,
  );
  await house.did(deleteTitle, { as: clerk }, { params, query: { version: 2 } });
  expect(await titles()).toHaveLength(1);
});

test("a bank account lies sealed, is shown masked, and is whole only to whoever says why", async () => {
  const number = "6222-0212-0000-1234567";
  const body = { partyId: id, holder: "云栖软件有限公司", bank: "工商银行", number };
  const { id: accountId } = await house.did(addAccount, { as: clerk }, { body });
  const twin = { ...body, number: number.replaceAll("-", "") };
  expect((await house.ask(addAccount, { as: clerk }, { body: twin })).body.fields).toEqual([
    { field: "number", msg: "该银行账号已登记" },
  ]);
  const [seen] = await house.did(listAccounts, { as: clerk }, { query: { partyId: id } });
  expect(seen).toMatchObject({ number: "6222****4567", isDefault: true, verified: "unverified" });
  const stored = await db.selectFrom("bankAccount").selectAll().executeTakeFirstOrThrow();
  expect(Buffer.from(stored.numberCipher).toString("latin1")).not.toContain("0212");
  const sent = {
    params: { id },
    body: { field: "bankNumber" as const, partId: accountId, reason: "退款核对" },
  };
  expect((await house.did(companyCalls.reveal, { as: clerk }, sent)).value).toBe(number);
  expect((await house.ask(companyCalls.reveal, { as: stranger }, sent)).status).toBe(404);
  const other = await aCompany(house, clerk, a, { name: "别家企业" });
  expect(
    (await house.ask(companyCalls.reveal, { as: clerk }, { ...sent, params: { id: other } })).body.message,
  ).toBe("没有登记银行账号");
  const edit = { holder: "云栖软件", bank: "工商银行", version: 1 };
  await house.did(editAccount, { as: clerk }, { params: { id: accountId }, body: edit });
  const wrong = { ...body, number: "62-" };
  expect((await house.ask(addAccount, { as: clerk }, { body: wrong })).body.fields).toEqual([
    { field: "number", msg: "银行卡号格式不正确" },
  ]);
});

test("papers end: the manager is told once, thirty days before", async () => {
  const file = async () => (await sendFile(house, clerk, { name: "执照.png", bytes: aPng() })).body.data.id;
  const merchantId = await aMerchant(house, clerk, a, {
    name: "晨光早餐店",
    licenceFileId: await file(),
    licenceEndDay: "2026-12-20",
  });
  const paper = async (endDay: string | null, name = "营业执照") => ({
    partyId: merchantId,
    kind: "licence" as const,
    name,
    fileId: await file(),
    endDay,
  });
  const { id: late } = await house.did(addPaper, { as: clerk }, { body: await paper("2026-12-21", "副本") });
  const { id: old } = await house.did(addPaper, { as: clerk }, { body: await paper(null, "旧照") });
  expect((await house.ask(addPaper, { as: clerk }, { body: await paper(null) })).body.message).toBe(
    "营业执照最多3个文件，请先删除旧文件",
  );
  const query = { partyId: merchantId };
  expect((await house.did(listPapers, { as: clerk }, { query })).map((p) => p.state)).toEqual([
    "ending",
    "valid",
    "valid",
  ]);
  for (let i = 0; i < 2; i++) await acting(house, (act) => remindPapers(act));
  const told = await db.selectFrom("message").select(["title", "bizType", "bizId"]).execute();
  expect(told).toEqual([
    { title: "商户晨光早餐店的营业执照将于 2026-12-20 到期", bizType: "merchant", bizId: merchantId },
  ]);
  // a paper that is deleted is gone, also for whoever kept its address
  const [shown] = (await house.did(listPapers, { as: clerk }, { query })).filter(({ id }) => id === late);
  const opened = async () =>
    (await house.ask(getFile, { as: clerk }, { params: { id: shown!.fileId } })).status;
  expect(await opened()).toBe(200);
  await house.did(deletePaper, { as: clerk }, { params: { id: late }, query: { version: 1 } });
  expect(await opened()).toBe(404);
  await house.did(deletePaper, { as: clerk }, { params: { id: old }, query: { version: 1 } });
});

test("titles and accounts of a renter come along when records are merged, and go when nobody is left of them", async () => {
  const clerkOfRenters = await house.person({ permits: ["16.get", "16.edit", "#1602"], villages: [a] });
  const [keepId, goneId] = [
    await aRenter(house, a, { name: "租客乙" }),
    await aRenter(house, a, { name: "租客乙", certType: null, certNo: null }),
  ];
  const number = "6222021200001234";
  for (const partyId of [keepId, goneId])
    await house.did(
      addAccount,
      { as: clerkOfRenters },
      { body: { partyId, holder: "租客乙", bank: "工商银行", number } },
    );
  const title = { partyId: goneId, kind: "person" as const, title: "租客乙" };
  await house.did(addTitle, { as: clerkOfRenters }, { body: title });
  const wish = { keepId, goneId, keepVersion: 1, goneVersion: 1, reason: "同一人" };
  await house.did(mergeRenters, { as: clerkOfRenters }, { body: wish });
  const query = { partyId: keepId };
  expect(await house.did(listTitles, { as: clerkOfRenters }, { query })).toHaveLength(1);
  expect(await house.did(listAccounts, { as: clerkOfRenters }, { query })).toHaveLength(1);
  await acting(house, (act) => eraseParts(act, [keepId, goneId]));
  const left = await db
    .selectFrom("bankAccount")
    .select("id")
    .where("partyId", "in", [keepId, goneId])
    .execute();
  expect(left).toEqual([]);
});

test("parts need the permit of their own record's page, and are nobody's outside its stores", async () => {
  const renterId = await aRenter(house, a, { name: "租客甲" });
  const ofRenter = { query: { partyId: renterId } };
  expect((await house.ask(listTitles, { as: clerk }, ofRenter)).status).toBe(403);
  const renters = await house.person({ permits: ["16.get", "16.edit"], villages: [a] });
  expect(await house.did(listTitles, { as: renters }, ofRenter)).toEqual([]);
  const body = { partyId: renterId, kind: "person" as const, title: "租客甲" };
  await house.did(addTitle, { as: renters }, { body });
  expect((await house.ask(listTitles, { as: renters }, { query: { partyId: id } })).status).toBe(403);
  for (const call of [listContacts, listTitles, listAccounts, listPapers])
    expect((await house.ask(call, { as: stranger }, { query: { partyId: id } })).status).toBe(404);
  expect((await house.ask(addContact, { as: stranger }, { body: { partyId: id, ...person } })).status).toBe(
    404,
  );
});
