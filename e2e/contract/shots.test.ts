import { expect, test } from "vitest";
import {
  aSigningShop,
  codeSent,
  LAST4,
  phoneOf,
  toSign,
  started,
  partySigns,
} from "../../domains/contract/esign/esign.sample.ts";
import { setSeal, waitingSeals } from "../../domains/contract/esign/esign.contract.ts";
import { PHONE, story } from "../browser.sample.ts";
const { house, base, open } = await story({ rooms: 40 });
const shop = await aSigningShop(house, { village: "电子签店" });
const S = "/tmp/shots/esign-";
test("shots", async () => {
  const { id, partyId } = await toSign(house, shop, { start: "2027-03-01" });
  const token = await started(house, shop.clerk, id);
  for (const [name, size, theme] of [
    ["390", PHONE, "light"],
    ["1280", { width: 1280, height: 800 }, "dark"],
  ] as const) {
    const { page, errors } = await open({ size, theme });
    await page.emulateMedia({ colorScheme: theme });
    await page.goto(base.replace("/sams", `/esign/s/${token}`));
    await page.getByLabel("证件号后四位").waitFor();
    await page.screenshot({ path: `${S}open-${name}.png` });
    await page.getByLabel("证件号后四位").fill(LAST4);
    await page.keyboard.press("Enter");
    await page.getByRole("article", { name: "合同正文" }).waitFor();
    await page.screenshot({ path: `${S}read-${name}.png`, fullPage: true });
    if (name === "390") await page.screenshot({ path: `${S}top-${name}.png` });
    console.log(errors);
  }
  const desk = await open({ as: shop.clerk });
  await desk.page.goto(`${base}/contract/RenterContractPage?id=${id}`);
  await desk.page.getByRole("button", { name: "重新发送" }).first().waitFor();
  await desk.page.screenshot({ path: `${S}drawer.png` });
  const two = await toSign(house, shop, { start: "2027-03-01" });
  const key = await partySigns(house, await started(house, shop.clerk, two.id), two.partyId);
  for (const [name, size, theme] of [
    ["390", PHONE, "light"],
    ["1280", { width: 1280, height: 800 }, "dark"],
  ] as const) {
    const { page } = await open({ size, theme });
    await page.goto(`${base}/signsuccess?key=${key}`);
    await page.getByText("待企业盖章").first().waitFor();
    await page.screenshot({ path: `${S}sealing-${name}.png`, fullPage: true });
    if (name === "390") {
      const { list } = await house.did(waitingSeals, { as: shop.keeper }, { query: {} });
      void list;
    }
  }
  const { list } = await house.did(waitingSeals, { as: shop.keeper }, { query: {} });
  await house.did(setSeal, { as: shop.keeper }, { params: { id: list[0]!.id }, body: {} });
  const done = await open({ size: PHONE });
  await done.page.goto(`${base}/signsuccess?key=${key}`);
  await done.page.getByText("签署已完成").first().waitFor();
  await done.page.screenshot({ path: `${S}done-390.png`, fullPage: true });
  await desk.page.goto(`${base}/contract/RenterContractPage?id=${two.id}&part=papers`);
  await desk.page.getByText("待签文件").first().waitFor();
  await desk.page.screenshot({ path: `${S}papers.png` });
  const { rows } = await house.database.pool.query(
    "select f.storage_key k from sign_flow w join contract_document d on d.id = w.signed_document_id join stored_file f on f.id = d.file_id where w.contract_id = $1",
    [two.id],
  );
  (await import("node:fs")).writeFileSync("/tmp/shots/esign.pdf", await house.files.get(rows[0].k));
  const th = await toSign(house, shop, { start: "2027-03-01" });
  await desk.page.goto(`${base}/contract/RenterContractPage?id=${th.id}`);
  await desk.page.getByRole("button", { name: "发起电子签署" }).first().click();
  await desk.page.getByText("签署链接已发送至").first().waitFor();
  await desk.page.screenshot({ path: `${S}link.png` });
  void [codeSent, phoneOf, expect, partyId];
});
