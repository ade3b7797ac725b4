import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { companyCalls } from "../../customer/company/company.contract.ts";
import { aCompany, aCreditCode } from "../../customer/firm/firm.sample.ts";
import { addTitle, deleteTitle, editTitle, listTitles } from "../../party/title/title.contract.ts";
import { createContract, formData, readForm, saveContract } from "../drafting/draft.contract.ts";
import { listCompanyContracts } from "./firm-list.contract.ts";
import { contractPaper } from "../paper/paper.contract.ts";
import { textOfPdf } from "../paper/paper.sample.ts";
import { renewals } from "../successor/successor.contract.ts";
import { WAYS } from "../successor/successor.sample.ts";
import type { ContractForm } from "../terms/terms.contract.ts";
import { aForm, signed } from "../contract/contract.sample.ts";
import { getContract } from "../contract/detail.contract.ts";
import { aCompanyForm, aFirmShop, someRooms } from "../contract/firm.sample.ts";

const house = await testHouse();
house.setClock("2026-11-01T09:00:00+08:00");
const shop = await aFirmShop(house, { permits: ["#1602", "73.query", "73.add"] });
const { companyId, villageId } = shop;
const as = shop.clerk;

const aTitle = async (partyId: number, title: string, taxNo = aCreditCode()) =>
  (await house.did(addTitle, { as }, { body: { partyId, kind: "company", title, taxNo } })).id;
const usual = await aTitle(companyId, "总公司有限公司");
const branch = await aTitle(companyId, "杭州分公司有限公司");
let n = 0;
const form = async (more: Partial<ContractForm> = {}) =>
  aCompanyForm(shop, await someRooms(house, shop, [`T${++n}`]), { titleId: branch, ...more });
const removing = async (partyId: number, id: number) => {
  const { version } = (await house.did(listTitles, { as }, { query: { partyId } })).find((t) => t.id === id)!;
  return house.ask(deleteTitle, { as }, { params: { id }, query: { version } } as never);
};

test("a contract names one of its customer's titles; it is shown, listed, and kept on renewal", async () => {
  const query = { kind: "company", villageId, partyId: companyId } as const;
  const { party } = await house.did(formData, { as }, { query });
  expect(party!.titles).toMatchObject([
    { id: usual, title: "总公司有限公司", isDefault: true },
    { id: branch, title: "杭州分公司有限公司", isDefault: false },
  ]);
  const typed = await form({ end: "2026-12-15" });
  const { id } = await signed(house, as, typed, "2026-11-01");
  const paper = async (of: number) =>
    textOfPdf((await house.ask(contractPaper, { as }, { params: { id: of } })).raw).replaceAll(/\s/g, "");
  const { taxNo } = (await house.did(listTitles, { as }, { query: { partyId: companyId } }))[1]!;
  expect(await paper(id)).toContain(`杭州分公司有限公司（税号${taxNo}）`);
  const draft = await house.did(createContract, { as }, { body: await form() });
  expect(await paper(draft.id)).toContain(`杭州分公司有限公司（税号${taxNo}）`);
  const plain = await signed(house, as, await form({ titleId: null }), "2026-11-01");
  expect(await paper(plain.id)).not.toContain("开票抬头");
  const { list } = await house.did(listCompanyContracts, { as }, { query: {} });
  const shown = (of: number) => list.find((c) => c.id === of)!.invoiceTitle;
  expect([shown(id), shown(plain.id)]).toEqual(["杭州分公司有限公司", ""]);
  expect((await house.did(getContract, { as }, { params: { id } })).invoiceTitle).toBe("杭州分公司有限公司");
  const next = await house.did(
    renewals.ask,
    { as },
    { body: { contractId: id, end: "2027-12-15", rents: [], ...WAYS } },
  );
  const kept = await house.did(readForm, { as }, { params: { id: next.contractId } });
  expect(kept.form.titleId).toBe(branch);
});

