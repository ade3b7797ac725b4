import { expect, test } from "vitest";
import type { Locator } from "playwright-core";
import { dayInZone } from "../../platform/kernel/day.ts";
import { decideExamine, getExamine } from "../../domains/approval/examine/examine.contract.ts";
import { aModule, asking, otherwise } from "../../domains/approval/module/module.sample.ts";
import { aRoom, aShop } from "../../domains/contract/contract/contract.sample.ts";
import { setProductRooms } from "../../domains/listing/product/price.contract.ts";
import { addProduct } from "../../domains/listing/product/product.contract.ts";
import { aProduct } from "../../domains/listing/product/product.sample.ts";
import { aVillage } from "../../domains/listing/village/village.sample.ts";
import { facilityDic } from "../../domains/system/dic/dic.contract.ts";
import { faultsInBoth } from "../axe.sample.ts";
import { demoPerson, PHONE, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const head = await demoPerson(house, "qinghe01");
const shop = await aShop(house, { permits: ["#601"], village: "调价店" });
const { villageId } = shop;
const otherId = await aVillage(house);
const pages = [...["query", "get", "add", "edit"].flatMap((p) => [`4.${p}`, `6.${p}`]), "#601"];
const manager = await house.person({ permits: pages, villages: [villageId, otherId], name: "陈店长" });
await aModule(house, head, {
  moduleType: "priceChange",
  name: "调价店审批",
  villageIds: [villageId],
  fallback: head,
  processes: [
    {
      name: "10% 以上",
      conditions: [{ field: "percent", op: "gte", value: 10 }],
      nodes: [asking("企业管理员", [head])],
    },
    otherwise(),
  ],
});
const { id: productId } = await house.did(
  addProduct,
  { as: manager },
  {
    body: aProduct([villageId], {
      code: "CP-TJ",
      name: "河景一居",
      listPrice: 310_000,
      lowestPrice: 250_000,
      effectiveDay: dayInZone(new Date(), "Asia/Shanghai"),
    }),
  },
);
/** Rooms at 3,000.00 of their own under a product at 3,100.00. */
const rooms = await Promise.all(["801", "802", "803", "804"].map((n) => aRoom(house, shop.building, n)));
await house.did(
  setProductRooms,
  { as: manager },
  { params: { id: productId }, body: { add: rooms, ownPrice: "keep", version: 1 } },
);
const ROOMS = `${base}/configuration/ApartmentManage?view=room`;
const rowOf = async <T extends object>(text: string, values: unknown[] = []) =>
  (await house.database.pool.query<T>(text, values)).rows[0]!;

/** An amount shows its plain digits once it is being typed in. */
async function write(field: Locator, text: string) {
  await field.focus();
  await expect.poll(() => field.inputValue()).not.toContain(",");
  await field.fill(text);
}

test("a price above the limit is handed in from the room's drawer, holds, and counts once it is approved", async () => {
  const { page, errors } = await open({ as: manager });
  await page.goto(`${ROOMS}&id=${rooms[0]}&part=prices`);
  const drawer = page.getByRole("dialog").first();
  await drawer.getByText("自有价格").waitFor();
  await drawer.getByRole("button", { name: "改价", exact: true }).click();
  const form = page.getByRole("dialog", { name: /^改价/ });
  await form.getByRole("button", { name: "改价", exact: true }).waitFor();
  await write(form.getByLabel("标价"), "3600");
  await form.getByText("3,000.00 → 3,600.00 元/月").waitFor();
  await form.getByText("需要审批：企业管理员，通过后生效").waitFor();
  await form.getByLabel("调价原因").fill("重新装修");
  await form.getByRole("button", { name: "提交审批" }).click();
  await page.getByText(/已提交审批 SP.*，通过后生效/).waitFor();
  await drawer.getByText("审批中").waitFor();
  await drawer.getByText(/起 3,600.00/).waitFor();

  const { id } = await rowOf<{ id: number }>("select id::int id from examine order by id desc limit 1");
  const { version } = await house.did(getExamine, { as: head }, { params: { id } });
  await house.did(
    decideExamine,
    { as: head, key: "story-price" },
    { params: { id }, body: { decision: "approve", comment: "同意", version } },
  );
  await page.reload();
  await drawer.getByRole("cell", { name: "3,600.00" }).waitFor();
  expect(errors).toEqual([]);
});

test("a room takes its product's price again; a phone shows what that does", async () => {
  const { page, errors } = await open({ as: manager, size: PHONE });
  await page.goto(`${ROOMS}&id=${rooms[1]}&part=prices`);
  const drawer = page.getByRole("dialog").first();
  await drawer.getByRole("button", { name: "恢复跟随产品" }).click();
  const form = page.getByRole("dialog", { name: /^恢复跟随产品/ });
  await form.getByText("3,000.00 → 3,100.00 元/月").waitFor();
  await form.getByRole("button", { name: "恢复跟随产品" }).click();
  await page.getByText("已恢复跟随产品").waitFor();
  await drawer.getByText("跟随产品 · 河景一居").waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(wide).toBeLessThanOrEqual(0);
  expect(errors).toEqual([]);
});

test("a product's new price says what it does to its rooms, and is handed in where that needs approval", async () => {
  const { page, errors } = await open({ as: manager });
  await page.goto(`${base}/configuration/Product?id=${productId}`);
  await page.getByRole("dialog").first().getByRole("button", { name: "调价", exact: true }).click();
  const form = page.getByRole("dialog", { name: "调价 河景一居" });
  await write(form.getByLabel("标价", { exact: true }), "3500");
  await form.getByText("1 间跟随房间，1 间变价，均价 3,100.00 → 3,500.00").waitFor();
  await form.getByLabel("调价原因").fill("旺季调价");
  await form.getByRole("button", { name: "提交审批" }).click();
  await page.getByText(/已提交审批 SP.*，通过后生效/).waitFor();
  await page.goto(`${base}/configuration/BatchAdjustPrice?kind=product`);
  await page.getByText("产品 河景一居 的 1 间跟随房间").waitFor();
  await page.getByText("标价 3,500.00 元/月").waitFor();
  expect(errors).toEqual([]);
});

test("the ways of paying of a room's product stand in the contract form, and the rent follows them", async () => {
  const { page, errors } = await open({ as: shop.clerk, size: { width: 1440, height: 900 } });
  await page.goto(`${base}/contract/RenterContractPage?draft=new&villageId=${villageId}&roomId=${rooms[2]}`);
  await page.getByRole("button", { name: "从今天起租" }).click();
  await page.getByRole("button", { name: "下一步：客户" }).click();
  await page.getByRole("button", { name: "下一步：条款" }).click();
  const ways = page.getByRole("radiogroup", { name: "付款方式" });
  await ways.getByRole("radio", { name: "押一付三", checked: true }).waitFor();
  await ways.getByRole("radio", { name: "押一付十二 −5%" }).click();
  await page.getByText("月租金建议 2,850.00，可以修改").waitFor();
  await expect.poll(() => page.getByLabel("月租金").inputValue()).toBe("2,850.00");
  // what somebody types stays, whichever way is chosen afterwards
  await write(page.getByLabel("月租金"), "4321");
  await page.getByLabel("月租金").blur();
  await ways.getByRole("radio", { name: "押一付三" }).click();
  await page.getByText("月租金建议 3,000.00，可以修改").waitFor();
  await expect.poll(() => page.getByLabel("月租金").inputValue()).toBe("4,321.00");
  expect(errors).toEqual([]);
});

test("a facility of one store is not offered in the product form of another", async () => {
  await house.did(
    facilityDic.add,
    { as: head },
    { body: { group: "room", name: "新风系统", icon: "wind", villageIds: [villageId] } },
  );
  const { page, errors } = await open({ as: manager });
  const { id: elsewhere } = await house.did(
    addProduct,
    { as: manager },
    {
      body: aProduct([otherId], {
        code: "CP-B",
        name: "别处一居",
        effectiveDay: dayInZone(new Date(), "Asia/Shanghai"),
      }),
    },
  );
  const offered = async (id: number) => {
    await page.goto(`${base}/configuration/Product?id=${id}`);
    await page.getByRole("dialog").first().getByRole("button", { name: "编辑", exact: true }).click();
    const form = page.getByRole("dialog", { name: /^编辑/ });
    await form.getByLabel("设施").click();
    await form.getByLabel("设施").fill("新风");
    return page.locator(".ant-select-item-option-content");
  };
  await (await offered(productId)).getByText("新风系统").waitFor();
  const options = await offered(elsewhere);
  await page.locator(".ant-select-item-empty").waitFor();
  await expect.poll(() => options.getByText("新风系统").count()).toBe(0);
  expect(errors).toEqual([]);
});

test("the forms of a price can be read by everybody, light and dark", async () => {
  const { page } = await open({ as: manager, theme: "system" });
  const settled = settling(page);
  await page.goto(`${ROOMS}&id=${rooms[3]}&part=prices`);
  const drawer = page.getByRole("dialog").first();
  await drawer.getByText("自有价格").waitFor();
  await drawer.getByRole("button", { name: "改价", exact: true }).click();
  const form = page.getByRole("dialog", { name: /^改价/ });
  await write(form.getByLabel("标价"), "6000");
  await form.getByText(/需要审批：/).waitFor();
  await settled();
  expect(await faultsInBoth(page)).toEqual([]);
});
