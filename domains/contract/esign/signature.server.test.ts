import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { getContract } from "../contract/detail.contract.ts";
import { aScan } from "../contract/contract.sample.ts";
import { deleteLessor, disableLessor, getLessor, revokeAuthorisation } from "../lessor/lessor.contract.ts";
import { aSeal } from "../seal/seal.sample.ts";
import { signOfflineContract, voidContract, withdrawContract } from "../signing/signing.contract.ts";
import {
  cancelSigning,
  contractSignings,
  openSigning,
  refuseSigning,
  resendSigning,
  setSeal,
  signByParty,
  signPage,
  signResult,
  startSigning,
  waitingSeals,
} from "./esign.contract.ts";
import {
  aSigningShop,
  codeSent,
  INK,
  LAST4,
  linkOf,
  partySigns,
  phoneOf,
  readyToSign,
  started,
  toSign,
} from "./esign.sample.ts";
import { randomUUID } from "node:crypto";

const house = await testHouse();
const NOW = "2026-03-12T10:00:00+08:00";
const at = (minutes: number) =>
  house.setClock(new Date(new Date(NOW).getTime() + minutes * 60_000).toISOString());
at(0);
const { pool } = house.database;
const shop = await aSigningShop(house);
const as = shop.clerk;
const page = (token: string) => house.ask(signPage, {}, { params: { token } });
const saidOf = async (answer: Promise<{ status: number; body: { message: string } }>) => {
  const { status, body } = await answer;
  return [status, body.message];
};
const stateOf = async (id: number) => (await house.did(getContract, { as }, { params: { id } })).state;
const signings = (id: number) => house.did(contractSignings, { as }, { params: { id } });

