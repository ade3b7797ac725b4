import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { createHash } from "node:crypto";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { checkedPdf } from "../../../platform/server/pdf/pdf-check.ts";
import { archiveFile, listArchives, verifyArchive } from "../archive/archive.contract.ts";
import { checkDocument, documentFile } from "../paper/paper.contract.ts";
import { textOfPdf } from "../paper/paper.sample.ts";
import { aCompanyForm, aFirmShop, someRooms } from "../contract/firm.sample.ts";
import { aShop, submitted } from "../contract/contract.sample.ts";
import { aSeal } from "../seal/seal.sample.ts";
import { contractBills, contractDocuments, getContract } from "../contract/detail.contract.ts";
import {
  contractSignings,
  openSigning,
  setSeal,
  signedFile,
  signPage,
  signResult,
  startSigning,
  waitingSeals,
} from "./esign.contract.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { remindUnsigned } from "../signing/clock.service.ts";
import { aSigningShop, linkOf, partySigns, started, toSign } from "./esign.sample.ts";

const house = await testHouse();
const NOW = "2026-03-12T10:00:00+08:00";
house.setClock(NOW);
const { pool } = house.database;
const shop = await aSigningShop(house);
const as = shop.clerk;
const folder = mkdtempSync(path.join(os.tmpdir(), "esign-"));
afterAll(() => rmSync(folder, { recursive: true }));
const contract = (id: number) => house.did(getContract, { as }, { params: { id } });

describe("a contract that is signed electronically", () => {
  test("comes into force with the seal, its file closed by a signature over every byte", async () => {
    const { id, contractNo, partyId } = await toSign(house, shop);
    const token = await started(house, as, id);
    const page = await house.did(signPage, {}, { params: { token } });
    expect(page).toMatchObject({
      state: "open",
      enterprise: "青禾公寓管理有限公司",
      title: "房屋租赁合同",
      signer: "张*",
      last4Of: "certificate",
    });
    const key = await partySigns(house, token, partyId);
    expect(await house.did(signResult, {}, { query: { key } })).toMatchObject({
      kind: "sealing",
      contractNo: contractNo.slice(-6),
      signers: [
        { role: "承租方", name: "张*", state: "已签署" },
        { role: "出租方", name: "青禾****公司", state: "待企业盖章" },
      ],
      dueTotal: 1_400_000,
      fileState: "none",
    });
    expect((await contract(id)).state).toBe("signing");
    const { list } = await house.did(waitingSeals, { as: shop.keeper }, { query: {} });
    expect(list).toMatchObject([{ contractId: id, contractNo, partyName: "张三", waitedMinutes: 0 }]);
    const sealed = await house.did(setSeal, { as: shop.keeper }, { params: { id: list[0]!.id }, body: {} });
    expect(sealed).toMatchObject({ state: "done", number: contractNo });

    expect(await contract(id)).toMatchObject({ state: "effective", signedOn: "2026-03-12" });
    expect(await house.did(contractBills, { as }, { params: { id } })).toHaveLength(5);
    const result = await house.did(signResult, {}, { query: { key } });
    expect(result).toMatchObject({ kind: "done", dueTotal: 1_400_000, fileState: "ready" });
    const file = await house.ask(signedFile, {}, { query: { key } });
    expect(file.status).toBe(200);
    const sha = createHash("sha256").update(file.raw).digest("hex");
    expect(sha.slice(0, 16)).toBe(result.fileHash);
    const { rows } = await pool.query(
      "select signed_file_hash hash, sign_mode mode from contract where id = $1",
      [id],
    );
    expect(rows).toEqual([{ hash: sha, mode: "electronic" }]);
    const again = await house.ask(signedFile, {}, { query: { key } });
    expect([again.status, again.body.message]).toEqual([410, "文件已下载过，请联系管家获取"]);

    // the bytes that the party was shown stand unchanged at its beginning
    const documents = await house.did(contractDocuments, { as }, { params: { id } });
    const draft = documents.find((d) => d.kind === "draft")!;
    const shown = await house.ask(documentFile, { as }, { params: { id, documentId: draft.id } });
    expect(file.raw.subarray(0, shown.raw.length).equals(shown.raw)).toBe(true);
    expect(createHash("sha256").update(shown.raw).digest("hex")).toBe(draft.fileHash);
    expect(checkedPdf(file.raw)).toMatchObject({ signed: true, whole: true, valid: true });
    const changed = Buffer.from(file.raw);
    changed[shown.raw.length - 300]! ^= 1;
    expect(checkedPdf(changed).valid).toBe(false);
    const words = ["电子签署证明", draft.fileHash, contractNo];
    for (const said of words) expect(textOfPdf(file.raw)).toContain(said);
    const others = seenBy("pdfsig", file.raw);
    if (others === undefined) return;
    expect(others).toMatch(/Signature is Valid/);
    expect(others).toMatch(/Total document signed/);
    expect(seenBy("pdfsig", changed)).not.toMatch(/Signature is Valid/);
    for (const said of words) expect(seenBy("pdftotext", file.raw)).toContain(said);
  });
});

