import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { signMany } from "../signing/many.service.ts";
import { signOfflineContract } from "../signing/signing.contract.ts";
import { aForm, aRoom, aScan, aShop, submitted } from "./contract.sample.ts";
import { createContract, formData } from "../drafting/draft.contract.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house);
const as = shop.clerk;
const { db, pool } = house.database;
const subjects = await db.selectFrom("feeSubject").select(["id", "code", "name", "kind"]).execute();
const odd = subjects.filter(
  (s) => ["cost", "lateFee", "earnest"].includes(s.kind) || ["rent", "deposit"].includes(s.code),
);
let rooms = 0;
const formWith = async (feeId: number, name = "") =>
  aForm(
    { ...shop, roomId: await aRoom(house, shop.building, `F${++rooms}`) },
    { fees: [{ feeId, name, kind: "recurring", amount: 10_000 }] },
  );
const said = (name: string) => `${name}不能作为合同费用收取，请选择其他费用科目`;

describe("a contract takes as fees what customers can be charged beside rent and deposit", () => {
  test("the form offers no other", async () => {
    const { fees } = await house.did(formData, { as }, { query: { villageId: shop.villageId } });
    const offered = new Set(fees.map((f) => f.feeId));
    expect(odd.filter((s) => offered.has(s.id))).toEqual([]);
  });

  test.each(odd)("a draft with $name is refused under its row", async ({ id, name }) => {
    const { status, body } = await house.ask(createContract, { as }, { body: await formWith(id) });
    expect([status, body.fields]).toEqual([400, [{ field: "fees.0.feeId", msg: said(name) }]]);
  });

  test("a draft from before is refused by the preview, a contract handed in before is not signed", async () => {
    const { id: feeId, name } = odd.find((s) => s.code === "repairCost")!;
    const property = subjects.find((s) => s.code === "property")!;
    const change = (id: number) =>
      pool.query(
        `update contract set terms = jsonb_set(terms, '{fees,0,feeId}', to_jsonb($2::int)) where id = $1`,
        [id, feeId],
      );
    const draft = await house.did(createContract, { as }, { body: await formWith(property.id) });
    await change(draft.id);
    const preview = await house.ask(previewContract, { as }, { body: { id: draft.id } });
    expect(preview.body.fields).toEqual([{ field: "fees.0.feeId", msg: said(name) }]);

    const held = await submitted(house, as, await formWith(property.id));
    await change(held.id);
    const { previewHash } = held.preview;
    const body = { fileIds: [await aScan(house, as)], signedOn: "2026-03-12", previewHash };
    const refused = await house.ask(
      signOfflineContract,
      { as, key: randomUUID() },
      { params: { id: held.id }, body },
    );
    expect([refused.status, refused.body.message]).toEqual([
      409,
      `合同条款无法出账：${said(name)}。请撤回合同，修改后重新提交`,
    ]);
  });

  test("no bill to a customer carries a cost, whoever makes it", async () => {
    const { id, name } = odd.find((s) => s.code === "repairCost")!;
    const { occupants: _, partyId, start, end, ...form } = await formWith(id, name);
    const contract = { ...form, partyId: partyId!, start: start!, end: end!, signedOn: "2026-03-12" };
    await expect(
      acting(house, (act) => signMany(act, [contract]), { villages: [shop.villageId] }),
    ).rejects.toMatchObject({ fields: [{ msg: `${name}是成本科目，不能向客户收取` }] });
  });
});

test("terms that a rule made stricter no longer take are not signed either: a sentence, no failure", async () => {
  const roomId = await aRoom(house, shop.building, "F99");
  const held = await submitted(house, as, aForm({ ...shop, roomId }));
  const step = {
    fromDate: "2026-09-15",
    mode: "amount",
    value: "-5000",
    resultRent: -5000,
    source: "manual",
  };
  await pool.query(`update contract set terms = jsonb_set(terms, '{steps}', $2) where id = $1`, [
    held.id,
    JSON.stringify([step]),
  ]);
  const body = {
    fileIds: [await aScan(house, as)],
    signedOn: "2026-03-12",
    previewHash: held.preview.previewHash,
  };
  const refused = await house.ask(
    signOfflineContract,
    { as, key: randomUUID() },
    { params: { id: held.id }, body },
  );
  expect([refused.status, refused.body.message]).toEqual([
    409,
    "合同条款无法出账：金额必须大于0。请撤回合同，修改后重新提交",
  ]);
});