describe("a signature", () => {
  test("is given once, however often and on however many phones it is pressed", async () => {
    const { id, partyId } = await toSign(house, shop);
    const token = await started(house, as, id);
    const body = await readyToSign(house, token, partyId);
    const { device } = await house.did(openSigning, {}, { params: { token }, body: { last4: LAST4 } });
    const answers = await Promise.all(
      [body, body, { ...body, device }].map((b) =>
        house.ask(signByParty, {}, { params: { token }, body: b }),
      ),
    );
    expect(answers.map((a) => a.status)).toEqual([200, 200, 200]);
    for (const { body: answer } of answers)
      expect((await house.did(signResult, {}, { query: { key: answer.data.key } })).kind).toBe("sealing");
    const { rows } = await pool.query(
      "select count(*)::int n from business_log where record_id = $1 and kind = 'contract' and action = '客户签署'",
      [id],
    );
    expect(rows).toEqual([{ n: 1 }]);
    // the link leads to the result from now on
    expect((await house.did(signPage, {}, { params: { token } })).state).toBe("signed");
    const { resultKey } = await house.did(openSigning, {}, { params: { token }, body: { last4: LAST4 } });
    expect((await house.did(signResult, {}, { query: { key: resultKey! } })).kind).toBe("sealing");
    expect(
      await saidOf(house.ask(withdrawContract, { as }, { params: { id }, body: { reason: "" } })),
    ).toEqual([409, "承租方已签署，等待盖章，不能撤回"]);
    expect(
      (await house.ask(cancelSigning, { as }, { params: { id }, body: { reason: "改期" } })).body.message,
    ).toBe("承租方已签署，不能撤销");
  });

  test("needs the tick, the handwriting and six digits", async () => {
    const { id, partyId } = await toSign(house, shop);
    const token = await started(house, as, id);
    const body = await readyToSign(house, token, partyId);
    const send = async (more: object) =>
      (await house.ask(signByParty, {}, { params: { token }, body: { ...body, ...more } as never })).body
        .fields;
    expect(await send({ agreed: false })).toEqual([
      { field: "agreed", msg: "请先勾选同意本合同及电子签署约定" },
    ]);
    expect(await send({ handwriting: undefined })).toEqual([{ field: "handwriting", msg: "请手写签名" }]);
    expect(await send({ handwriting: "AAAA" })).toEqual([
      { field: "handwriting", msg: "签名图片无法识别，请清除后重写" },
    ]);
    expect(await send({ captcha: "12345" })).toEqual([{ field: "captcha", msg: "请输入6位短信验证码" }]);
    expect(
      (await house.ask(signByParty, {}, { params: { token }, body: { ...body, handwriting: INK } })).status,
    ).toBe(200);
  });

  test("is refused with a reason; the contract stays handed in and can be sent again", async () => {
    const { id, partyId } = await toSign(house, shop);
    const token = await started(house, as, id);
    const { device } = await readyToSign(house, token, partyId);
    const no = (reason: string) =>
      house.ask(refuseSigning, {}, { params: { token }, body: { device, reason } });
    expect((await no("不")).status).toBe(400);
    const { body } = await no("租金与约定不符");
    expect(await house.did(signResult, {}, { query: { key: body.data.key } })).toMatchObject({
      kind: "refused",
      reason: "租金与约定不符",
      due: [],
    });
    expect(await stateOf(id)).toBe("signing");
    expect(await signings(id)).toMatchObject([{ state: "refused", failReason: "租金与约定不符" }]);
    expect(await saidOf(page(token))).toEqual([410, "已拒绝签署"]);
    expect((await house.did(resendSigning, { as }, { params: { id } })).state).toBe("signing");
    expect(await signings(id)).toMatchObject([{ state: "signing" }, { state: "refused" }]);
  });

  test("that agreed to other bills does not count: the contract is a draft again and both are told", async () => {
    const { id, partyId } = await toSign(house, shop);
    await partySigns(house, await started(house, as, id), partyId);
    await pool.query("update contract_room set monthly_rent = monthly_rent + 100 where contract_id = $1", [
      id,
    ]);
    const flow = (await signings(id))[0]!;
    expect(
      await house.did(setSeal, { as: shop.keeper }, { params: { id: flow.id }, body: {} }),
    ).toMatchObject({
      state: "failed",
    });
    expect(await stateOf(id)).toBe("draft");
    expect(await signings(id)).toMatchObject([
      { state: "failed", failReason: "账单试算已变化，请核对后重新确认" },
    ]);
    const { rows } = await pool.query("select count(*)::int n from bill where contract_id = $1", [id]);
    expect(rows).toEqual([{ n: 0 }]);
    const { rows: told } = await pool.query(
      "select title from message where biz_type = 'contract' and biz_id = $1",
      [id],
    );
    expect(told.map((m) => m.title).join()).toContain("电子签署未能生效");
    const { rows: texts } = await pool.query(
      "select count(*)::int n from outbox where recipient = $1 and body like '%未能生效%'",
      [await phoneOf(house, partyId)],
    );
    expect(texts).toEqual([{ n: 1 }]);
  });

  test("on paper is refused after the party's own, and where the store does not sign on paper", async () => {
    const { id, partyId, preview } = await toSign(house, shop);
    const body = {
      fileIds: [await aScan(house, as)],
      signedOn: "2026-03-12",
      previewHash: preview.previewHash,
    };
    const paper = () =>
      saidOf(house.ask(signOfflineContract, { as, key: randomUUID() }, { params: { id }, body }));
    await pool.query(
      "insert into contract_config (enterprise_id, village_id, offline_allowed) values ($1, $2, false)",
      [house.enterpriseId, shop.villageId],
    );
    expect(await paper()).toEqual([409, "该门店不允许线下签署，请发起电子签署"]);
    await pool.query("delete from contract_config");
    await partySigns(house, await started(house, as, id), partyId);
    expect(await paper()).toEqual([409, "承租方已电子签署，等待盖章，不能改为线下签署"]);
  });

  test("on paper ends the electronic one", async () => {
    const { id, preview } = await toSign(house, shop);
    const token = await started(house, as, id);
    const body = {
      fileIds: [await aScan(house, as)],
      signedOn: "2026-03-12",
      previewHash: preview.previewHash,
    };
    await house.did(signOfflineContract, { as, key: randomUUID() }, { params: { id }, body });
    expect(await signings(id)).toMatchObject([{ state: "cancelled", failReason: "已改为线下签署" }]);
    expect(await saidOf(page(token))).toEqual([410, "签署已撤销"]);
  });
});