let missing = false;
/**
 * What poppler says of a file. Debian has it in poppler-utils, which is fetched where that may be done; where it is not to be had that
 * is said, and nothing is answered.
 */
function seenBy(tool: "pdfsig" | "pdftotext", pdf: Buffer): string | undefined {
  const at = path.join(folder, "file.pdf");
  writeFileSync(at, pdf);
  const run = () =>
    execFileSync(tool, tool === "pdfsig" ? [at] : [at, "-"], { encoding: "utf8", stdio: "pipe" });
  try {
    return run();
  } catch (error) {
    const { code, stdout } = error as { code?: string; stdout?: string };
    if (code !== "ENOENT") return stdout ?? "";
  }
  if (!missing)
    try {
      execFileSync("apt-get", ["install", "-y", "poppler-utils"], { stdio: "pipe", timeout: 120_000 });
      return run();
    } catch {
      missing = true;
      process.stderr.write(
        "poppler-utils could not be installed: signed files are checked by the product alone.\n",
      );
    }
  return undefined;
}

test("a seal that sets itself closes the file with the party's signature; the evidence stands on the contract", async () => {
  const auto = await aSigningShop(house, { autoSeal: true });
  const { id, partyId } = await toSign(house, auto);
  const key = await partySigns(house, await started(house, auto.clerk, id), partyId);
  expect((await house.did(signResult, {}, { query: { key } })).kind).toBe("done");
  const [signing] = await house.did(contractSignings, { as: auto.clerk }, { params: { id } });
  const evidence = { consent: "2026-11", smsNo: expect.stringMatching(/^\d+$/) as string };
  expect(signing).toMatchObject({
    state: "done",
    waitsForSeal: false,
    signers: [
      { role: "party", state: "signed", evidence },
      { role: "enterprise", state: "signed" },
    ],
  });
  const documents = await house.did(contractDocuments, { as: auto.clerk }, { params: { id } });
  const closed = documents.find((d) => d.kind === "signed")!;
  const params = { id, documentId: closed.id };
  const checked = await house.did(checkDocument, { as: auto.clerk }, { params });
  expect(checked).toMatchObject({ same: true, said: "文件未被改动" });
  expect(checked.signature).toMatch(/^数字签名有效，覆盖整个文件：/);
  const { rows } = await pool.query("select operator_id, title from seal_use where contract_id = $1", [id]);
  expect(rows).toMatchObject([{ title: expect.stringContaining("房屋租赁合同 HT") as string }]);
});

test("a company is known by its credit code, and whoever one talks to there signs", async () => {
  const firm = await aFirmShop(house, { village: "企业签约店" });
  await aSeal(house, { villageIds: [firm.villageId], operatorIds: [], autoSeal: true });
  const form = aCompanyForm(firm, await someRooms(house, firm, ["E1", "E2"]), { start: "2026-03-15" });
  const { id } = await submitted(house, firm.clerk, form);
  const token = await started(house, firm.clerk, id);
  const page = await house.did(signPage, {}, { params: { token } });
  expect(page).toMatchObject({ title: "企业房屋租赁合同", signer: "钱*", last4Of: "creditCode" });
  const wrong = await house.ask(openSigning, {}, { params: { token }, body: { last4: "0000" } });
  expect(wrong.body.message).toBe("统一社会信用代码后四位不正确，还可尝试2次");
  const { creditCode } = await house.database.db
    .selectFrom("firm")
    .select("creditCode")
    .where("id", "=", firm.companyId)
    .executeTakeFirstOrThrow();
  const last4 = creditCode!.slice(-4);
  const key = await partySigns(house, token, firm.companyId, last4);
  expect(await house.did(signResult, {}, { query: { key } })).toMatchObject({ kind: "done" });
  expect((await house.did(getContract, { as: firm.clerk }, { params: { id } })).state).toBe("effective");
});

