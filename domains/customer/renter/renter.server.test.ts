import { beforeAll, describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { getFile } from "../../system/file/file.contract.ts";
import { aPng, sendFile } from "../../system/file/file.sample.ts";
import { recordHistory } from "../../system/log/log.contract.ts";
import { linkRenter, lookupRenter, revealRenter } from "./acts.contract.ts";
import {
  addRenter,
  editRenter,
  getRenter,
  listRenters,
  renterOptions,
  renterSummary,
} from "./renter.contract.ts";
import { anIdNumber, aRenter, typedRenter, twoStores } from "./renter.sample.ts";

const house = await testHouse();
const { db } = house.database;
let a: number, b: number, clerk: Person, stranger: Person;

beforeAll(async () => {
  house.setClock("2026-11-20T09:15:00+08:00");
  ({ a, b, clerk, stranger } = await twoStores(house));
});

const find = async (as: Person, keyword: string) =>
  (await house.did(listRenters, { as }, { query: { keyword } })).list;

test("a picture of somebody that is replaced opens for nobody any more, the others do", async () => {
  const file = async () => (await sendFile(house, clerk, { name: "证件.png", bytes: aPng() })).body.data.id;
  const [photoFileId, certFrontFileId] = [await file(), await file()];
  const typed = typedRenter(a, { photoFileId, certFrontFileId });
  const { id } = await house.did(addRenter, { as: clerk }, { body: typed });
  const { version } = await house.did(getRenter, { as: clerk }, { params: { id } });
  const fresh = await file();
  const body = { ...typed, certFrontFileId: fresh, version };
  await house.did(editRenter, { as: clerk }, { params: { id }, body });
  const opens = async (fileId: number) =>
    (await house.ask(getFile, { as: clerk }, { params: { id: fileId } })).status;
  expect(await Promise.all([photoFileId, certFrontFileId, fresh].map(opens))).toEqual([200, 404, 200]);
});

describe("one record per person", () => {
  test("a wrong check digit is refused under its field", async () => {
    const certNo = anIdNumber().slice(0, 17) + "?";
    const { status, body } = await house.ask(addRenter, { as: clerk }, { body: typedRenter(a, { certNo }) });
    expect(status).toBe(400);
    expect(body.fields).toContainEqual({ field: "certNo", msg: "身份证号格式不正确" });
  });

  test("a number fills gender and birthday; the screen sees it masked, the database does not hold it", async () => {
    const certNo = anIdNumber("1990-02-03", 7);
    const { id } = await house.did(
      addRenter,
      { as: clerk },
      { body: typedRenter(a, { certNo, name: "王一鸣" }) },
    );
    const seen = await house.did(getRenter, { as: clerk }, { params: { id } });
    expect(seen).toMatchObject({
      birthday: "1990-02-03",
      gender: "male",
      phone: "138****5678",
      stage: "prospect",
    });
    expect(seen.certNo).toBe(`3301${"*".repeat(10)}${certNo.slice(-4)}`);
    const stored = await db.selectFrom("renter").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(JSON.stringify(stored)).not.toContain(certNo);
    expect(Buffer.from(stored.certNoCipher!).toString("latin1")).not.toContain(certNo);
  });

  test("two people adding the same person at once make one record and one refusal", async () => {
    const body = typedRenter(a, { name: "赵思源" });
    const answers = await Promise.all([1, 2].map(() => house.ask(addRenter, { as: clerk }, { body })));
    expect(answers.map((x) => x.status).toSorted()).toEqual([200, 400]);
    const refused = answers.find((x) => x.status === 400)!;
    expect(refused.body.fields).toEqual([{ field: "certNo", msg: "该证件号已登记" }]);
    expect(await find(clerk, "赵思源")).toHaveLength(1);
  });

  test("whoever is under 18 needs a guardian; the emergency contact is somebody else", async () => {
    const child = typedRenter(a, { certNo: anIdNumber("2012-05-01"), name: "高远" });
    expect((await house.ask(addRenter, { as: clerk }, { body: child })).body.message).toBe(
      "未满18周岁，需填写监护人及电话",
    );
    const alone = typedRenter(a, { emergencyPhone: "13812345678" });
    expect((await house.ask(addRenter, { as: clerk }, { body: alone })).body.message).toBe(
      "紧急联系人电话不能与本人相同",
    );
    const guarded = { ...child, guardianName: "高峰", guardianPhone: "13900001111" };
    expect((await house.ask(addRenter, { as: clerk }, { body: guarded })).status).toBe(200);
  });

  test("the phone of another person warns and does not block", async () => {
    const body = typedRenter(a, { phone: "13700001234", name: "孙博文" });
    expect((await house.did(addRenter, { as: clerk }, { body })).phoneUsedBy).toBeNull();
    const second = typedRenter(a, { phone: "13700001234", name: "徐若曦" });
    expect((await house.did(addRenter, { as: clerk }, { body: second })).phoneUsedBy).toBe("孙*");
  });
});

test("the list begins with whoever was entered last, also where an older record was taken over later", async () => {
  const made = [];
  for (const [name, day] of [
    ["欧阳春", "2026-03-01"],
    ["欧阳夏", "2025-08-01"],
    ["欧阳秋", "2026-09-01"],
  ] as const) {
    const id = await aRenter(house, a, { name });
    await db
      .updateTable("party")
      .set({ createdAt: `${day}T09:00:00+08:00` })
      .where("id", "=", id)
      .execute();
    made.push(id);
  }
  const [march, old, last] = made;
  expect((await find(clerk, "欧阳")).map((r) => r.id)).toEqual([last, march, old]);
  const query = { keyword: "欧阳", sort: "createdAt", order: "asc" } as const;
  const { list } = await house.did(listRenters, { as: clerk }, { query });
  expect(list.map((r) => r.id)).toEqual([old, march, last]);
});

describe("scope", () => {
  test("another store sees nothing until it links, and the first store's log shows the link", async () => {
    const certNo = anIdNumber();
    const id = await aRenter(house, a, { name: "何静怡", certNo });
    expect(await find(stranger, "何静怡")).toEqual([]);
    for (const c of [getRenter, renterSummary])
      expect(await house.ask(c, { as: stranger }, { params: { id } })).toMatchObject({
        status: 404,
        body: { message: "记录不存在" },
      });
    expect(
      (
        await house.ask(
          revealRenter,
          { as: stranger },
          { params: { id }, body: { field: "phone", reason: "回访" } },
        )
      ).status,
    ).toBe(404);
    expect(
      (await house.ask(listRenters, { as: stranger }, { query: { villageIds: String(a) } })).status,
    ).toBe(404);

    const cert = { certType: "idCard" as const, certNo };
    expect(await house.did(lookupRenter, { as: stranger }, { body: cert })).toEqual({
      found: "elsewhere",
      id,
      maskedName: "何*",
    });
    const guess = { ...cert, certNo: anIdNumber(), villageId: b };
    expect((await house.ask(linkRenter, { as: stranger }, { params: { id }, body: guess })).status).toBe(404);
    await house.did(linkRenter, { as: stranger }, { params: { id }, body: { ...cert, villageId: b } });
    expect(await find(stranger, "何静怡")).toHaveLength(1);
    expect(await house.did(lookupRenter, { as: stranger }, { body: cert })).toMatchObject({ found: "here" });
    for (const as of [clerk, stranger]) {
      const log = await house.did(
        recordHistory,
        { as },
        { params: { kind: "renter", recordId: id }, query: {} },
      );
      expect(log.list[0]).toMatchObject({ action: "关联", operatorName: "李四" });
    }
  });

  test("a store that links the person may edit it without owning its home", async () => {
    const certNo = anIdNumber();
    const id = await aRenter(house, a, { name: "谢文静", certNo });
    await house.did(
      linkRenter,
      { as: stranger },
      { params: { id }, body: { certType: "idCard", certNo, villageId: b } },
    );
    const { version } = await house.did(getRenter, { as: stranger }, { params: { id } });
    const body = {
      ...typedRenter(a, { name: "谢文静" }),
      certNo: undefined,
      phone: undefined,
      email: "xie@example.com",
      version,
    };
    await house.did(editRenter, { as: stranger }, { params: { id }, body });
    const seen = await house.did(getRenter, { as: clerk }, { params: { id } });
    expect(seen).toMatchObject({ email: "xie@example.com", phone: "138****5678", certType: "idCard" });
    expect((await house.ask(editRenter, { as: stranger }, { params: { id }, body })).body.message).toBe(
      "数据已被他人修改，请刷新后重试",
    );
  });
});

test("a picker finds by name, initials and the last digits of the phone", async () => {
  await aRenter(house, a, { name: "蒋南星", phone: "13388887777" });
  const look = async (keyword: string, as = clerk) =>
    (await house.did(renterOptions, { as }, { query: { keyword } })).map((r) => r.name);
  expect(await look("jnx")).toEqual(["蒋南星"]);
  expect(await look("7777")).toEqual(["蒋南星"]);
  expect(await look("蒋南", stranger)).toEqual([]);
});
