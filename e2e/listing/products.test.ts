import { expect, test } from "vitest";
import { demoPerson, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const head = await demoPerson(house, "qinghe01");
const one = async <T>(text: string, values: unknown[] = []) =>
  (await house.database.pool.query<{ value: T }>(text, values)).rows[0]?.value;

test("a room type is added with its ways of paying, gets rooms, and a new price reaches them", async () => {
  const { page, errors } = await open({ as: head, size: { width: 1440, height: 900 } });
  await page.goto(`${base}/configuration/Product?action=1`);
  const form = page.getByRole("dialog", { name: "新增产品" });
  await form.getByLabel("产品编码").fill("CP-E2E");
  await form.getByLabel("产品名称").fill("河景一居");
  await form.getByRole("button", { name: "全部", exact: true }).click();
  await form.getByLabel("标价", { exact: true }).fill("3000");
  await form.getByLabel("底价", { exact: true }).fill("3100");
  await form.getByLabel("押一付三 租金调整").fill("-5");
  await form.getByText("2,850.00").waitFor();
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByText("底价不能高于标价").first().waitFor();
  await form.getByLabel("底价", { exact: true }).fill("2800");
  await form.getByRole("button", { name: "保存" }).click();

  const record = page.getByRole("dialog", { name: "河景一居" }).first();
  await record.getByText("押一付三 2,850.00").waitFor();
  await record.getByRole("button", { name: "关联房间" }).click();
  const rooms = page.getByRole("dialog", { name: "关联房间 河景一居" });
  await rooms.locator("li input[type=checkbox]").first().check();
  await rooms.getByRole("radio", { name: "改为跟随产品" }).click();
  await rooms.getByRole("button", { name: "保存" }).click();
  await rooms.waitFor({ state: "detached" });

  await record.getByRole("button", { name: "调价" }).click();
  const price = page.getByRole("dialog", { name: "调价 河景一居" });
  await price.getByLabel("标价", { exact: true }).fill("3150");
  await price.getByRole("button", { name: "调价", exact: true }).click();
  await price.waitFor({ state: "detached" });
  await expect
    .poll(() =>
      one<number>(
        `select p.list_price::int value from room r join product d on d.id = r.product_id
         join room_price p on p.room_id = r.id where d.code = 'CP-E2E' order by p.effective_day desc limit 1`,
      ),
    )
    .toBe(315_000);

  // the rooms of one store open as rooms of that store
  const villageId = await one<string>(
    "select r.village_id::text value from room r join product d on d.id = r.product_id where d.code = 'CP-E2E'",
  );
  await page.goto(`${base}/configuration/Product?villageIds=${villageId}&keyword=CP-E2E`);
  await page
    .getByRole("row", { name: /河景一居/ })
    .getByRole("link", { name: "1", exact: true })
    .first()
    .click();
  await page.waitForURL(`**/configuration/ApartmentManage?*villageIds=${villageId}*`);
  expect(errors).toEqual([]);
});
