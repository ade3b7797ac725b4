import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { newCaptcha } from "../../access/session/captcha.service.ts";
import { aVillage, acting } from "../../listing/village/village.sample.ts";
import { addLead, getLead } from "../../customer/lead/lead.contract.ts";
import { aScan, aRoom, aShop } from "../contract/contract.sample.ts";
import { deleteContract, readForm } from "../drafting/draft.contract.ts";
import {
  addApplication,
  applyCode,
  applyPublicly,
  approveApplication,
  assignApplications,
  cancelApplication,
  changeApplicationRoom,
  convertApplication,
  countApplications,
  editApplication,
  holdApplication,
  listApplications,
  publicStore,
  recommendRooms,
  rejectApplication,
  rejectApplications,
} from "../lease-application/application.contract.ts";
import { followApplications } from "../lease-application/application.job.ts";
import {
  anApplication,
  anApproved,
  applicationOf,
  applied,
  DESK,
} from "../lease-application/application.sample.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { signOfflineContract, submitContract } from "../signing/signing.contract.ts";

const house = await testHouse({ poolSize: 16 });
const NOW = "2026-03-12T10:00:00+08:00";
house.setClock(NOW);
beforeEach(() => house.setClock(NOW));
const shop = await aShop(house, { permits: [...DESK, "15.add", "15.get"], listPrice: 300_000 });
const as = shop.clerk;
const { pool } = house.database;
let rooms = 0;
const room = (listPrice = 300_000) => aRoom(house, shop.building, `L${++rooms}`, listPrice);
const place = async (listPrice?: number) => ({ villageId: shop.villageId, roomId: await room(listPrice) });
const texts = async (id: number) =>
  (
    await pool.query<{ body: string }>(
      "select body from outbox where source = 'notice' and source_id = $1 and once_key like 'leaseApplication.%' order by id",
      [id],
    )
  ).rows.map((row) => row.body);

describe("two requests for one room", () => {
  test("the first is signed; the other sees the room taken, is refused, and is offered rooms like it", async () => {
    const here = await place();
    const first = await anApproved(house, as, here, { remark: "希望四月中旬看房" });
    const second = await anApproved(house, as, here);
    const made = await house.did(
      convertApplication,
      { as },
      { params: { id: first.id }, body: { version: 2 } },
    );
    expect(made.kind).toBe("renter");
    const { form } = await house.did(readForm, { as }, { params: { id: made.contractId } });
    expect(form).toMatchObject({
      villageId: here.villageId,
      start: "2026-04-01",
      end: "2027-03-31",
      rooms: [{ roomId: here.roomId, monthlyRent: 300_000 }],
      remark: `租赁申请 ${first.applyNo}：希望四月中旬看房`,
    });
    const { previewHash } = await house.did(previewContract, { as }, { body: { id: made.contractId } });
    const params = { id: made.contractId };
    await house.did(submitContract, { as }, { params, body: { previewHash } });
    const body = { fileIds: [await aScan(house, as)], signedOn: "2026-03-12", previewHash };
    await house.did(signOfflineContract, { as }, { params, body });

    expect(await applicationOf(house, as, first.id)).toMatchObject({
      state: "converted",
      contractNo: made.contractNo,
      roomState: "free",
    });
    expect(await applicationOf(house, as, second.id)).toMatchObject({
      state: "approved",
      roomState: "taken",
    });
    const late = await house.ask(
      convertApplication,
      { as },
      { params: { id: second.id }, body: { version: 2 } },
    );
    expect(late.status).toBe(409);
    expect(late.body.reason).toBe("roomTaken");
    expect(late.body.message).toMatch(/ 在 2026-04-01 至 2027-03-31 已被 HT\d{8}-\d{6} 占用$/);
    expect((await applicationOf(house, as, second.id)).state).toBe("approved");

    const [near, far] = [await room(360_000), await room(360_001)];
    const offered = await house.did(recommendRooms, { as }, { params: { id: second.id }, query: {} });
    const ids = offered.map((r) => r.id);
    expect(ids).toContain(near);
    expect(ids).not.toContain(far);
    expect(ids).not.toContain(here.roomId);
    await house.did(
      changeApplicationRoom,
      { as },
      { params: { id: second.id }, body: { version: 2, roomId: near } },
    );
    expect(await applicationOf(house, as, second.id)).toMatchObject({ roomIds: [near], roomState: "free" });
  });

  test("whose draft is deleted is approved again", async () => {
    const { id } = await anApproved(house, as, await place());
    const made = await house.did(convertApplication, { as }, { params: { id }, body: { version: 2 } });
    expect((await applicationOf(house, as, id)).state).toBe("converted");
    const again = await house.ask(convertApplication, { as }, { params: { id }, body: { version: 3 } });
    expect(again.body.message).toBe("当前状态为“已转合同”，不能转合同");
    await house.did(deleteContract, { as }, { params: { id: made.contractId } });
    expect(await applicationOf(house, as, id)).toMatchObject({ state: "approved", contractId: null });
  });

  test("two clerks convert one request at once: one draft", async () => {
    const { id } = await anApproved(house, as, await place());
    const answers = await Promise.all(
      [0, 1].map(() => house.ask(convertApplication, { as }, { params: { id }, body: { version: 2 } })),
    );
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
    const { rows } = await pool.query(
      "select id from contract where remark like '租赁申请%' and state = 'draft' and id in (select contract_id from lease_application where id = $1)",
      [id],
    );
    expect(rows).toHaveLength(1);
  });
});

