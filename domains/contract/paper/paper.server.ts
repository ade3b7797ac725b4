import { createHash } from "node:crypto";
import { notFound } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { exportPack } from "../../../platform/server/sheets/export.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { packPapers } from "../contract/contract.contract.ts";
import { contractDocuments } from "../contract/detail.contract.ts";
import { admit } from "../contract/contract.queries.ts";
import { contractRecord } from "../contract/record.queries.ts";
import { markOf } from "../../system/watermark/watermark.service.ts";
import { offered } from "../template/template.service.ts";
import { addFurther } from "./further.service.ts";
import { PAPER_TITLES, unsigned } from "./paper.rules.ts";
import {
  addFurtherFiles,
  checkDocument,
  contractPaper,
  contractTemplates,
  documentFile,
  draftPaper,
  termsVersions,
} from "./paper.contract.ts";
import { documentsOf, paperFacts, paperOf } from "./paper.queries.ts";
import { missingIn } from "./values.rules.ts";
import { versionsOf } from "./versions.queries.ts";
import { packed } from "./pack.service.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { checkedPdf, type PdfCheck } from "../../../platform/server/pdf/pdf-check.ts";
import { printed } from "../../system/paper/print.service.ts";

/** One document of a contract that the operator may see, with its bytes. */
async function documentOf(read: Read, { id, documentId }: { id: number; documentId: number }) {
  await admit(read, id, documentFile);
  const row = await read.tx
    .selectFrom("contractDocument as d")
    .innerJoin("storedFile as f", "f.id", "d.fileId")
    .select(["f.name", "f.type", "f.storageKey", "d.fileHash", "d.kind"])
    .where("d.id", "=", documentId)
    .where("d.contractId", "=", id)
    .executeTakeFirst();
  if (!row) throw notFound();
  return { ...row, bytes: await read.files.get(row.storageKey) };
}

async function paperFile(read: Read, id: number, wanted?: Parameters<typeof paperOf>[2]) {
  const contract = await contractRecord(read, id);
  const { kind, contractNo } = contract;
  const mark = unsigned(contract);
  const name = `${kind === "renter" ? "租赁合同" : PAPER_TITLES[kind]}_${contractNo}${mark && `_${mark}`}.pdf`;
  const paper = await paperOf(read, contract, wanted);
  const body = await printed(paper, `${PAPER_TITLES[kind]} ${contractNo}`, await markOf(read, "pdfs"));
  return { name, type: "application/pdf", body, inline: true };
}

/** What the digital signature of a file says; scans and papers that wait for signing have none. */
function signatureText(
  { signed, whole, valid, signer, at, stamped }: PdfCheck,
  zone: string,
): { signature: string; broken: string } {
  if (!signed) return { signature: "无数字签名", broken: "" };
  const broken = valid ? (whole ? "" : "数字签名没有覆盖整个文件") : "数字签名无效，文件已被改动";
  const when = at ? `，签名时间 ${timeInZone(at, zone).slice(0, 16)}${stamped ? "（含时间戳）" : ""}` : "";
  return { signature: broken || `数字签名有效，覆盖整个文件：${signer}${when}`, broken };
}

export default [
  exportPack(packPapers, packed),

  serveRead(contractPaper, async (read, { params }) => {
    await admit(read, params.id, contractPaper);
    return paperFile(read, params.id);
  }),

  serveRead(draftPaper, async (read, { params, query }) => {
    await admit(read, params.id, draftPaper);
    return paperFile(read, params.id, query);
  }),

  serveRead(contractTemplates, async (read, { params }) => {
    await admit(read, params.id, contractTemplates);
    const contract = await contractRecord(read, params.id);
    const all = await offered(read, contract, read.today);
    if (!all.length) return [];
    const facts = await paperFacts(read, contract);
    return all.map(({ fieldsUsed, ...one }) => ({ ...one, missing: missingIn(facts, fieldsUsed) }));
  }),

  serveRead(termsVersions, async (read, { params, query }) => {
    await admit(read, params.id, termsVersions);
    return versionsOf(read, params.id, query);
  }),

  serveRead(contractDocuments, async (read, { params }) => {
    await admit(read, params.id, contractDocuments);
    return documentsOf(read, params.id);
  }),

  serve(addFurtherFiles, async (act, { params, body }) => {
    await admit(act, params.id, addFurtherFiles);
    return { added: await addFurther(act, params.id, body.fileIds) };
  }),

  serveRead(documentFile, async (read, { params }) => {
    const { name, type, bytes } = await documentOf(read, params);
    return { name, type, body: bytes };
  }),

  serveRead(checkDocument, async (read, { params }) => {
    const { fileHash, bytes, kind } = await documentOf(read, params);
    const found = createHash("sha256").update(bytes).digest("hex");
    const same = found === fileHash;
    const { signature, broken } = signatureText(checkedPdf(bytes), read.settings.TIME_ZONE);
    const wrong = [same ? "" : `文件内容与${kind === "further" ? "上传" : "签署"}时不一致`, broken].filter(
      Boolean,
    );
    return {
      same: !wrong.length,
      said: wrong.length ? wrong.join("；") : "文件未被改动",
      kept: fileHash,
      found,
      signature,
    };
  }),
];
