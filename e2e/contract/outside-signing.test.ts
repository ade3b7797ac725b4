import { afterAll, expect, test } from "vitest";
import { anEsign, APP } from "../../domains/contract/outside-signing/esign-cn.sample.ts";
import { tend } from "../../domains/contract/outside-signing/tend.service.ts";
import { contractSignings } from "../../domains/contract/esign/esign.contract.ts";
import { toSign } from "../../domains/contract/esign/esign.sample.ts";
import { aShop } from "../../domains/contract/contract/contract.sample.ts";
import { story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 40 });
const esign = await anEsign(() => new Date());
afterAll(() => esign.close());
const shop = await aShop(house, { village: "外签店", permits: ["95.query", "95.edit"] });

test("a store is set to sign at e签宝; its contract is sent there, signed there, and comes into force", async () => {
  const { page, errors } = await open({ as: shop.clerk });
  await page.goto(`${base}/system/ContractManagement?tab=sign`);
  await page.getByRole("combobox").first().click();
  await page.getByText("外签店", { exact: true }).last().click();
  await page.getByRole("button", { name: "单独设置" }).click();
  const form = page.getByRole("dialog", { name: "签署设置" });
  await form.getByText("内置", { exact: true }).click();
  await page.getByText("e签宝", { exact: true }).last().click();
  await form.getByText("应用所属企业在e签宝自动盖章").waitFor();
  await form.getByLabel("应用ID").fill(APP.appId);
  await form.getByLabel("接口地址").fill(esign.endpoint);
  await form.getByRole("button", { name: "保存" }).click();
  await form.getByText("请输入应用密钥").first().waitFor();
  await form.getByLabel("应用密钥").fill(APP.secret);
  await form.getByRole("button", { name: "保存" }).click();
  await page.getByText("签署设置已保存").waitFor();
  await page.getByRole("button", { name: "测试连接" }).click();
  await page.getByText("连接成功，e签宝已受理该应用的请求").waitFor();
  expect(await page.content()).not.toContain(APP.secret);
  // what the provider does in its own way is not asked for
  expect(await page.getByText("手写签名").count()).toBe(0);

  const { id, contractNo } = await toSign(house, shop, { start: "2027-03-01" });
  await page.goto(`${base}/contract/RenterContractPage?id=${id}`);
  const drawer = page.getByRole("dialog", { name: contractNo });
  await drawer.getByRole("button", { name: "发起电子签署" }).click();
  const sent = page.getByRole("dialog", { name: /^电子签署 QS/ });
  await sent.getByText("已提交e签宝，受理后自动向客户发送签署链接").waitFor();
  await sent.getByRole("button", { name: "关闭" }).click();
  // the queue looks for work every two seconds
  const bar = drawer.getByRole("status");
  await bar.getByText("签署中").waitFor({ timeout: 20_000 });
  esign.happens(esign.newest(), { partySigned: true, status: 2 });
  const [signing] = await house.did(contractSignings, { as: shop.clerk }, { params: { id } });
  await tend(house, signing!.id);
  await expect.poll(() => drawer.getByText("待生效").first().isVisible(), { timeout: 8_000 }).toBe(true);
  // the secret that was left out
  expect(errors.filter((e) => !e.includes("400"))).toEqual([]);
});
