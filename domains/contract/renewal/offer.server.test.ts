import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aModule, asking, otherwise } from "../../approval/module/module.sample.ts";
import { listMessages } from "../../system/message/message.contract.ts";
import { amendActs, getChange } from "../amendment/amendment.contract.ts";
import { aScan } from "../contract/contract.sample.ts";
import { LAST4, partySigns } from "../esign/esign.sample.ts";
import { aSeal } from "../seal/seal.sample.ts";
import { aSuccession } from "../successor/successor.sample.ts";
import {
  chooseOffer,
  declineOffer,
  getRenewal,
  listRenewals,
  openOffer,
  readOffer,
  sendOffer,
  withdrawOffer,
} from "./renewal.contract.ts";

const house = await testHouse();
const { shop, pool, lease, renew, held, contractOf, sound } = await aSuccession(house);
await aSeal(house, { villageIds: [shop.villageId], operatorIds: [], autoSeal: true });
const keeper = await house.person({ permits: ["9.query"], villages: [shop.villageId], name: "何管家" });
const clerk = await house.person({
  permits: ["9.query", "73.query", "73.get", "73.add", "73.edit"],
  villages: [shop.villageId],
});
const CHOICES = [
  { months: 12, monthlyRent: 367_500 },
  { months: 24, monthlyRent: 350_000 },
];

// the lessor signs in 2026 alone
/** A lease whose tenant can be known by the last four characters, a month before its end. */
async function ending() {
  const old = await lease({ start: "2025-03-15" });
  await house.database.db
    .updateTable("renter")
    .set({ certType: "idCard", certNoMasked: `310***********${LAST4}`, verify: "verified" })
    .where("id", "=", old.partyId)
    .execute();
  await pool.query("update contract set manager_operator_id = $2 where id = $1", [old.id, keeper.operatorId]);
  house.setClock("2026-02-20T10:00:00+08:00");
  return old;
}
async function offered(choices = CHOICES) {
  const old = await ending();
  const { path, id } = await house.did(sendOffer, { as: clerk }, { body: { contractId: old.id, choices } });
  return { old, id, params: { token: path.split("/").at(-1)! } };
}
const offerIn = async (id: number) =>
  (await house.did(listRenewals, { as: clerk }, { query: { tab: "due", pageSize: 200 } })).list.find(
    (r) => r.id === id,
  )?.offerState;
/** Of those who leave within 90 days: to how many an offer was made, by how many it was opened and answered. */
const offerSums = async () => {
  const { sums } = await house.did(listRenewals, { as: clerk }, { query: { tab: "soon" } });
  return [sums?.["offered"], sums?.["opened"], sums?.["answered"]];
};
const told = async () =>
  (await house.did(listMessages, { as: keeper }, { query: {} })).list.map((m) => m.title);
const body = (more: object) => ({ last4: LAST4, ...more }) as never;

