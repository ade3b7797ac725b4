import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { checkedPdf } from "../../../platform/server/pdf/pdf-check.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aShop } from "../contract/contract.sample.ts";
import { contractBills, contractDocuments, getContract } from "../contract/detail.contract.ts";
import { setSeal, signResult, waitingSeals } from "../esign/esign.contract.ts";
import { partySigns, started, toSign } from "../esign/esign.sample.ts";
import { getLessor } from "../lessor/lessor.contract.ts";
import { LESSOR_PERMITS, lessorWork } from "../lessor/lessor.sample.ts";
import { documentFile } from "../paper/paper.contract.ts";
import { addSeal } from "../seal/seal.contract.ts";
import { signChecklist } from "./sign-help.contract.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house);
const { villageId, clerk: as } = shop;
const admin = await house.person({ permits: [...LESSOR_PERMITS, "#9501"], villages: [villageId] });
const keeper = await house.person({ permits: ["95.query"], villages: [villageId], name: "何印" });
const lessors = lessorWork(house, admin);
const standing = async () => {
  const rows = await house.did(signChecklist, { as: admin }, { query: { villageId } });
  return rows.flatMap((r) => (r.state === "missing" ? [r.key] : []));
};

test("from nothing to the first contract signed with the deployment's own certificate, by calls alone", async () => {
  expect(await standing()).toEqual(["lessor", "verified", "authorised", "seal", "sms", "stores"]);
  const lessorId = await lessors.verified();
  expect(await house.did(getLessor, { as: admin }, { params: { id: lessorId } })).toMatchObject({
    verifyState: "verified",
    authState: "none",
  });
  expect(await standing()).toEqual(["authorised", "seal", "sms", "stores"]);
  const letter = (await lessors.authorise(lessorId)).body.data;
  expect((await lessors.signed(lessors.tokenOf(letter.link))).status).toBe(200);
  expect(await standing()).toEqual(["seal", "sms", "stores"]);
  await house.did(
    addSeal,
    { as: admin },
    {
      body: {
        lessorId,
        name: "合同专用章",
        kind: "contract",
        imageFileId: await lessors.picture(),
        villageIds: [villageId],
        operatorIds: [keeper.operatorId],
      },
    },
  );
  // without a provider texts stay in the outbox; nothing else is missing
  expect(await standing()).toEqual(["sms"]);

  const { id, partyId, contractNo } = await toSign(house, shop);
  const key = await partySigns(house, await started(house, as, id), partyId);
  const { list } = await house.did(waitingSeals, { as: keeper }, { query: {} });
  expect(list).toMatchObject([{ contractId: id, contractNo }]);
  await house.did(setSeal, { as: keeper }, { params: { id: list[0]!.id }, body: {} });
  expect(await house.did(getContract, { as }, { params: { id } })).toMatchObject({
    state: "effective",
    signedOn: "2026-03-12",
  });
  expect(await house.did(contractBills, { as }, { params: { id } })).toHaveLength(5);
  expect(await house.did(signResult, {}, { query: { key } })).toMatchObject({ kind: "done" });
  const documents = await house.did(contractDocuments, { as }, { params: { id } });
  const closed = documents.find((d) => d.kind === "signed")!;
  const { raw } = await house.ask(documentFile, { as }, { params: { id, documentId: closed.id } });
  expect(checkedPdf(raw)).toMatchObject({ signed: true, whole: true, valid: true });
  expect(createHash("sha256").update(raw).digest("hex")).toBe(closed.fileHash);
});
