import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aBuilding, aFlat } from "../../listing/village/village.sample.ts";
import { rowsOf } from "../../system/download/download.sample.ts";
import { loseLead } from "./acts.contract.ts";
import { exportLeads, listLeads } from "./lead.contract.ts";
import { aLead, aLettingOffice } from "./lead.sample.ts";

const house = await testHouse();
house.setClock("2026-11-20T09:15:00+08:00");
const { here, zhao, head } = await aLettingOffice(house);

test("an export writes how many rooms suit each lead; the list does not wait for it", async () => {
  const at = await aBuilding(house, here);
  for (const name of ["1201", "1202"]) await aFlat(house, at, { name, listPrice: 300_000 });
  await aLead(house, zhao, here, { name: "沈知夏", budgetTo: 300_000 });
  await aLead(house, zhao, here, { name: "许晴", budgetTo: 100_000 });
  const lost = await aLead(house, zhao, here, { name: "梁川" });
  await house.did(
    loseLead,
    { as: zhao },
    { params: { id: lost }, body: { version: 1, lostReason: "价格过高" } },
  );

  const { list } = await house.did(listLeads, { as: head }, { query: {} });
  expect(list.map((lead) => lead.matches)).toEqual([null, null, null]);

  const query = { columns: "name,matches", usage: "核对客源" };
  const sheet = await house.ask(exportLeads, { as: head }, { query } as never);
  const rows = await rowsOf(sheet.raw);
  expect(rows).toContainEqual(["姓名", expect.stringContaining("匹配房源")]);
  expect(rows).toContainEqual(["沈知夏", 2]);
  expect(rows).toContainEqual(["许晴", 0]);
  expect(rows.find(([name]) => name === "梁川")?.[1] ?? null).toBeNull();
});

test("the head of an export calls people and dictionary words by name, both ends of a period and money in yuan", async () => {
  const { list } = await house.did(listLeads, { as: zhao }, { query: {} });
  const query = {
    ownerId: String(list[0]!.ownerId),
    source: "walkIn",
    createdFrom: "2026-11-01",
    createdTo: "2026-11-20",
    budgetFrom: "250000",
    keyword: "沈",
    usage: "核对客源",
  };
  const sheet = await house.ask(exportLeads, { as: head }, { query } as never);
  const [[said]] = (await rowsOf(sheet.raw)) as [[string]];
  expect(said.split("　　")[0]).toBe(
    "筛选：范围 全部客源；来源 上门；负责人 赵思源；登记时间起 2026-11-01；登记时间止 2026-11-20；预算起 2500.00；关键字 沈",
  );
});