test("the archive shows a signed file with its reader's name on every page; the original stays byte for byte", async () => {
  const { id, contractNo, partyId } = await toSign(house, shop);
  await partySigns(house, await started(house, as, id), partyId);
  const { list } = await house.did(waitingSeals, { as: shop.keeper }, { query: {} });
  const { id: flowId } = list.find((task) => task.contractId === id)!;
  await house.did(setSeal, { as: shop.keeper }, { params: { id: flowId }, body: {} });
  const [kept] = (await house.did(contractDocuments, { as }, { params: { id } })).filter(
    (d) => d.kind === "signed",
  );
  const original = () =>
    house.ask(documentFile, { as }, { params: { id, documentId: kept!.id } }).then((answer) => answer.raw);
  const before = await original();
  expect(checkedPdf(before)).toMatchObject({ signed: true, valid: true, whole: true });

  const reader = await house.person({
    villages: [shop.villageId],
    name: "李思远",
    permits: ["226.query", "226.get"],
  });
  const { list: archives } = await house.did(listArchives, { as: reader }, { query: { contractId: id } });
  const archived = { id: archives.find((a) => a.medium === "electronic")!.id };
  const { raw } = await house.ask(archiveFile, { as: reader }, { params: archived });
  const text = textOfPdf(raw);
  expect(text).toContain("李思远 2026-03-12");
  expect(text).toContain(`带水印的查阅件，原件见合同 ${contractNo} 的“文件”`);
  expect(textOfPdf(before)).not.toContain("李思远");
  // a copy is not what was signed, and does not look as if its signature were broken
  expect(checkedPdf(raw)).toMatchObject({ signed: false });

  const after = await original();
  expect(createHash("sha256").update(after).digest("hex")).toBe(kept!.fileHash);
  expect(await house.did(verifyArchive, { as: reader }, { params: archived })).toMatchObject({ same: true });
  // who looks after archives alone has no way to the original
  const denied = await house.ask(documentFile, { as: reader }, { params: { id, documentId: kept!.id } });
  expect(denied.status).toBe(403);
});

test("a day before the deadline whoever signs for the lessor is told once, and so is the tenant who has the link", async () => {
  house.setClock(NOW);
  const { id, contractNo } = await toSign(house, shop);
  const unsent = await toSign(house, shop);
  house.setClock("2026-03-17T10:00:00+08:00");
  await started(house, as, id);
  const told = async () => {
    const { rows } = await pool.query<{ title: string }>(
      "select title from message where once_key like 'contract.unsigned.' || $1 || '.%'",
      [id],
    );
    return rows.map((r) => r.title);
  };
  const texts = async () => {
    const { rows } = await pool.query<{ body: string }>(
      "select body from outbox where once_key like 'contract.unsigned.%'",
    );
    return rows.map((r) => r.body);
  };
  house.setClock("2026-03-18T09:10:00+08:00");
  await acting(house, remindUnsigned);
  expect([await told(), await texts()]).toEqual([[], []]);
  house.setClock("2026-03-18T10:10:00+08:00");
  for (let n = 0; n < 2; n++) await acting(house, remindUnsigned);
  expect(await told()).toEqual([`${contractNo} 待签署，2026-03-19 10:00 截止`]);
  // of the contract that was never sent nobody has a link to be told of
  expect(await texts()).toEqual([
    expect.stringContaining("请在 2026-03-19 10:00 前打开之前短信中的链接完成签署"),
  ]);
  expect((await contract(unsent.id)).state).toBe("signing");
});

test("nothing is presented to be signed where no seal may close it: the party would sign what stays open", async () => {
  const bare = await aShop(house);
  const { id, partyId } = await toSign(house, bare);
  const begin = () => house.ask(startSigning, { as: bare.clerk }, { params: { id } });
  const refused = await begin();
  expect([refused.status, refused.body.message]).toEqual([
    409,
    "该门店没有可用的印章，请在合同配置的印章中为门店设置",
  ]);
  expect(await house.did(contractSignings, { as: bare.clerk }, { params: { id } })).toEqual([]);
  await aSeal(house, { villageIds: [bare.villageId], operatorIds: [shop.keeper.operatorId] });
  expect((await begin()).status).toBe(200);
  expect(await linkOf(house, partyId)).not.toBe("");
});