test("a lead of the same phone belongs to the request, and is signed with its contract", async () => {
  const phone = "13612340001";
  const consultant = await house.person({
    permits: ["15.add", "15.get", "15.query"],
    villages: [shop.villageId],
  });
  const lead = await house.did(
    addLead,
    { as: consultant },
    { body: { name: "林晓", phone, source: "walkIn", villageIds: [shop.villageId] } as never },
  );
  const { id } = await anApproved(house, as, await place(), { phone });
  expect((await applicationOf(house, as, id)).leadId).toBe(lead.id);
  const made = await house.did(convertApplication, { as }, { params: { id }, body: { version: 2 } });
  const params = { id: made.contractId };
  const { previewHash } = await house.did(previewContract, { as }, { body: { id: made.contractId } });
  await house.did(submitContract, { as }, { params, body: { previewHash } });
  const body = { fileIds: [await aScan(house, as)], signedOn: "2026-03-12", previewHash };
  await house.did(signOfflineContract, { as }, { params, body });
  await house.deliver();
  expect((await house.did(getLead, { as: consultant }, { params: { id: lead.id } })).state).toBe("signed");
});

describe("the review", () => {
  test("is done once; the applicant hears of it", async () => {
    const here = await place();
    const { id } = await applied(house, as, here);
    const send = () => house.ask(approveApplication, { as }, { params: { id }, body: { version: 1 } });
    const answers = await Promise.all([send(), send()]);
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409]);
    expect(await applicationOf(house, as, id)).toMatchObject({
      state: "approved",
      reviewerId: as.operatorId,
    });
    expect(await texts(id)).toEqual([expect.stringContaining("已通过审核")]);
    const late = await house.ask(
      rejectApplication,
      { as },
      { params: { id }, body: { version: 2, reason: "材料不全" } },
    );
    expect(late.body.message).toBe("当前状态为“已通过”，不能拒绝");
  });

  test("refuses with a reason of two characters at least", async () => {
    const { id } = await applied(house, as, await place());
    const send = (reason: string) =>
      house.ask(rejectApplication, { as }, { params: { id }, body: { version: 1, reason } });
    expect((await send("否")).body.message).toBe("请填写原因（2-200字）");
    expect((await send("材料不全")).status).toBe(200);
    expect(await applicationOf(house, as, id)).toMatchObject({ state: "rejected", reviewNote: "材料不全" });
    expect(await texts(id)).toEqual([expect.stringContaining("未通过审核：材料不全")]);
  });

  test("a cancelled request is told, too, and stands in the last tab", async () => {
    const { id } = await anApproved(house, as, await place());
    await house.did(
      cancelApplication,
      { as },
      { params: { id }, body: { version: 2, reason: "客户不租了" } },
    );
    expect(await texts(id)).toHaveLength(2);
    const counts = await house.did(countApplications, { as }, { query: {} });
    expect(counts["cancelled,expired"]).toBe((counts["cancelled"] ?? 0) + (counts["expired"] ?? 0));
    expect(counts["cancelled,expired"]).toBeGreaterThan(0);
  });

  test("belongs to who holds its code, in their own stores", async () => {
    const { id } = await applied(house, as, await place());
    const plain = await house.person({ permits: ["236.query", "236.get"], villages: [shop.villageId] });
    const stranger = await house.person({ permits: DESK, villages: [await aVillage(house)] });
    const sent = { params: { id }, body: { version: 1 } };
    expect((await house.ask(approveApplication, { as: plain }, sent)).status).toBe(403);
    expect((await house.ask(approveApplication, { as: stranger }, sent)).status).toBe(404);
    const without = await house.person({ permits: [...DESK], villages: [shop.villageId] });
    expect((await house.ask(convertApplication, { as: without }, sent)).status).toBe(403);
    expect((await house.did(listApplications, { as: stranger }, { query: {} })).list).toEqual([]);
  });

  test("is handed to somebody who works in the store", async () => {
    const { id } = await applied(house, as, await place());
    const elsewhere = await house.person({ villages: [await aVillage(house)], name: "孙立" });
    const here = await house.person({ villages: [shop.villageId], name: "钱薇" });
    const to = (reviewerId: number) =>
      house.did(assignApplications, { as }, { body: { ids: [id], reviewerId } });
    expect((await to(here.operatorId)).done).toBe(1);
    expect((await to(here.operatorId)).rows[0]!.refusal).toBe("审核人已经是钱薇");
    expect((await to(elsewhere.operatorId)).rows[0]!.refusal).toMatch(/^孙立不在.+任职$/);
    expect(await applicationOf(house, as, id)).toMatchObject({ reviewerName: "钱薇", version: 2 });
    const many = await house.did(rejectApplications, { as }, { body: { ids: [id], reason: "房源已满" } });
    expect(many.done).toBe(1);
    const again = await house.did(rejectApplications, { as }, { body: { ids: [id], reason: "房源已满" } });
    expect(again.rows[0]!.refusal).toBe("当前状态为“已拒绝”，不能拒绝");
  });
});

