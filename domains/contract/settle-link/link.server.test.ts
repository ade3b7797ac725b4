import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aScan } from "../contract/contract.sample.ts";
import { codeSent, LAST4, phoneOf } from "../esign/esign.sample.ts";
import { writeContractConfig } from "../config/config.contract.ts";
import { CONFIG_DEFAULTS } from "../config/config.rules.ts";
import { sendLog } from "../../customer/send-log/send-log.contract.ts";
import { getSettlement, settlementActs } from "../settlement/settlement.contract.ts";
import { aSettler } from "../settlement/settlement.sample.ts";
import {
  agreeToSheet,
  objectToSheet,
  openSheet,
  sendConfirm,
  sendSheetCode,
  settlementLinks,
  sheetDocument,
  sheetFile,
  sheetPage,
} from "./link.contract.ts";

const house = await testHouse();
const { shop, as, pool, lease, asked, preview, row, confirm, sound } = await aSettler(house);

/** A settlement that was handed in, of a tenant with a certificate. */
async function handedIn() {
  const contract = await lease();
  await pool.query(
    "update renter set cert_type = 'idCard', cert_no_masked = $2, verify = 'verified' where id = $1",
    [contract.partyId, `310***********${LAST4}`],
  );
  house.setClock("2026-08-05T10:00:00+08:00");
  const { id } = await asked(contract.id);
  await submit(id);
  return { ...contract, actId: id };
}
async function submit(id: number) {
  const { previewHash } = await preview(id);
  const { version } = await row(id);
  await house.did(settlementActs.submit, { as }, { params: { id }, body: { version, previewHash } });
}
async function sent(id: number, how: "sms" | "hand" = "sms") {
  const { version } = await row(id);
  const { path } = await house.did(sendConfirm, { as }, { params: { id }, body: { version, how } });
  return path?.split("/").at(-1) ?? "";
}
/** On the tenant's phone, with the code that was sent to it. */
async function opened(token: string, partyId: number) {
  const params = { token };
  const { device } = await house.did(openSheet, {}, { params, body: { last4: LAST4 } });
  const sheet = await house.did(sheetDocument, {}, { params, query: { device } });
  await house.did(sendSheetCode, {}, { params, body: { device } });
  const captcha = await codeSent(house, await phoneOf(house, partyId));
  return {
    params,
    device,
    sheet,
    body: { device, captcha, documentHash: sheet.hash, agreed: true as const },
  };
}
const saidBy = async (token: string) => {
  const { status, body } = await house.ask(sheetPage, {}, { params: { token } });
  return [status, body.message];
};

describe("a tenant answers on a page of his own", () => {
  test("he agrees to the very lines and the one number, and the file and the proof are kept", async () => {
    const { actId: id, partyId } = await handedIn();
    const token = await sent(id);
    expect(await house.did(sheetPage, {}, { params: { token } })).toMatchObject({
      enterprise: "青禾公寓管理有限公司",
      tenant: "张*",
      last4Of: "certificate",
    });
    const wrong = await house.ask(openSheet, {}, { params: { token }, body: { last4: "0000" } });
    expect([wrong.status, wrong.body.message]).toEqual([400, "证件号后四位不正确，还可尝试2次"]);
    const { params, device, sheet, body } = await opened(token, partyId);
    expect(sheet.net).toBe(431_276);
    const shown = JSON.stringify(sheet.blocks);
    for (const line of (await preview(id)).lines)
      for (const text of [line.title, line.clause, line.formula]) expect(shown).toContain(text);
    expect(shown).toContain("应退还乙方人民币 4,312.76 元");
    const file = await house.ask(sheetFile, {}, { params, query: { device } });
    expect(createHash("sha256").update(file.raw).digest("hex")).toBe(sheet.hash);
    const not = await house.ask(agreeToSheet, {}, { params, body: { ...body, captcha: "000000" } });
    expect(not.body.message).toContain("短信验证码错误或已失效");
    expect(await house.did(agreeToSheet, {}, { params, body })).toEqual({
      said: "您已确认结算单，应退还 4,312.76 元",
    });
    const after = await house.did(getSettlement, { as }, { params: { id } });
    expect(after).toMatchObject({ state: "confirming", agreed: true, agreedHow: "page" });
    expect(after.files.map((f) => f.name)).toEqual([`退房结算单_${after.actNo}.pdf`]);
    const [proof] = await house.did(settlementLinks, { as }, { params: { id } });
    expect(proof).toMatchObject({ state: "agreed", net: 431_276, documentHash: sheet.hash });
    expect(proof!.smsNo).toMatch(/^\d+$/);
    expect(await saidBy(token)).toEqual([410, "您已确认这份结算单，无需重复确认"]);
    const { previewHash } = await preview(id);
    expect((await confirm({ id, version: after.version, previewHash })).status).toBe(200);
    expect(await sound()).toEqual([]);
  });

  test("the link and the code stand in the send log as what he was sent, neither of them readable", async () => {
    const { actId: id, partyId } = await handedIn();
    const token = await sent(id);
    const { body } = await opened(token, partyId);
    await house.deliver();
    const service = await house.person({ permits: ["18.query"], villages: [shop.villageId] });
    const { list } = await house.did(sendLog, { as: service }, { query: { partyId } });
    expect(list.slice(0, 2).map((line) => line.source)).toEqual(["验证码", "业务通知"]);
    expect(JSON.stringify(list)).not.toContain(body.captcha);
    expect(JSON.stringify(list)).not.toContain(token);
  });

  test("he objects: it is worked on again, and its handler hears why", async () => {
    const { actId: id, partyId } = await handedIn();
    const token = await sent(id);
    const { params, device } = await opened(token, partyId);
    await house.did(objectToSheet, {}, { params, body: { device, reason: "遥控器没有丢" } });
    expect(await row(id)).toMatchObject({ state: "settling", agreed: false });
    const { rows } = await pool.query(
      "select title, content, biz_type, biz_id from message order by id desc limit 1",
    );
    expect(rows[0].title).toContain("租客对结算单有异议");
    // where it is worked on again
    expect(rows[0]).toMatchObject({ biz_type: "settlement", biz_id: id });
    expect(rows[0].content).toBe("原因：遥控器没有丢");
    expect(await saidBy(token)).toEqual([410, "您已提出异议，管家会与您联系"]);
    // handed in again it is sent again
    await submit(id);
    const next = await sent(id);
    expect((await saidBy(next))[0]).toBe(200);
  });

  test("a link leads nowhere once the settlement was sent anew, edited, signed on paper or cancelled", async () => {
    const { actId: id, partyId } = await handedIn();
    const gone = [410, "结算单已更新或已处理，请使用新链接或联系管家"];
    const first = await sent(id);
    const phone = await opened(first, partyId);
    const second = await sent(id);
    expect(await saidBy(first)).toEqual(gone);
    const late = await house.ask(agreeToSheet, {}, { params: phone.params, body: phone.body });
    expect(late.status).toBe(410);
    const { draft, version } = await row(id);
    await house.did(
      settlementActs.edit,
      { as },
      { params: { id }, body: { ...(draft as object), version } as never },
    );
    expect(await saidBy(second)).toEqual(gone);
    await submit(id);
    const third = await sent(id);
    const cancel = { version: (await row(id)).version, reason: "不退了" };
    await house.did(settlementActs.cancel, { as }, { params: { id }, body: cancel });
    expect(await saidBy(third)).toEqual(gone);
    expect(await saidBy("A".repeat(22))).toEqual([404, "链接无效，请核对短信中的链接"]);
  });
});

