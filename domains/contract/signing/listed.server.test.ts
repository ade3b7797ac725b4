import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aForm, aRenter, aRoom, aScan, LEASING, submitted } from "../contract/contract.sample.ts";
import { getContract } from "../contract/detail.contract.ts";
import { createContract } from "../drafting/draft.contract.ts";
import { contractSignings, setSeal, startSigning } from "../esign/esign.contract.ts";
import { aSigningShop, partySigns, phoneOf, started, toSign } from "../esign/esign.sample.ts";
import { previewContract } from "../preview/preview.contract.ts";
import { signOfflineContract, submitContract } from "./signing.contract.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aSigningShop(house);
const as = shop.clerk;
let rooms = 0;
const room = () => aRoom(house, shop.building, `B${++rooms}`);
const contract = (id: number) => house.did(getContract, { as }, { params: { id } });

const listed = (of: { phone: string } | { certNo: string }) =>
  house.database.db
    .insertInto("blackList")
    .values({
      enterpriseId: house.enterpriseId,
      name: "赵六",
      ...("phone" in of ? of : { phone: "", certNoHash: house.cipher.hash(of.certNo) }),
      level: "forbid",
      reason: "恶意欠租",
      source: "法务",
    })
    .execute();

async function signs(id: number, previewHash: string) {
  const body = { fileIds: [await aScan(house, as)], signedOn: "2026-03-12", previewHash };
  return house.ask(signOfflineContract, { as, key: randomUUID() }, { params: { id }, body });
}
const REFUSED = "该客户在黑名单中，禁止签约：恶意欠租。请撤回后由有权限的人重新提交";

test("a tenant who is listed after the contract was handed in is not signed with", async () => {
  const partyId = await aRenter(house, shop.villageId);
  const { id, preview } = await submitted(house, as, aForm({ ...shop, roomId: await room(), partyId }));
  await listed({ phone: await phoneOf(house, partyId) });
  const refused = await signs(id, preview.previewHash);
  expect(refused).toMatchObject({ status: 409, body: { reason: "blackListed", message: REFUSED } });
  expect((await contract(id)).state).toBe("signing");
  const link = await house.ask(startSigning, { as, key: randomUUID() }, { params: { id } });
  expect(link.body.message).toBe(REFUSED);
});

test("one whom somebody who may let it be on handing in is signed with", async () => {
  const partyId = await aRenter(house, shop.villageId);
  await listed({ phone: await phoneOf(house, partyId) });
  const boss = await house.person({ permits: [...LEASING, "#906"], villages: [shop.villageId] });
  const body = aForm({ ...shop, roomId: await room(), partyId });
  const { id } = await house.did(createContract, { as }, { body });
  const { previewHash } = await house.did(previewContract, { as: boss }, { body: { id } });
  const how = { previewHash, blackListReason: "老客户担保" };
  await house.did(submitContract, { as: boss }, { params: { id }, body: how });
  expect((await signs(id, previewHash)).status).toBe(200);
});

test("the seal is not set on a contract whose tenant was listed since he signed", async () => {
  const { id, partyId } = await toSign(house, shop);
  await partySigns(house, await started(house, as, id), partyId);
  await listed({ phone: await phoneOf(house, partyId) });
  const [flow] = await house.did(contractSignings, { as }, { params: { id } });
  const sealed = await house.did(setSeal, { as: shop.keeper }, { params: { id: flow!.id }, body: {} });
  expect(sealed).toMatchObject({ state: "failed", failReason: REFUSED });
  expect((await contract(id)).state).toBe("draft");
});

test("who lives there as well is asked for, by phone or certificate", async () => {
  const person = { name: "李四", phone: "13900000000", relation: "朋友", lockAccess: true };
  const certNo = "330106199503074521";
  const occupants = [{ ...person, certType: "idCard", certNo }];
  const body = aForm({ ...shop, roomId: await room() }, { occupants });
  const { id, preview } = await submitted(house, as, body);
  await listed({ certNo });
  const refused = await signs(id, preview.previewHash);
  expect(refused.body.message).toBe("同住人李四在黑名单中，禁止签约：恶意欠租。请撤回后由有权限的人重新提交");
  const next = await house.did(
    createContract,
    { as },
    { body: { ...body, rooms: [{ roomId: await room(), monthlyRent: 350_000 }] } },
  );
  const shown = await house.did(previewContract, { as }, { body: { id: next.id } });
  expect(shown.obstacles).toEqual([{ code: "blackListed", msg: "同住人李四：黑名单（法务）：恶意欠租" }]);
  const handedIn = await house.ask(
    submitContract,
    { as, key: randomUUID() },
    { params: { id: next.id }, body: { previewHash: shown.previewHash, blackListReason: "老客户担保" } },
  );
  expect(handedIn).toMatchObject({ status: 409, body: { reason: "blackListed" } });
});