describe("a room kept for an applicant", () => {
  test("is a reservation without earnest money, three days at most", async () => {
    const here = await place();
    const { id } = await applied(house, as, here);
    const send = (holdUntil: string, version = 1) =>
      house.ask(holdApplication, { as }, { params: { id }, body: { version, holdUntil, rent: 300_000 } });
    expect((await send("2026-03-16")).body.message).toBe("免定金保留最多3天");
    expect((await send("2026-03-15")).status).toBe(200);
    expect(await applicationOf(house, as, id)).toMatchObject({ held: true, roomState: "free" });
    expect((await send("2026-03-15", 2)).body.message).toBe("已为该申请保留房间");
    const other = await applied(house, as, here);
    expect((await applicationOf(house, as, other.id)).roomState).toBe("taken");
    // its own reservation stands aside for its contract
    await house.did(approveApplication, { as }, { params: { id }, body: { version: 2 } });
    const made = await house.did(convertApplication, { as }, { params: { id }, body: { version: 3 } });
    expect(made.contractNo).toMatch(/^HT/);
  });

  test("of a firm asks that the firm is registered", async () => {
    const firm = { partyType: "company", firmName: "云启科技有限公司", name: "周岚" };
    const { id } = await applied(house, as, await place(), firm);
    const body = { version: 1, holdUntil: "2026-03-14", rent: 300_000 };
    const { body: answer } = await house.ask(holdApplication, { as }, { params: { id }, body });
    expect(answer.message).toBe("请先在客户中登记云启科技有限公司，再保留房间");
  });
});

describe("the form", () => {
  const send = async (more: object) =>
    house.ask(addApplication, { as }, { body: anApplication(await place(), more) as never });
  test.each([
    [{ phone: "12345" }, "phone", "请输入正确的手机号"],
    [{ roomIds: [] }, "roomIds", "请选择房间或产品"],
    [{ wantStart: "2026-03-11" }, "wantStart", "起租日不能早于今天"],
    [{ wantMonths: 241 }, "wantMonths", undefined],
    [{ occupants: 51 }, "occupants", undefined],
    [{ name: "林" }, "name", "姓名长度为2到30个字"],
    [{ partyType: "company", firmName: "" }, "firmName", undefined],
    [
      { partyType: "company", firmName: "云启科技", creditCode: "123" },
      "creditCode",
      "统一社会信用代码格式不正确",
    ],
    [{ certType: "idCard", certNo: "110101199001011230" }, "certNo", "证件号码格式不正确"],
    [{ budget: 10_000_000_000 }, "budget", "金额过大"],
  ])("refuses %j", async (more, field, msg) => {
    const { status, body } = await send(more);
    expect(status).toBe(400);
    const found = body.fields?.find((f) => f.field === field);
    expect(found, JSON.stringify(body)).toBeDefined();
    if (msg) expect(found!.msg).toBe(msg);
  });
  test("takes the last of what is allowed", async () => {
    expect((await send({ wantStart: "2026-03-12", wantMonths: 240, occupants: 50 })).status).toBe(200);
  });

  test("a phone asks for a room once", async () => {
    const here = await place();
    const phone = "13612340002";
    const first = await applied(house, as, here, { phone });
    const again = await house.ask(addApplication, { as }, { body: anApplication(here, { phone }) });
    expect(again.body.message).toBe(`该手机号已申请该房间（${first.applyNo}），请勿重复登记`);
    expect(
      (await house.ask(addApplication, { as }, { body: anApplication(await place(), { phone }) })).status,
    ).toBe(200);
  });

  test("an edit keeps what is shown masked, and ends with the review", async () => {
    const here = await place();
    const certNo = "110101199001011237";
    const { id } = await applied(house, as, here, { phone: "13612340003", certType: "idCard", certNo });
    const { phone: _, ...body } = anApplication(here, { occupants: 2, remark: "两人同住" });
    await house.did(editApplication, { as }, { params: { id }, body: { ...body, version: 1 } });
    const row = await applicationOf(house, as, id);
    expect(row).toMatchObject({ phone: "136****0003", occupants: 2, remark: "两人同住" });
    expect(row.certNo).toMatch(/^1101\*+1237$/);
    const stale = await house.ask(editApplication, { as }, { params: { id }, body: { ...body, version: 1 } });
    expect(stale.body.message).toBe("数据已被他人修改，请刷新后重试");
    await house.did(approveApplication, { as }, { params: { id }, body: { version: 2 } });
    const late = await house.ask(editApplication, { as }, { params: { id }, body: { ...body, version: 3 } });
    expect(late.body.message).toBe("当前状态为“已通过”，不能修改");
  });
});

