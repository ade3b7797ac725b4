import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { writeContractConfig } from "../config/config.contract.ts";
import { CONFIG_DEFAULTS } from "../config/config.rules.ts";
import { aScan, signed, submitted } from "../contract/contract.sample.ts";
import { getContract } from "../contract/detail.contract.ts";
import { createContract, formData } from "../drafting/draft.contract.ts";
import { aCompanyForm, aFirmShop, someRooms } from "../contract/firm.sample.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { signOfflineContract, submitContract } from "./signing.contract.ts";

const house = await testHouse();
house.setClock("2026-11-01T10:00:00+08:00");
const shop = await aFirmShop(house);
const as = shop.clerk;
const { villageId } = shop;
const boss = await house.person({
  permits: ["11.add", "11.edit", "11.query", "11.get", "#1101", "#11302", "95.edit"],
  villages: [villageId],
});
const { db } = house.database;
/** Deposit and first month of one room at 10,000.00: 20,000.00 due on signing. */
let rooms = 0;
const form = async (count = 1) =>
  aCompanyForm(
    shop,
    await someRooms(
      house,
      shop,
      Array.from({ length: count }, () => `G${++rooms}`),
    ),
    { rent: 1_000_000 },
  );
const limit = (creditLimit: number | null) =>
  db.updateTable("company").set({ creditLimit }).where("id", "=", shop.companyId).execute();
let version = 0;
const rule = async (creditRule: "refuse" | "reason") => {
  const body = { ...CONFIG_DEFAULTS, defaultTerms: {}, creditRule, version };
  ({ version } = await house.did(writeContractConfig, { as: boss }, { query: { villageId }, body }));
};
const used = async () => {
  const query = { kind: "company", villageId, roomIds: "", partyId: shop.companyId } as never;
  return (await house.did(formData, { as }, { query })).party!.credit;
};
async function handIn(who: typeof as, more: { creditReason?: string } = {}, count = 1) {
  const { id } = await house.did(createContract, { as }, { body: await form(count) });
  const preview = await house.did(previewContract, { as }, { body: { id } });
  const body = { previewHash: preview.previewHash, ...more };
  const answer = await house.ask(submitContract, { as: who, key: randomUUID() }, { params: { id }, body });
  return { id, preview, answer };
}
beforeEach(() => limit(null));

describe("a company's credit limit", () => {
  test("a contract beyond it is refused with what it is exceeded by", async () => {
    await signed(house, as, await form(), "2026-11-01");
    await limit(2_000_000);
    expect(await used()).toEqual({ limit: 2_000_000, used: 2_000_000 });
    const { preview, answer } = await handIn(boss);
    expect(preview.obstacles).toEqual([{ code: "overCredit", msg: "超出授信额度 20,000.00 元" }]);
    expect(answer).toMatchObject({ status: 422, body: { message: "超出授信额度 20,000.00 元" } });
    await limit(4_000_000);
    expect((await handIn(as)).answer.status).toBe(200);
  });

  test("without a limit there is none, a limit of zero is one", async () => {
    expect(await used()).toBeNull();
    expect((await handIn(as)).answer.status).toBe(200);
    await limit(0);
    expect((await handIn(as)).answer.body.message).toMatch(/^超出授信额度/);
  });

  test("where the setting lets it, who may set limits signs with a reason that stays on record", async () => {
    await limit(2_000_000);
    await rule("reason");
    expect((await handIn(as, { creditReason: "老客户" })).answer.body.message).toContain(
      "需要“账期与额度”权限",
    );
    const bare = (await handIn(boss)).answer;
    expect(bare.body.fields).toEqual([
      { field: "creditReason", msg: "超出授信额度 20,000.00 元，请填写签约原因（2-200字）" },
    ]);
    const { id, preview, answer } = await handIn(boss, { creditReason: "总部已担保" });
    expect(answer.status).toBe(200);
    expect(await house.did(getContract, { as }, { params: { id } })).toMatchObject({
      creditReason: "总部已担保",
    });
    const fileIds = [await aScan(house, as)];
    const body = { fileIds, signedOn: "2026-11-01", previewHash: preview.previewHash };
    await house.did(signOfflineContract, { as }, { params: { id }, body });
    await rule("refuse");
  });

  test("of two that fit each for itself only one is signed", async () => {
    const now = (await limit(99_999_999), (await used())!.used);
    await limit(now + 3_000_000);
    const [a, b] = [await submitted(house, as, await form()), await submitted(house, as, await form())];
    const scans = [await aScan(house, as), await aScan(house, as)];
    const sign = (held: typeof a, scan: number) =>
      house.ask(
        signOfflineContract,
        { as, key: randomUUID() },
        {
          params: { id: held.id },
          body: { fileIds: [scan], signedOn: "2026-11-01", previewHash: held.preview.previewHash },
        },
      );
    const answers = await Promise.all([sign(a, scans[0]!), sign(b, scans[1]!)]);
    expect(answers.map((x) => x.status).toSorted()).toEqual([200, 422]);
    expect(answers.find((x) => x.status === 422)!.body.message).toBe(
      "超出授信额度 10,000.00 元，请撤回后重新提交",
    );
  });
});