test("a title of somebody else, an unknown one, and any title of a tenant are refused under the field", async () => {
  const otherId = await aCompany(house, as, villageId);
  const theirs = await aTitle(otherId, "别家有限公司");
  const typed = await form();
  for (const titleId of [theirs, 999_999]) {
    const { body } = await house.ask(createContract, { as }, { body: { ...typed, titleId } });
    expect(body.fields).toEqual([{ field: "titleId", msg: "请选择该企业的发票抬头" }]);
  }
  const open = await house.ask(createContract, { as }, { body: { ...typed, partyId: null } });
  expect(open.body.fields).toEqual([{ field: "titleId", msg: "请选择该企业的发票抬头" }]);
  const own = await house.ask(createContract, { as }, { body: { ...aForm(shop), titleId: branch } });
  expect(own.body.fields).toEqual([{ field: "titleId", msg: "请选择该租客的发票抬头" }]);
});

test("a title that a running contract names is not deleted, but edited; a draft falls back to the usual one", async () => {
  const named = await aTitle(companyId, "苏州分公司有限公司");
  const draft = await house.did(createContract, { as }, { body: await form({ titleId: named }) });
  expect((await removing(companyId, named)).status).toBe(200);
  const left = await house.did(readForm, { as }, { params: { id: draft.id } });
  expect(left.form.titleId).toBeNull();
  // its version is as before: whoever has the draft open goes on
  expect(left.version).toBe(draft.version);

  const agreed = await aTitle(companyId, "宁波分公司有限公司");
  const { id, contractNo } = await signed(house, as, await form({ titleId: agreed }), "2026-11-01");
  const refused = await removing(companyId, agreed);
  expect([refused.status, refused.body.message]).toEqual([
    409,
    `合同 ${contractNo} 的发票开给该抬头，不能删除，可以修改抬头的内容`,
  ]);
  const body = { kind: "company", title: "宁波有限公司", taxNo: aCreditCode(), version: 1 } as const;
  await house.did(editTitle, { as }, { params: { id: agreed }, body });
  expect((await house.did(getContract, { as }, { params: { id } })).invoiceTitle).toBe("宁波有限公司");
  await house.database.pool.query("update contract set state = 'ended' where id = $1", [id]);
  expect((await removing(companyId, agreed)).status).toBe(200);
  expect((await house.did(getContract, { as }, { params: { id } })).invoiceTitle).toBe("");
});

test("of two records that become one, contracts go on naming a title of the one kept", async () => {
  const [keepId, goneId] = [await aCompany(house, as, villageId), await aCompany(house, as, villageId)];
  const taxNo = aCreditCode();
  const [kept, same] = [
    await aTitle(keepId, "合并有限公司", taxNo),
    await aTitle(goneId, "合并有限公司", taxNo),
  ];
  const only = await aTitle(goneId, "合并分公司");
  const made = async (titleId: number) =>
    (await house.did(createContract, { as }, { body: await form({ partyId: goneId, titleId }) })).id;
  const [one, two] = [await made(same), await made(only)];
  const body = { keepId, goneId, keepVersion: 1, goneVersion: 1, reason: "同一企业" };
  await house.did(companyCalls.merge, { as }, { body });
  await house.deliver();
  const titleOf = async (id: number) => (await house.did(readForm, { as }, { params: { id } })).form.titleId;
  expect([await titleOf(one), await titleOf(two)]).toEqual([kept, only]);
  const titles = await house.did(listTitles, { as }, { query: { partyId: keepId } });
  expect(titles.map((t) => t.id)).toEqual([kept, only]);
  // the draft goes on with the record that was kept, and the title that came along
  const { form: typed, version } = await house.did(readForm, { as }, { params: { id: two } });
  const moved = { ...(typed as ContractForm), partyId: keepId, version };
  await house.did(saveContract, { as }, { params: { id: two }, body: moved });
  expect(await titleOf(two)).toBe(only);
});
