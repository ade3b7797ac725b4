import { expect, test } from "vitest";
import { demoPerson, settling, story } from "../browser.sample.ts";

const { house, base, open } = await story({ rooms: 120 });
const SHOTS = process.env["SHOTS"];

test("a request is approved and becomes a contract; an original goes onto its shelf and is lent", async () => {
  const as = await demoPerson(house, "qinghe01");
  const { page, errors } = await open({ as });
  const settled = settling(page);
  const shot = async (name: string) => {
    if (!SHOTS) return;
    await settled();
    await page.screenshot({ path: `${SHOTS}/${name}.png` });
  };
  await page.goto(`${base}/contract/LeaseApplication`);
  await page.getByRole("table").getByText("空置").first().waitFor();
  await shot("apply-list");
  const first = page.getByRole("row").nth(1);
  await first.getByText(/^ZL\d/).click();
  const drawer = page.locator(".drawer");
  await drawer.getByText("审核截止").waitFor();
  await shot("apply-detail");
  await drawer.getByRole("button", { name: "审核通过" }).click();
  const approve = page.getByRole("dialog", { name: /^通过/ });
  await shot("apply-approve");
  await approve.getByRole("button", { name: "通过", exact: true }).click();
  await approve.waitFor({ state: "hidden" });
  await drawer.getByRole("button", { name: "转合同" }).click();
  await page.getByRole("region", { name: "新签租客合同" }).waitFor();
  await shot("apply-contract");
  expect(page.url()).toMatch(/RenterContractPage\?draft=\d+/);

  await page.goto(`${base}/contract/ArchiveManagePage`);
  await page.getByRole("row").nth(1).waitFor();
  await shot("archive-pending");
  await page.getByRole("row").nth(1).getByRole("button", { name: "归档", exact: true }).click();
  const store = page.getByRole("dialog", { name: /^归档/ });
  await store.getByLabel("仓库").fill("A");
  await store.getByLabel("柜").fill("03");
  await store.getByLabel("层").fill("2");
  await shot("archive-store");
  await store.getByRole("button", { name: "归档", exact: true }).click();
  await store.waitFor({ state: "hidden" });
  await page.getByRole("tab", { name: /在库/ }).click();
  await page.getByText("A-03-2").first().waitFor();
  await shot("archive-in");
  expect(errors).toEqual([]);
});