test("silence is an agreement three days after the sheet came to the tenant, and not before", async () => {
  const { actId: id } = await handedIn();
  const silent = async () => {
    const { version } = await row(id);
    const fileIds = [await aScan(house, as)];
    const body = { version, how: "silence" as const, note: "电话未接", fileIds };
    const { status, body: answer } = await house.ask(settlementActs.agree, { as }, { params: { id }, body });
    return [status, answer.fields?.[0]?.msg];
  };
  expect(await silent()).toEqual([400, "请先把结算单送达租客"]);
  expect(await sent(id, "hand")).toBe("");
  expect((await row(id)).presentedOn).toBe("2026-08-05");
  house.setClock("2026-08-07T10:00:00+08:00");
  expect(await silent()).toEqual([400, "送达未满3天"]);
  house.setClock("2026-08-08T10:00:00+08:00");
  const bare = { version: (await row(id)).version, how: "silence" as const, note: "电话未接" };
  const proof = await house.ask(settlementActs.agree, { as }, { params: { id }, body: bare });
  expect([proof.status, proof.body.fields]).toEqual([400, [{ field: "fileIds", msg: "请上传送达证明" }]]);
  expect((await silent())[0]).toBe(200);
  // who has handed it in anew starts anew
  await submit(id);
  expect(await row(id)).toMatchObject({ agreed: false, presentedOn: null });
});

test("the store says after how many days silence agrees", async () => {
  const query = { villageId: shop.villageId };
  const boss = await house.person({ permits: ["95.query", "95.edit"], villages: [shop.villageId] });
  const set = (silentDays: number) =>
    house.ask(
      writeContractConfig,
      { as: boss },
      { query, body: { ...CONFIG_DEFAULTS, silentDays, defaultTerms: {}, version: 0 } },
    );
  expect((await set(31)).body.fields).toEqual([{ field: "silentDays", msg: "请输入1到30之间的整数" }]);
  const { actId: id } = await handedIn();
  expect((await set(5)).status).toBe(200);
  await sent(id, "hand");
  expect((await row(id)).silentDays).toBe(5);
  const silent = async () => {
    const { version } = await row(id);
    const fileIds = [await aScan(house, as)];
    const body = { version, how: "silence" as const, note: "电话未接", fileIds };
    const { status, body: answer } = await house.ask(settlementActs.agree, { as }, { params: { id }, body });
    return [status, answer.fields?.[0]?.msg];
  };
  house.setClock("2026-08-09T10:00:00+08:00");
  expect(await silent()).toEqual([400, "送达未满5天"]);
  house.setClock("2026-08-10T10:00:00+08:00");
  expect((await silent())[0]).toBe(200);
});

test("a tenant names the account of his own on the page, where nobody knows it yet", async () => {
  const { actId: id, partyId } = await handedIn();
  const { params, sheet, body } = await opened(await sent(id), partyId);
  expect(sheet.payee).toBe("");
  const account = { bank: "工商银行", number: "12" };
  const wrong = await house.ask(agreeToSheet, {}, { params, body: { ...body, account } });
  expect(wrong.body.fields).toEqual([{ field: "account.number", msg: "银行卡号格式不正确" }]);
  account.number = "6222020200011239999";
  await house.did(agreeToSheet, {}, { params, body: { ...body, account } });
  const { payee, actNo } = await row(id);
  expect(payee).toMatchObject({ holder: "张三", number: "6222****9999", byTenant: true });
  const { rows } = await pool.query(
    "select summary from business_log where kind = 'settlement' and record_id = $1 and action = '收款账户'",
    [id],
  );
  expect(rows).toEqual([{ summary: "租客填写收款账户 张三 6222****9999" }]);
  expect(actNo).toMatch(/^TF/);
});
