import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { readSignConfig, writeSignConfig } from "../config/sign.contract.ts";
import { readContractConfig } from "../config/config.contract.ts";
import { aForm, aScan, aShop, submitted } from "../contract/contract.sample.ts";
import { signOfflineContract } from "./signing.contract.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house);
const other = await aShop(house);
const permits = ["95.query", "95.edit"];
const as = await house.person({ permits, villages: [shop.villageId] });
const boss = await house.person({ superType: "1" });
const query = { villageId: shop.villageId };
const read = (villageId = shop.villageId) =>
  house.did(readSignConfig, { as: boss }, { query: { villageId } });
const bodyOf = async (more: object) => {
  const { source: _s, villageId: _v, editable: _e, updatedAt: _a, updatedBy: _b, ...values } = await read();
  return { ...values, ...more };
};

test("a store has its own way of signing; another follows the enterprise's, then the product's", async () => {
  expect(await read()).toMatchObject({ source: "platform", linkHours: 72, readSeconds: 10, version: 0 });
  const mine = { as: boss };
  const whole = { query: {}, body: await bodyOf({ linkHours: 48 }) };
  await house.did(writeSignConfig, mine, whole);
  expect(await read()).toMatchObject({ source: "enterprise", linkHours: 48, version: 0 });
  await house.did(writeSignConfig, { as }, { query, body: await bodyOf({ linkHours: 24 }) });
  expect(await read()).toMatchObject({ source: "village", linkHours: 24, version: 1 });
  expect(await read(other.villageId)).toMatchObject({ source: "enterprise", linkHours: 48 });
  const stale = { query, body: await bodyOf({ version: 0 }) };
  expect((await house.ask(writeSignConfig, { as }, stale)).status).toBe(409);
  // the set of its own took over what held: its other parameters are the enterprise's still
  expect(await house.did(readContractConfig, { as: boss }, { query })).toMatchObject({
    source: "village",
    holdDays: 7,
  });
});

test.each([
  [{ linkHours: 0 }, "linkHours", "请输入1到168之间的整数"],
  [{ linkHours: 169 }, "linkHours", "请输入1到168之间的整数"],
  [{ readSeconds: 61 }, "readSeconds", "请输入0到60之间的整数"],
  [{ timestampUrl: "ftp://x" }, "timestampUrl", "请输入以 http:// 或 https:// 开头的地址"],
])("%j is refused", async (more, field, msg) => {
  const { body } = await house.ask(writeSignConfig, { as }, { query, body: await bodyOf(more) });
  expect(body.fields).toEqual([{ field, msg }]);
});

test("where signing on paper is not allowed, a scan confirms nothing", async () => {
  await house.did(writeSignConfig, { as }, { query, body: await bodyOf({ offlineAllowed: false }) });
  const { id, preview } = await submitted(house, shop.clerk, aForm(shop));
  const sign = async () =>
    house.ask(
      signOfflineContract,
      { as: shop.clerk, key: crypto.randomUUID() },
      {
        params: { id },
        body: {
          fileIds: [await aScan(house, shop.clerk)],
          signedOn: "2026-03-12",
          previewHash: preview.previewHash,
        },
      },
    );
  const refused = await sign();
  expect([refused.status, refused.body.message]).toEqual([409, "该门店不允许线下签署，请发起电子签署"]);
  await house.did(writeSignConfig, { as }, { query, body: await bodyOf({ offlineAllowed: true }) });
  expect((await sign()).status).toBe(200);
});
