import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { checkedPdf } from "../../../platform/server/pdf/pdf-check.ts";
import { archiveFile, listArchives, verifyArchive } from "../archive/archive.contract.ts";
import { contractDocuments } from "../contract/detail.contract.ts";
import { documentFile } from "../paper/paper.contract.ts";
import { textOfPdf } from "../paper/paper.sample.ts";
import { setSeal, waitingSeals } from "./esign.contract.ts";
import { aSigningShop, partySigns, started, toSign } from "./esign.sample.ts";

const house = await testHouse();
house.setClock("2026-03-12T10:00:00+08:00");
const shop = await aSigningShop(house);
const as = shop.clerk;
const villages = [shop.villageId];

test("the archive shows a signed file with its reader's name on every page; the original stays byte for byte", async () => {
  const { id, contractNo, partyId } = await toSign(house, shop);
  await partySigns(house, await started(house, as, id), partyId);
  const { list } = await house.did(waitingSeals, { as: shop.keeper }, { query: {} });
  await house.did(setSeal, { as: shop.keeper }, { params: { id: list[0]!.id }, body: {} });
  const [kept] = (await house.did(contractDocuments, { as }, { params: { id } })).filter(
    (d) => d.kind === "signed",
  );
  const original = () =>
    house.ask(documentFile, { as }, { params: { id, documentId: kept!.id } }).then((answer) => answer.raw);
  const before = await original();
  expect(checkedPdf(before)).toMatchObject({ signed: true, valid: true, whole: true });

  const reader = await house.person({ villages, name: "李思远", permits: ["226.query", "226.get"] });
  const { list: archives } = await house.did(listArchives, { as: reader }, { query: { contractId: id } });
  const params = { id: archives.find((a) => a.medium === "electronic")!.id };
  const { raw } = await house.ask(archiveFile, { as: reader }, { params });
  const text = textOfPdf(raw);
  expect(text).toContain("李思远 2026-03-12");
  expect(text).toContain(`带水印的查阅件，原件见合同 ${contractNo} 的“文件”`);
  expect(textOfPdf(before)).not.toContain("李思远");
  // a copy is not what was signed, and does not look as if its signature were broken
  expect(checkedPdf(raw)).toMatchObject({ signed: false });

  const after = await original();
  expect(createHash("sha256").update(after).digest("hex")).toBe(kept!.fileHash);
  expect(await house.did(verifyArchive, { as: reader }, { params })).toMatchObject({ same: true });
  // who looks after archives alone has no way to the original
  const denied = await house.ask(documentFile, { as: reader }, { params: { id, documentId: kept!.id } });
  expect(denied.status).toBe(403);
});
