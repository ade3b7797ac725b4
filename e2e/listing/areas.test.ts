import { expect, test } from "vitest";
import { DESK, PHONE, demoPerson, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 240 });
const head = await demoPerson(house, "qinghe01");

test("a corridor is copied to the floors above and gets its equipment, in the browser", async () => {
  const { page, errors } = await open({ as: head, size: DESK });
  const village = (await house.database.db.selectFrom("village").select("name").orderBy("id").execute())[0]!;
  await page.goto(`${base}/configuration/addPublicArea?action=1`);
  const form = page.getByRole("dialog", { name: "新增公共区域" });
  const choose = async (text: string) => {
    const shown = page.locator(".ant-select-dropdown:not(.ant-select-dropdown-hidden)");
    await shown.getByTitle(text, { exact: true }).first().click();
  };
  await form.getByLabel("门店").click();
  await choose(village.name);
  await form.getByLabel("楼栋").click();
  await choose("1号楼");
  await form.getByLabel("楼层").click();
  await choose("1F");
  await form.getByLabel("名称").fill("茶水间");
  await form.getByLabel("类型").click();
  await choose("储藏间");
  await form.getByRole("button", { name: "保存" }).click();

  const record = page.getByRole("dialog", { name: "茶水间" });
  await record.getByRole("button", { name: "复制到…" }).click();
  const copy = page.getByRole("dialog", { name: "复制 茶水间" });
  await copy.getByLabel("到楼层").click();
  for (const floor of ["2F", "3F"]) await choose(floor);
  await page.keyboard.press("Escape");
  await copy.getByText("将新增 2 处：茶水间 2F、茶水间 3F").waitFor();
  await copy.getByRole("button", { name: "复制", exact: true }).click();
  await page.getByText("已新增 2 处公共区域").waitFor();

  await record.getByRole("button", { name: "新增资产" }).click();
  const asset = page.getByRole("dialog", { name: "新增资产，位于 茶水间" });
  await asset.getByLabel("资产类别").fill("冰箱");
  await choose("冰箱 180L");
  await asset.getByRole("button", { name: "保存" }).click();
  await record.getByText("1,199.00").first().waitFor();
  await record.getByRole("button", { name: "报损" }).click();
  const reason = page.getByRole("dialog", { name: /报损 冰箱/ });
  await reason.getByRole("textbox").fill("门封条老化");
  await reason.getByRole("button", { name: "确定" }).click();
  await record.getByText("损坏").first().waitFor();
  expect(errors).toEqual([]);
});

test("a room shows what stands in it, also on a phone", async () => {
  const [room] = (
    await house.database.pool.query<{ room_id: number }>(
      "select room_id from room_asset where room_id is not null order by id limit 1",
    )
  ).rows;
  const { page, errors } = await open({ as: head, size: PHONE });
  await page.goto(`${base}/configuration/ApartmentManage?view=room&id=${room!.room_id}&part=assets`);
  await page.getByText("双人床").first().waitFor();
  await page.getByText("资产件数").waitFor();
  expect(errors).toEqual([]);
});

test("a form that its address opens begins with today, also where the server is slow to say what day it is", async () => {
  const { page, errors } = await open({ as: head, size: DESK });
  // who was here before sees the page before the server has answered
  await page.goto(`${base}/configuration/village`);
  await page.getByRole("button", { name: "新增门店" }).waitFor();
  await page.route("**/user/info", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await route.continue();
  });
  await page.goto(`${base}/configuration/village?action=1`);
  const form = page.getByRole("dialog", { name: "新增门店" });
  await form.getByLabel("门店编码").fill("HZ-01");
  const today = await page.evaluate(
    (token) =>
      fetch("/user/info", { headers: { authorization: token } })
        .then((r) => r.json())
        .then((a) => a.data.today as string),
    head.token,
  );
  await expect.poll(() => form.getByLabel("开业日").inputValue()).toBe(today);
  expect(errors).toEqual([]);
});
