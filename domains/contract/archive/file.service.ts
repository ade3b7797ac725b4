import { createHash } from "node:crypto";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { anyOf, seen } from "../../../platform/server/pipeline/scope.ts";
import { labelSheet } from "../../listing/qrcode/sheet.service.ts";
import { originOf } from "../../listing/channel/send.service.ts";
import { marked, printedPicture } from "../../system/paper/print.service.ts";
import type { Mark } from "../../system/watermark/watermark.rules.ts";
import { markOf } from "../../system/watermark/watermark.service.ts";
import { documentFile } from "../template/document.service.ts";
import { type Archive, readArchives } from "./archive.queries.ts";
import { DOC_KINDS } from "./archive.rules.ts";
import { archiveNote, slipDocument } from "./archive.service.ts";
import { slipContent } from "./slip.rules.ts";

async function archiveIn(read: Read, id: number): Promise<Archive> {
  return seen(read.who, (await readArchives(read, [id]))[0]);
}

type Kept = { name: string; type: string; fileHash: string; bytes: Buffer };
/** The signed file as it lies in the store now; nothing where it is gone. */
async function keptFile(
  read: Read,
  a: Pick<Archive, "documentId">,
): Promise<Omit<Kept, "bytes"> & { bytes: Buffer | undefined }> {
  const row = await read.tx
    .selectFrom("contractDocument as d")
    .innerJoin("storedFile as f", "f.id", "d.fileId")
    .select(["f.name", "f.type", "f.storageKey", "d.fileHash"])
    .where("d.id", "=", a.documentId)
    .executeTakeFirst();
  if (!row) throw new Refusal("notAllowed", "该档案没有电子文件或扫描件");
  const { storageKey, ...file } = row;
  return { ...file, bytes: await read.files.get(storageKey).catch(() => undefined) };
}

export const UNCHANGED = "文件未被改动";
export const CHANGED = "文件已被改动";

/** Computes the hash of the kept bytes anew and writes down what came of it. A file that is gone is changed, too. */
export async function verify(act: Act, a: Archive) {
  const { bytes, fileHash } = await keptFile(act, a);
  const found = bytes ? createHash("sha256").update(bytes).digest("hex") : "";
  const same = found === fileHash;
  await act.tx
    .updateTable("contractArchive")
    .set({ hashCheckedAt: act.now, hashSame: same })
    .where("id", "=", a.id)
    .execute();
  return { same, said: same ? UNCHANGED : CHANGED, kept: fileHash, found };
}
export const verifyOne = async (act: Act, id: number) => verify(act, await archiveIn(act, id));

/**
 * A copy of the file for its reader, with their name over every page. The original, which alone carries a digital
 * signature, is among the files of its contract. Who looked is written down.
 */
export async function fileFor(act: Act, id: number) {
  const a = await archiveIn(act, id);
  if (a.status === "destroyed") throw new Refusal("notAllowed", "该档案已销毁");
  const { name, type, bytes } = await keptFile(act, a);
  if (!bytes) throw notFound();
  await act.note(archiveNote(a, "查看", `查看${DOC_KINDS[a.docKind][0]}（${a.contractNo}）的文件`));
  const mark = await markFor(act);
  const note = `${a.archiveNo} 带水印的查阅件，原件见合同 ${a.contractNo} 的“文件”`;
  const body = type.startsWith("image/")
    ? await printedPicture(bytes, `${a.archiveNo} ${a.contractNo}`, mark, note)
    : await marked(bytes, mark, note);
  if (!body)
    throw new Refusal(
      "notAllowed",
      `该文件已加密或损坏，不能加水印查看，原件见合同 ${a.contractNo} 的“文件”`,
    );
  return { name: `${name.replace(/\.\w+$/, "")}_查阅件.pdf`, type: "application/pdf", body, inline: true };
}

/** The mark of whoever reads, always with their name in it. */
async function markFor(read: Read): Promise<Mark> {
  const { name } = read.who;
  const set = await markOf(read, "pdfs");
  if (!set) return { text: `${name} ${read.today}`, opacity: 18, angle: -30, gap: 120 };
  return set.text.includes(name) ? set : { ...set, text: `${name} ${set.text}` };
}

/** What stands on the slip of an original that is lent. */
export async function slipFacts(read: Read, id: number) {
  const a = await archiveIn(read, id);
  if (a.loanId === null) throw new Refusal("notAllowed", "该档案没有借出");
  const { name: lessor } = await theRow(read, "enterprise", ["name"], { id: a.enterpriseId });
  return {
    ...a,
    loanId: a.loanId,
    lessor,
    file: DOC_KINDS[a.docKind][0],
    borrowerName: a.borrowerName!,
    purpose: a.purpose!,
    lentOn: a.lentOn!,
    dueOn: a.dueOn!,
  };
}

/** 借条: who has the original, what for, until when. */
export async function slipOf(read: Read, id: number) {
  const facts = await slipFacts(read, id);
  const { villageId, loanId, archiveNo } = facts;
  const content = { ...slipContent(facts), name: `借条_${archiveNo}` };
  return documentFile(read, slipDocument(villageId, loanId), content);
}

/** Labels to be stuck onto originals, in the order of their numbers. */
export async function labelsOf(read: Read, { ids, origin }: { ids: number[]; origin?: string | undefined }) {
  const rows = await read.tx
    .selectFrom("contractArchive as a")
    .innerJoin("contract as c", "c.id", "a.contractId")
    .select(["a.id", "a.archiveNo", "a.place", "c.contractNo"])
    .where("a.id", "=", anyOf(ids))
    .where("a.villageId", "=", anyOf(read.who.villages))
    .orderBy("a.archiveNo")
    .execute();
  if (rows.length < ids.length) throw notFound();
  const at = read.settings.PUBLIC_URL ? originOf(read.settings) : (origin ?? originOf(read.settings));
  const labels = rows.map((row) => ({
    name: row.archiveNo,
    place: [row.contractNo, row.place].filter(Boolean).join(" · "),
    url: `${at}/sams/contract/ArchiveManagePage?id=${row.id}`,
  }));
  const title = "档案标签";
  return {
    name: `${title}_${labels.length}个.pdf`,
    type: "application/pdf",
    body: await labelSheet(labels, title),
    inline: true,
  };
}