describe("the seal", () => {
  test("is set by its operators alone, once, and only after the party", async () => {
    const { id, partyId } = await toSign(house, shop);
    const token = await started(house, as, id);
    const flow = (await signings(id))[0]!.id;
    const seal = (who = shop.keeper) => house.ask(setSeal, { as: who }, { params: { id: flow }, body: {} });
    expect(await saidOf(seal())).toEqual([409, "该文件不在待盖章状态，请刷新后查看"]);
    await partySigns(house, token, partyId);
    const other = await house.person({ permits: ["95.query"], villages: [shop.villageId] });
    expect((await seal(other)).status).toBe(403);
    expect((await seal(await house.person({ permits: ["95.query"] }))).status).toBe(404);
    const both = await Promise.all([seal(), seal()]);
    expect(both.map((b) => b.status).toSorted()).toEqual([200, 409]);
    expect(await stateOf(id)).toBe("effective");
    expect(
      (await house.did(waitingSeals, { as: other }, { query: {} })).list.map((w) => w.contractId),
    ).not.toContain(id);
  });

  test("of an authority that was revoked is not set, and the party's signature stays", async () => {
    const { id, partyId } = await toSign(house, shop);
    await partySigns(house, await started(house, as, id), partyId);
    const flow = (await signings(id))[0]!.id;
    await pool.query(
      "update lessor set auth_state = 'revoked' where id = (select lessor_id from seal where id = $1)",
      [shop.sealId],
    );
    expect(await saidOf(house.ask(setSeal, { as: shop.keeper }, { params: { id: flow }, body: {} }))).toEqual(
      [409, "企业授权已撤销"],
    );
    expect(await stateOf(id)).toBe("signing");
    await pool.query("update lessor set auth_state = 'authorised'");
    expect((await house.ask(setSeal, { as: shop.keeper }, { params: { id: flow }, body: {} })).status).toBe(
      200,
    );
  });

  test("that comes first lets the links out, and closes the file with the party's signature", async () => {
    await pool.query(
      "insert into contract_config (enterprise_id, village_id, sign_order, handwriting) values ($1, $2, 'enterpriseFirst', false)",
      [house.enterpriseId, shop.villageId],
    );
    const { id, partyId } = await toSign(house, shop);
    const first = await house.did(startSigning, { as }, { params: { id } });
    expect(first).toMatchObject({ state: "created", links: [] });
    expect(await saidOf(house.ask(resendSigning, { as }, { params: { id } }))).toEqual([
      409,
      "出租方尚未盖章，盖章后自动发送链接",
    ]);
    await house.did(setSeal, { as: shop.keeper }, { params: { id: first.id }, body: {} });
    const { rows } = await pool.query<{ link: string }>(
      "select params->>'link' link from outbox where recipient = $1 order by id desc limit 1",
      [await phoneOf(house, partyId)],
    );
    await partySigns(house, rows[0]!.link.split("/").at(-1)!, partyId);
    expect(await stateOf(id)).toBe("effective");
    await pool.query("delete from contract_config");
  });

  test("that was set first closes the file; where it is lost meanwhile another is set by who hears of it", async () => {
    const store = await aSigningShop(house);
    const { villageId, clerk } = store;
    const second = await house.person({ permits: ["95.query"], villages: [villageId], name: "周印" });
    const both = [store.keeper.operatorId, second.operatorId];
    const { rows: of } = await pool.query<{ id: number }>("select lessor_id id from seal where id = $1", [
      store.sealId,
    ]);
    const lessorId = of[0]!.id;
    const chosen = await aSeal(house, { villageIds: [villageId], operatorIds: both, lessorId });
    await pool.query("update seal set operator_ids = $2 where id = $1", [store.sealId, both]);
    await pool.query(
      "insert into contract_config (enterprise_id, village_id, sign_order) values ($1, $2, 'enterpriseFirst')",
      [house.enterpriseId, villageId],
    );
    const heard = async (title: string) => {
      const { rows } = await pool.query<{ id: string }>(
        "select r.operator_id id from message m join message_receipt r on r.message_id = m.id where m.title = $1",
        [title],
      );
      return rows.map((r) => Number(r.id));
    };
    const begun = async () => {
      const made = await toSign(house, store);
      const { id: flowId } = await house.did(startSigning, { as: clerk }, { params: { id: made.id } });
      expect(await heard(`${made.contractNo} 待盖章`)).toEqual(expect.arrayContaining(both));
      const stamped = { params: { id: flowId }, body: { sealId: chosen } };
      await house.did(setSeal, { as: second }, stamped);
      return { ...made, flowId, token: await linkOf(house, made.partyId) };
    };
    const used = async (id: number) =>
      (await pool.query("select seal_id id from seal_use where contract_id = $1", [id])).rows;
    const state = async (id: number) =>
      (await house.did(getContract, { as: clerk }, { params: { id } })).state;

    const kept = await begun();
    await partySigns(house, kept.token, kept.partyId);
    expect([await state(kept.id), await used(kept.id)]).toEqual(["effective", [{ id: chosen }]]);

    const lost = await begun();
    await pool.query("update seal set enabled = false where id = $1", [chosen]);
    await partySigns(house, lost.token, lost.partyId);
    expect(await state(lost.id)).toBe("signing");
    expect(await heard(`${lost.contractNo} 客户已签署，待盖章`)).toContain(clerk.operatorId);
    const { list } = await house.did(waitingSeals, { as: second }, { query: {} });
    expect(list).toMatchObject([{ id: lost.flowId, contractId: lost.id }]);
    await house.did(setSeal, { as: second }, { params: { id: lost.flowId }, body: {} });
    expect([await state(lost.id), await used(lost.id)]).toEqual(["effective", [{ id: store.sealId }]]);
  });

  test("that waits for several is told to all of them", async () => {
    const store = await aSigningShop(house);
    const second = await house.person({ permits: ["95.query"], villages: [store.villageId] });
    const both = [store.keeper.operatorId, second.operatorId];
    await pool.query("update seal set operator_ids = $2 where id = $1", [store.sealId, both]);
    const { id, contractNo, partyId } = await toSign(house, store);
    await partySigns(house, await started(house, store.clerk, id), partyId);
    const { rows } = await pool.query<{ id: number; opens: string }>(
      "select r.operator_id id, m.biz_type opens from message m join message_receipt r on r.message_id = m.id where m.title = $1",
      [`${contractNo} 客户已签署，待盖章`],
    );
    // who may open the contract is led there, who only sets its seal to what waits for one
    expect(rows).toEqual(
      expect.arrayContaining([
        { id: store.clerk.operatorId, opens: "contract" },
        ...both.map((operatorId) => ({ id: operatorId, opens: "waitingSeal" })),
      ]),
    );
    // they hear of it too when there is nothing to be sealed any more
    const { version } = await house.did(getContract, { as: store.clerk }, { params: { id } });
    const body = { reason: "客户不租了", version };
    await house.did(voidContract, { as: store.clerk, key: randomUUID() }, { params: { id }, body });
    const { rows: gone } = await pool.query<{ id: number }>(
      "select r.operator_id id from message m join message_receipt r on r.message_id = m.id where m.title = $1",
      [`${contractNo} 不再待盖章`],
    );
    expect(gone.map((r) => r.id).toSorted()).toEqual(both.toSorted());
  });
});

