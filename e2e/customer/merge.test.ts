import { expect, test } from "vitest";
import { aRenter, anIdNumber } from "../../domains/customer/renter/renter.sample.ts";
import { choose, DESK, demoPerson, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const manager = await demoPerson(house, "dianzhang01");
const { db } = house.database;
const village = await db.selectFrom("village").select("id").orderBy("id").executeTakeFirstOrThrow();

test("two records of one tenant become one, value by value; two verified certificates stay apart", async () => {
  const { page, errors } = await open({ as: manager, size: DESK, theme: "dark" });
  const settled = settling(page);
  const one = await aRenter(house, village.id, { name: "洛宁", phone: "13799991001" });
  const two = await aRenter(house, village.id, {
    name: "洛宁宁",
    phone: "13799991002",
    email: "luoning@example.com",
    occupation: "测绘员",
    certNo: anIdNumber("1990-01-01"),
  });
  const turn = (verify: "verified" | "unverified") =>
    db.updateTable("renter").set({ verify }).where("id", "in", [one, two]).execute();
  await turn("verified");

  await page.goto(`${base}/configuration/RenterManage?id=${one}`);
  await settled();
  const record = page.getByRole("dialog", { name: /^洛宁/ }).first();
  const merging = () => record.getByRole("button", { name: "合并" }).click();
  await merging();
  const merge = page.getByRole("dialog", { name: "合并租客" });
  const other = merge.getByRole("combobox");
  await choose(() => other.fill("洛宁宁"), page.locator(".ant-select-item-option", { hasText: "洛宁宁" }));
  await merge.getByText("两条记录的证件均已核验且不一致，不能合并").first().waitFor();
  await merge.getByRole("button", { name: "取消" }).click();
  await turn("unverified");

  await page.reload();
  await settled();
  await merging();
  await choose(() => other.fill("洛宁宁"), page.locator(".ant-select-item-option", { hasText: "洛宁宁" }));
  // what the kept record lacks is chosen from the other
  const row = (title: string) => merge.getByRole("row", { name: new RegExp(`^${title}`) });
  await expect.poll(() => row("邮箱").getByRole("radio").last().isChecked()).toBe(true);
  await expect.poll(() => row("手机").getByRole("radio").first().isChecked()).toBe(true);
  await row("姓名").getByRole("radio").last().check();
  await merge.getByLabel("合并原因").fill("重复登记");
  await merge.getByRole("button", { name: "合并", exact: true }).click();
  await merge.waitFor({ state: "hidden" });
  const kept = await db
    .selectFrom("party as p")
    .innerJoin("renter as r", "r.id", "p.id")
    .select(["p.name", "p.phone", "r.email"])
    .where("p.id", "=", one)
    .executeTakeFirstOrThrow();
  expect(kept).toEqual({ name: "洛宁宁", phone: "13799991001", email: "luoning@example.com" });
  const gone = await db.selectFrom("renter").select("mergedIntoId").where("id", "=", two).executeTakeFirst();
  expect(gone?.mergedIntoId).toBe(one);
  expect(errors).toEqual([]);
});
