import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { setProductRooms } from "../../listing/product/price.contract.ts";
import { addProduct } from "../../listing/product/product.contract.ts";
import { aProduct } from "../../listing/product/product.sample.ts";
import { aForm, aRoom, aShop, signed } from "../contract/contract.sample.ts";
import { createContract, formData } from "../drafting/draft.contract.ts";
import { usualTerms } from "../drafting/drafting.rules.ts";
import { submitContract } from "../signing/signing.contract.ts";
import { previewContract } from "./preview.contract.ts";

const house = await testHouse();
const TODAY = "2026-03-12";
house.setClock(`${TODAY}T10:00:00+08:00`);
const { pool } = house.database;
const shop = await aShop(house);
const head = await house.person({
  permits: ["4.add", "4.edit", "4.get", "#601"],
  villages: [shop.villageId],
});
const fee = async (code: string): Promise<number> =>
  (
    await pool.query("select id from fee_subject where enterprise_id = $1 and code = $2", [
      house.enterpriseId,
      code,
    ])
  ).rows[0].id;
const [property, net, power] = [await fee("property"), await fee("network"), await fee("service")];

const roomId = await aRoom(house, shop.building, "P1");
const { id: productId } = await house.did(
  addProduct,
  { as: head },
  {
    body: aProduct([shop.villageId], {
      effectiveDay: TODAY,
      lowestPrice: 280_000,
      minTermMonths: 6,
      maxTermMonths: 24,
      fees: [
        { subjectId: property, way: "amount", amount: 15_000, cycle: "month" },
        { subjectId: net, way: "amount", amount: 5000, cycle: "period" },
        { subjectId: power, way: "unit", unitPrice: "0.85", cycle: "month" },
      ],
    }),
  },
);
await house.did(
  setProductRooms,
  { as: head },
  { params: { id: productId }, body: { add: [roomId], ownPrice: "follow", version: 1 } },
);
const card = async () => {
  const query = { villageId: shop.villageId, roomIds: String(roomId), partyId: shop.partyId };
  return (await house.did(formData, { as: shop.clerk }, { query })).rooms[0]!;
};
const blank = (months: number) => aForm({ ...shop, roomId }, { start: "2026-03-15", rent: 300_000, months });
const drafted = async (form: ReturnType<typeof blank>) => {
  const { id } = await house.did(createContract, { as: shop.clerk }, { body: form });
  return { id, answer: await house.ask(previewContract, { as: shop.clerk }, { body: { id } }) };
};

test("fixed fees of the product are proposed, what is charged by readings is not", async () => {
  const form = { ...blank(12), ...usualTerms(blank(12), await card()) };
  expect(form.fees.map((f) => [f.feeId, f.amount, f.cycleMonths])).toEqual([
    [property, 15_000, 1],
    [net, 5000, undefined],
  ]);
  const { answer } = await drafted(form);
  expect(answer.body.data).toMatchObject({
    warnings: expect.not.arrayContaining([expect.stringContaining("约定")]),
  });
  const { rows } = await pool.query("select fees from product where id = $1", [productId]);
  expect(rows[0].fees).toHaveLength(3);
});

test("fees that are left out or lowered are pointed out before signing", async () => {
  const form = { ...blank(12), ...usualTerms(blank(12), await card()) };
  const { answer } = await drafted({ ...form, fees: [{ ...form.fees[0]!, amount: 10_000 }] });
  const { warnings } = answer.body.data as { warnings: string[] };
  expect(warnings.filter((w) => w.includes("约定"))).toEqual([
    expect.stringMatching(/低于雅致一居约定的 150\.00$/),
    expect.stringMatching(/^没有收取雅致一居约定的/),
  ]);
});

test("a term outside the product's bounds is refused by the server too; the room's own minimum goes before", async () => {
  const short = await drafted(blank(3));
  expect(short.answer.body.fields).toEqual([
    { field: "end", msg: expect.stringMatching(/P1 的租期不能短于 6 个月$/) },
  ]);
  const handedIn = await house.ask(
    submitContract,
    { as: shop.clerk },
    { params: { id: short.id }, body: { previewHash: "0".repeat(64) } as never },
  );
  expect(handedIn.status).toBe(400);
  const long = await drafted(blank(36));
  expect(long.answer.body.fields).toEqual([
    { field: "end", msg: expect.stringMatching(/P1 的租期不能超过 24 个月$/) },
  ]);
  await pool.query("update room set min_term_months = 3 where id = $1", [roomId]);
  const { id } = await signed(house, shop.clerk, blank(3), TODAY);
  expect(id).toBeGreaterThan(0);
});