test("what is being signed for a lessor ends when its authorisation is taken back, or it is switched off or deleted", async () => {
  const store = await aSigningShop(house);
  const boss = await house.person({ permits: ["95.query", "95.get", "95.edit", "95.disable", "95.delete"] });
  const { rows } = await pool.query<{ id: number }>("select lessor_id id from seal where id = $1", [
    store.sealId,
  ]);
  const lessorId = rows[0]!.id;
  const version = async () =>
    (await house.did(getLessor, { as: boss }, { params: { id: lessorId } })).version;
  const now = async (id: number) => {
    const { state } = await house.did(getContract, { as: store.clerk }, { params: { id } });
    const [flow] = await house.did(contractSignings, { as: store.clerk }, { params: { id } });
    return [state, flow!.state, flow!.failReason];
  };
  const open = await toSign(house, store);
  const token = await started(house, store.clerk, open.id);
  const signed = await toSign(house, store);
  await partySigns(house, await started(house, store.clerk, signed.id), signed.partyId);
  // another lessor's store goes on
  const other = await toSign(house, shop);
  await started(house, as, other.id);
  const body = { reason: "公章遗失", version: await version() };
  await house.did(revokeAuthorisation, { as: boss }, { params: { id: lessorId }, body });
  await house.deliver();
  for (const { id } of [open, signed])
    expect(await now(id)).toEqual(["draft", "failed", "企业授权已撤销：公章遗失"]);
  expect((await page(token)).status).toBe(410);
  expect(await stateOf(other.id)).toBe("signing");

  await pool.query("update lessor set auth_state = 'authorised' where id = $1", [lessorId]);
  const third = await toSign(house, store);
  await started(house, store.clerk, third.id);
  await house.did(
    disableLessor,
    { as: boss },
    { params: { id: lessorId }, body: { version: await version() } },
  );
  await house.deliver();
  expect(await now(third.id)).toEqual(["draft", "failed", "企业已停用"]);

  await pool.query("update lessor set enabled = true where id = $1", [lessorId]);
  const last = await toSign(house, store);
  await started(house, store.clerk, last.id);
  const query = { version: await version() };
  await house.did(deleteLessor, { as: boss }, { params: { id: lessorId }, query });
  await house.deliver();
  expect(await now(last.id)).toEqual(["draft", "failed", "企业已删除"]);
});

test("a key that never was, or that has run out, reads that a result was handed in and no more", async () => {
  const { id, partyId } = await toSign(house, shop);
  const token = await started(house, as, id);
  const params = { token };
  const { device } = await house.did(openSigning, {}, { params, body: { last4: LAST4 } });
  const { key } = await house.did(refuseSigning, {}, { params, body: { device, reason: "暂不租了" } });
  at(29);
  expect((await house.did(signResult, {}, { query: { key } })).kind).toBe("refused");
  at(30);
  const over = await house.did(signResult, {}, { query: { key } });
  expect(over).toEqual(await house.did(signResult, {}, { query: { key: "x".repeat(22) } }));
  expect(over).toMatchObject({ kind: "none", contractNo: "", room: "" });
  at(0);
  expect(await codeSent(house, await phoneOf(house, partyId)).catch(() => "none")).toBe("none");
});