test("a request that nobody reviews is told of three days before and expires on the fifteenth day", async () => {
  const { id } = await applied(house, as, await place());
  const messages = async () =>
    (await pool.query("select 1 from message where biz_type = 'leaseApplication' and biz_id = $1", [id]))
      .rowCount;
  const follow = async (day: string) => {
    house.setClock(`${day}T00:20:00+08:00`);
    await acting(house, followApplications, { villages: [] });
  };
  await follow("2026-03-23");
  expect(await messages()).toBe(0);
  await follow("2026-03-24");
  await follow("2026-03-25");
  expect(await messages()).toBe(1);
  await follow("2026-03-26");
  expect((await applicationOf(house, as, id)).state).toBe("submitted");
  await follow("2026-03-27");
  expect((await applicationOf(house, as, id)).state).toBe("expired");
  expect(await texts(id)).toEqual([expect.stringContaining("已过期")]);
});

describe("a stranger", () => {
  const product = async () => {
    const { rows } = await pool.query<{ id: number }>(
      "insert into product (enterprise_id, code, name, kind) values ($1, $2, $3, 'room') returning id",
      [house.enterpriseId, `P${randomUUID().slice(0, 6)}`, `单间${randomUUID().slice(0, 4)}`],
    );
    return Number(rows[0]!.id);
  };
  const apply = async (phone: string, productId: number, code?: string) => {
    if (code === undefined) {
      await pool.query("delete from sms_code");
      const { key, answer } = await acting(house, (act) => newCaptcha(act));
      await house.did(applyCode, {}, { body: { phone, imageCode: answer, imageCodeKey: key } });
      const { rows } = await pool.query<{ code: string }>(
        "select params ->> 'code' code from outbox where recipient = $1 and template = 'code' order by id desc limit 1",
        [phone],
      );
      code = rows[0]!.code;
    }
    const body = {
      ...{ partyType: "renter" as const, name: "何静", phone, productId, code },
      ...{ wantStart: "2026-04-01", wantMonths: 12 },
    };
    return house.ask(applyPublicly, {}, { params: { village: shop.villageId }, body });
  };

  test("sees a store's products, and nothing of one that is closed or unknown", async () => {
    const id = await product();
    const { products, village } = await house.did(publicStore, {}, { params: { village: shop.villageId } });
    expect(village).toBeTruthy();
    expect(products.map((p) => p.id)).toContain(id);
    expect((await house.ask(publicStore, {}, { params: { village: 999_999 } })).status).toBe(404);
  });

  test("applies against the code on the phone; five requests may wait at a time", async () => {
    const id = await product();
    const phone = "13912340001";
    expect((await apply(phone, id, "000000")).body.message).toBe("短信验证码错误或已失效");
    for (let n = 0; n < 5; n++) expect((await apply(phone, id)).status).toBe(200);
    const sixth = await apply(phone, id);
    expect(sixth.status).toBe(409);
    expect(sixth.body.message).toBe("您有待审核的申请，请勿重复提交");
    const { list } = await house.did(listApplications, { as }, { query: { keyword: "何静" } });
    expect(list).toHaveLength(5);
    expect(list[0]).toMatchObject({ source: "h5", state: "submitted", phone: "139****0001" });
  });

  test("gets no code without the picture's", async () => {
    const wrong = await house.ask(
      applyCode,
      {},
      { body: { phone: "13912340002", imageCode: "abcd", imageCodeKey: "x" } },
    );
    expect(wrong.body.message).toBe("图形验证码错误或已失效");
  });
});
