import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { checkedPdf } from "../../../platform/server/pdf/pdf-check.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aShop } from "../contract/contract.sample.ts";
import { contractBills, contractDocuments, getContract } from "../contract/detail.contract.ts";
import { setSeal, signResult, startSigning, waitingSeals } from "../esign/esign.contract.ts";
import { codeSent, INK, partySigns, started, toSign } from "../esign/esign.sample.ts";
import { getLessor, revokeAuthorisation } from "../lessor/lessor.contract.ts";
import { LESSOR_PERMITS, lessorWork } from "../lessor/lessor.sample.ts";
import { checkDocument, documentFile } from "../paper/paper.contract.ts";
import { addSeal } from "../seal/seal.contract.ts";
import {
  openTrial,
  sendTrialCode,
  signTrial,
  startTrial,
  trialDocument,
} from "../sign-trial/trial.contract.ts";
import { aDesk } from "../template-list/template.sample.ts";
import { signChecklist } from "./sign-help.contract.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aShop(house);
const { villageId, clerk: as } = shop;
const admin = await house.person({ permits: [...LESSOR_PERMITS, "#9501"], villages: [villageId] });
const keeper = await house.person({ permits: ["95.query", "95.edit"], villages: [villageId], name: "何印" });
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

  // a template of each kind and a sample that was signed, and nothing is left to do but to connect text messages
  const desk = await aDesk(house, shop);
  for (const docKind of ["renterContract", "companyContract", "merchantContract"] as const)
    await desk.published(await desk.aTemplate({ docKind }));
  const sample = { villageId, name: "张三丰", phone: "13900005678" };
  const { path } = await house.did(startTrial, { as: keeper }, { body: sample });
  const params = { token: path.split("/").at(-1)! };
  const { device } = await house.did(openTrial, {}, { params, body: { last4: "5678" } });
  const { hash } = await house.did(trialDocument, {}, { params, query: { device } });
  await house.did(sendTrialCode, {}, { params, body: { device } });
  const captcha = await codeSent(house, sample.phone);
  const body = { device, documentHash: hash, agreed: true as const, handwriting: INK, captcha };
  await house.did(signTrial, {}, { params, body });
  const steps = () => house.did(signChecklist, { as: admin }, { query: { villageId } });
  expect((await steps()).filter((r) => r.state !== "done").map((r) => r.key)).toEqual(["sms"]);
  Object.assign(house.settings, { SMS_DRIVER: "aliyun" });
  expect((await steps()).map((r) => r.state)).toEqual(Array(10).fill("done"));
  Object.assign(house.settings, { SMS_DRIVER: "outbox" });

  // taken back, the next one is presented to nobody; what was signed before stays in force and checks as good
  const waits = await toSign(house, shop);
  const revoke = { reason: "公章遗失", version: await lessors.version(lessorId) };
  await house.did(revokeAuthorisation, { as: admin }, { params: { id: lessorId }, body: revoke });
  await house.deliver();
  const refused = await house.ask(startSigning, { as }, { params: { id: waits.id } });
  expect([refused.status, refused.body.message]).toEqual([409, "企业授权已撤销"]);
  expect(await house.did(getContract, { as }, { params: { id } })).toMatchObject({ state: "effective" });
  const kept = await house.did(checkDocument, { as }, { params: { id, documentId: closed.id } });
  expect(kept).toMatchObject({ same: true, said: "文件未被改动" });
  expect(kept.signature).toMatch(/^数字签名有效，覆盖整个文件：/);
});