describe("an offer", () => {
  test("is opened with the last four, chosen once, handed in and signed on the signing page", async () => {
    const { old, params } = await offered();
    expect(await offerIn(old.id)).toBe("sent");
    expect(await offerSums()).toEqual([1, 0, 0]);
    expect(await house.did(readOffer, {}, { params })).toMatchObject({ name: "张*", answered: false });
    const shown = await house.did(openOffer, {}, { params, body: body({}) });
    expect(shown).toMatchObject({
      end: "2026-03-14",
      rent: 350_000,
      held: 350_000,
      result: null,
      choices: [
        {
          months: 12,
          start: "2026-03-15",
          end: "2027-03-14",
          rent: 367_500,
          first: 1_120_000,
          deposit: 17_500,
        },
        { months: 24, end: "2028-03-14", rent: 350_000, first: 1_050_000, deposit: 0 },
      ],
    });
    expect(await offerIn(old.id)).toBe("opened");
    expect(await offerSums()).toEqual([1, 1, 0]);
    const chosen = await house.did(chooseOffer, {}, { params, body: body({ choice: 0 }) });
    expect(chosen.text).toContain("您已选择续租 12 个月（2026-03-15 至 2027-03-14），月租金 3,675.00 元");
    expect(chosen.signPath).toMatch(/^\/esign\/s\//);
    expect(await told()).toContain("张三选择了续租方案");
    const detail = await house.did(getRenewal, { as: clerk }, { params: { id: old.id } });
    expect(detail).toMatchObject({
      state: "signing",
      newRent: 367_500,
      intent: "willing",
      offerState: "chosen",
    });
    expect(await offerSums()).toEqual([1, 1, 1]);

    await partySigns(house, chosen.signPath!.split("/").at(-1)!, old.partyId);
    expect((await contractOf(detail.newId!)).state).toBe("effective");
    expect([await held(old.id), await held(detail.newId!)]).toEqual([0, 350_000]);
    expect(await sound()).toEqual([]);
  });

  test("names days that do not hold any more once the end was amended: it is left to the keeper", async () => {
    const { old, params } = await offered();
    const boss = { as: await house.person({ superType: "1" }) };
    const draft = { effectiveOn: "2026-02-20", reason: "延长半个月", end: "2026-03-31" };
    const { id } = await house.did(amendActs.ask, boss, { body: { contractId: old.id, ...draft } as never });
    const on = { params: { id } };
    const version = async () => (await house.did(getChange, boss, on)).version;
    const { previewHash } = await house.did(amendActs.preview, boss, { ...on, body: {} });
    await house.did(amendActs.submit, boss, { ...on, body: { version: await version(), previewHash } });
    const paper = { how: "paper" as const, note: "已签字", fileIds: [await aScan(house, boss.as)] };
    await house.did(amendActs.agree, boss, { ...on, body: { version: await version(), ...paper } });
    const confirmed = { version: await version(), previewHash };
    await house.did(amendActs.confirm, { ...boss, key: randomUUID() }, { ...on, body: confirmed });

    const chosen = await house.did(chooseOffer, {}, { params, body: body({ choice: 0 }) });
    expect(chosen).toMatchObject({ signPath: null, text: expect.stringContaining("管家将与您联系办理") });
    expect((await house.did(getRenewal, { as: clerk }, { params: { id: old.id } })).newId).toBeNull();
  });

  test("of two phones the second sees what the first chose", async () => {
    const { old, params } = await offered();
    const both = await Promise.all([
      house.ask(chooseOffer, {}, { params, body: body({ choice: 0 }) }),
      house.ask(chooseOffer, {}, { params, body: body({ choice: 1 }) }),
    ]);
    expect(both.map((r) => r.status)).toEqual([200, 200]);
    const texts = both.map((r) => (r.body as { data: { text: string } }).data.text);
    expect(texts[0]).toBe(texts[1]);
    const { rows } = await pool.query(
      "select count(*)::int n from contract_act where contract_id = $1 and kind = 'renew'",
      [old.id],
    );
    expect(rows).toEqual([{ n: 1 }]);
    const late = await house.ask(declineOffer, {}, { params, body: body({ reason: "改主意了" }) });
    expect(late.body).toMatchObject({ data: { text: texts[0] } });
  });

  test("waits for the keeper where something stands in the way of what was chosen", async () => {
    const { old, params } = await offered();
    await renew({ contractId: old.id, end: "2026-09-14" });
    const chosen = await house.did(chooseOffer, {}, { params, body: body({ choice: 1 }) });
    expect(chosen).toMatchObject({ signPath: null, text: expect.stringContaining("管家将与您联系办理") });
    const { offers } = await house.did(getRenewal, { as: clerk }, { params: { id: old.id } });
    expect(offers).toMatchObject([{ state: "chosen", choice: 1, answer: expect.stringContaining("进行中") }]);
  });

  test("is declined with a reason, which the keeper hears", async () => {
    const { old, params } = await offered();
    await house.did(declineOffer, {}, { params, body: body({ reason: "租金太高" }) });
    expect(await told()).toContain("张三答复不续租");
    expect(await house.did(getRenewal, { as: clerk }, { params: { id: old.id } })).toMatchObject({
      state: "leaving",
      intent: "leaving",
      followNote: "租客答复不续租：租金太高",
      offerState: "declined",
    });
  });

  test("that was answered says no more than the answer once it has run out", async () => {
    const { params } = await offered();
    await house.did(declineOffer, {}, { params, body: body({ reason: "已在外地买房" }) });
    expect(await house.did(openOffer, {}, { params, body: body({}) })).toMatchObject({ rent: 350_000 });
    house.setClock("2026-03-20T10:00:00+08:00");
    expect(await house.did(openOffer, {}, { params, body: body({}) })).toEqual({
      result: { signPath: null, text: "您已答复不续租，管家将与您联系办理退房。" },
    });
  });

  test("is locked after three wrong tries, leads nowhere when it was taken back, replaced or ran out", async () => {
    const { old, id, params } = await offered();
    const wrong = async () => (await house.ask(openOffer, {}, { params, body: { last4: "0000" } })).status;
    expect([await wrong(), await wrong(), await wrong()]).toEqual([400, 400, 423]);
    expect((await house.ask(openOffer, {}, { params, body: body({}) })).status).toBe(423);
    house.setClock("2026-02-20T10:31:00+08:00");
    expect((await house.ask(openOffer, {}, { params, body: body({}) })).status).toBe(200);
    await house.did(withdrawOffer, { as: clerk }, { params: { id }, body: { reason: "价格有误" } });
    const gone = await house.ask(chooseOffer, {}, { params, body: body({ choice: 0 }) });
    expect(gone).toMatchObject({ status: 410, body: { message: "续租方案已撤回，请联系管家" } });
    const second = await house.did(
      sendOffer,
      { as: clerk },
      { body: { contractId: old.id, choices: CHOICES } },
    );
    house.setClock("2026-03-01T10:00:00+08:00");
    const late = { token: second.path.split("/").at(-1)! };
    expect((await house.ask(readOffer, {}, { params: late })).status).toBe(410);
    expect(await offerIn(old.id)).toBe("expired");
  });

  test("names only what can be signed, and keeps no link", async () => {
    const old = await ending();
    const below = await house.ask(
      sendOffer,
      { as: clerk },
      { body: { contractId: old.id, choices: [{ months: 12, monthlyRent: 1 }] } },
    );
    expect(below.status).toBe(400);
    const { path } = await house.did(
      sendOffer,
      { as: clerk },
      { body: { contractId: old.id, choices: CHOICES } },
    );
    const code = path.split("/").at(-1)!;
    const { rows } = await pool.query(
      "select body from outbox where party_id = $1 order by id desc limit 1",
      [old.partyId],
    );
    expect(rows[0].body).not.toContain(code);
    const kept = await pool.query("select count(*)::int n from renewal_offer where hash::text like $1", [
      `%${code}%`,
    ]);
    expect(kept.rows).toEqual([{ n: 0 }]);
  });
});

test("what is approved first: the keeper hears that it is signed afterwards, and the tenant that he will be called", async () => {
  const { old, params } = await offered();
  const manager = await house.person({ villages: [shop.villageId], name: "陈嘉禾" });
  await aModule(house, await house.person({ superType: "1" }), {
    moduleType: "renewal",
    name: "续租审批",
    villageIds: [shop.villageId],
    fallback: manager,
    processes: [otherwise(asking("店长", [manager]))],
  });
  const { text } = await house.did(chooseOffer, {}, { params, body: body({ choice: 0 }) });
  expect(text).toMatch(/管家将与您联系办理。$/);
  const { rows } = await pool.query(
    "select content from message where title like '%选择了续租方案' order by id desc limit 1",
  );
  expect(rows[0].content).toMatch(/续租单 XZ\d+-\d+ 已提交，审批通过后请发起电子签署。$/);
  const { offers } = await house.did(getRenewal, { as: clerk }, { params: { id: old.id } });
  expect(offers[0]!.answer).toBe("审批通过后请发起电子签署");
});
