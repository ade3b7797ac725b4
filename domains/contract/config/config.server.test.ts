import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { addBill } from "../../finance/bill-acts/acts.contract.ts";
import { aParty } from "../../finance/bill/bill.sample.ts";
import { getBill } from "../../finance/bill-list/bill.contract.ts";
import { readBillingSetting } from "../../finance/setting/setting.contract.ts";
import { formData } from "../drafting/draft.contract.ts";
import { aForm, aShop, signed } from "../contract/contract.sample.ts";
import {
  listContractConfigs,
  readContractConfig,
  removeContractConfig,
  writeContractConfig,
  writeLateFeeTerms,
} from "./config.contract.ts";
import { CONFIG_DEFAULTS } from "./config.rules.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house);
const other = await aShop(house);
const query = { villageId: shop.villageId };
const permits = ["95.query", "95.edit", "252.query", "252.edit", "26.add", "26.get", "26.query"];
const as = await house.person({ permits, villages: [shop.villageId] });
const boss = await house.person({ permits, villages: [shop.villageId, other.villageId] });
const summaries = async () =>
  (
    await house.database.pool.query<{ summary: string }>(
      "select summary from business_log where kind = 'contractConfig' order by id desc",
    )
  ).rows.map((r) => r.summary);

test("grace 5 from tomorrow: what was signed keeps 3, what is made from then on has 5", async () => {
  const { id: contractId } = await signed(house, shop.clerk, aForm(shop), "2026-03-12");
  const partyId = await aParty(house, "散客", { villageId: shop.villageId });
  const { rows: subjects } = await house.database.pool.query<{ id: number }>(
    "select id from fee_subject where code = 'cleaning' limit 1",
  );
  const oneOff = async () => {
    const line = { feeSubjectId: subjects[0]!.id, price: 10_000, quantity: "1" };
    const days = { periodStart: "2026-03-12", periodEnd: "2026-03-12" };
    const body = { villageId: shop.villageId, partyId, title: "保洁", dueDate: "2026-03-20" };
    const { id } = await house.did(
      addBill,
      { as, key: randomUUID() },
      { body: { ...body, lines: [{ ...line, ...days }] } },
    );
    return (await house.did(getBill, { as }, { params: { id } })).graceDays;
  };
  const terms = { graceDays: 5, lateFeeDailyRate: "0.05", lateFeeCapPercent: 100 };
  const { version } = await house.did(
    writeLateFeeTerms,
    { as },
    { query, body: { ...terms, effectiveDate: "2026-03-13", version: 0 } },
  );
  expect((await summaries())[0]).toBe(
    "门店合同参数（仅影响新签合同）：单独设置；2026-03-13 起 宽限天数 5 天",
  );
  const start = async () =>
    (await house.did(formData, { as: shop.clerk }, { query: { villageId: shop.villageId } })).terms.graceDays;
  expect([await start(), await oneOff()]).toEqual([3, 3]);
  expect(await house.did(readContractConfig, { as }, { query })).toMatchObject({
    source: "village",
    version,
    coming: [{ from: "2026-03-13", terms: { graceDays: 5 } }],
  });

  const back = { ...terms, graceDays: 3, effectiveDate: "2026-03-13" };
  const undone = await house.did(writeLateFeeTerms, { as }, { query, body: { ...back, version } });
  expect((await house.did(readContractConfig, { as }, { query })).coming).toEqual([]);
  const { version: decided } = await house.did(
    writeLateFeeTerms,
    { as },
    { query, body: { ...terms, effectiveDate: "2026-03-13", version: undone.version } },
  );

  house.setClock("2026-03-13T09:00:00+08:00");
  expect([await start(), await oneOff()]).toEqual([5, 5]);
  expect((await house.did(readBillingSetting, { as }, { query })).terms).toMatchObject({
    graceDays: 5,
    origin: "village",
  });
  const { rows } = await house.database.pool.query(
    "select distinct grace_days from bill where contract_id = $1",
    [contractId],
  );
  expect(rows).toEqual([{ grace_days: 3 }]);
  const again = { ...terms, effectiveDate: "2026-03-13", version: decided };
  expect((await house.ask(writeLateFeeTerms, { as }, { query, body: again })).body.message).toBe("没有修改");
});

describe("sets of contract parameters", () => {
  test("stand in a list by whose they are, and a village can be given back", async () => {
    const list = await house.did(listContractConfigs, { as: boss }, { query: {} });
    expect(list.list.map((r) => [r.id, r.source, r.graceDays])).toEqual([
      [0, "platform", 3],
      [shop.villageId, "village", 5],
    ]);
    await house.did(
      writeContractConfig,
      { as: boss },
      { query: {}, body: { ...CONFIG_DEFAULTS, holdDays: 5, defaultTerms: {}, version: 0 } },
    );
    expect((await summaries())[0]).toBe("企业合同参数（仅影响新签合同）：首次设置；提交后占房：7 天 → 5 天");
    expect(
      await house.did(readContractConfig, { as: boss }, { query: { villageId: other.villageId } }),
    ).toMatchObject({ source: "enterprise", holdDays: 5, version: 0 });
    await house.did(removeContractConfig, { as }, { query });
    expect(await house.did(readContractConfig, { as }, { query })).toMatchObject({
      source: "enterprise",
      holdDays: 5,
      version: 0,
      defaultTerms: {},
    });
    expect((await house.ask(removeContractConfig, { as }, { query })).status).toBe(409);
  });

  test("of the enterprise belong to who manages all its villages; others' villages do not exist", async () => {
    const body = { ...CONFIG_DEFAULTS, defaultTerms: {}, version: 1 };
    const refused = await house.ask(writeContractConfig, { as }, { query: {}, body });
    expect([refused.status, refused.body.message]).toEqual([
      403,
      "企业设置影响全部门店，请由可管理全部门店的人员修改",
    ]);
    expect((await house.did(readContractConfig, { as }, { query: {} })).editable).toBe(false);
    const theirs = { query: { villageId: other.villageId } };
    expect((await house.ask(readContractConfig, { as }, theirs)).status).toBe(404);
    expect((await house.ask(removeContractConfig, { as }, theirs)).status).toBe(404);
    expect(
      (await house.ask(writeContractConfig, { as }, { ...theirs, body: { ...body, version: 0 } })).status,
    ).toBe(404);
    expect((await house.did(listContractConfigs, { as }, { query: {} })).list.map((r) => r.id)).toEqual([0]);
  });

  test("refuse terms that no contract could be signed with", async () => {
    const wrong = async (defaultTerms: object, more: object = {}) =>
      (
        await house.ask(
          writeContractConfig,
          { as },
          { query, body: { ...CONFIG_DEFAULTS, ...more, defaultTerms, version: 0 } },
        )
      ).body.fields;
    expect(await wrong({ lateFeeCapPercent: 120 })).toEqual([
      { field: "defaultTerms.lateFeeCapPercent", msg: "滞纳金上限不能超过本金" },
    ]);
    expect(await wrong({ noticeDays: 200 })).toEqual([
      { field: "defaultTerms.noticeDays", msg: "通知期为 0 至 180 天" },
    ]);
    expect(
      await wrong(
        { deposit: { mode: "months", months: "3" }, cycleMonths: 12 },
        { maxDepositMonths: 2, maxPrepayMonths: 6 },
      ),
    ).toEqual([
      { field: "defaultTerms.deposit.months", msg: "押金不得超过 2 个月租金" },
      { field: "defaultTerms.cycleMonths", msg: "预付租金不得超过 6 个月" },
    ]);
  });
});
