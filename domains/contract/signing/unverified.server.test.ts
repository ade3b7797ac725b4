import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { writeContractConfig } from "../config/config.contract.ts";
import { CONFIG_DEFAULTS, type VerifyRule } from "../config/config.rules.ts";
import { aForm, aRoom, aShop } from "../contract/contract.sample.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { submitContract } from "./signing.contract.ts";

const house = await testHouse();
house.setClock("2026-11-01T10:00:00+08:00");
const shop = await aShop(house);
const as = shop.clerk;
const boss = await house.person({
  permits: ["95.edit", "110.edit", "13.edit", "9.query"],
  villages: [shop.villageId],
});
let version = 0;
const rule = async (verifyRule: VerifyRule) => {
  const body = { ...CONFIG_DEFAULTS, defaultTerms: {}, verifyRule, version };
  const query = { villageId: shop.villageId };
  ({ version } = await house.did(writeContractConfig, { as: boss }, { query, body }));
};
let rooms = 0;
async function draft() {
  const roomId = await aRoom(house, shop.building, `U${++rooms}`, 30);
  const { id } = await house.did(
    createContract,
    { as },
    { body: aForm({ ...shop, roomId }, { start: "2026-11-15" }) },
  );
  return { id, preview: await house.did(previewContract, { as }, { body: { id } }) };
}
const handIn = (id: number, previewHash: string) =>
  house.ask(submitContract, { as, key: randomUUID() }, { params: { id }, body: { previewHash } });
const renter = () =>
  house.database.db
    .selectFrom("party")
    .select(["name"])
    .where("id", "=", shop.partyId)
    .executeTakeFirstOrThrow();

test("an unverified renter is asked about, or refused where the store wants it so", async () => {
  const { name } = await renter();
  const text = `${name}未登记证件`;
  const { id, preview } = await draft();
  expect(preview).toMatchObject({ unverified: text, obstacles: [] });
  expect((await handIn(id, preview.previewHash)).status).toBe(200);
  const { rows } = await house.database.pool.query(
    "select summary from business_log where kind = 'contract' and record_id = $1",
    [id],
  );
  expect(rows.map((l) => l.summary).join()).toContain(text);

  await rule("refuse");
  const next = await draft();
  expect(next.preview.obstacles).toEqual([{ code: "unverified", msg: `${text}，核验后才能签约` }]);
  const refused = await handIn(next.id, next.preview.previewHash);
  expect([refused.status, refused.body.message]).toEqual([422, `${text}，核验后才能签约`]);

  await house.database.pool.query(
    "update renter set cert_type = 'idCard', cert_no_masked = '310***********1234', verify = 'verified' where id = $1",
    [shop.partyId],
  );
  const checked = await house.did(previewContract, { as }, { body: { id: next.id } });
  expect(checked).toMatchObject({ unverified: null, obstacles: [] });
  expect((await handIn(next.id, checked.previewHash)).status).toBe(200);
});
