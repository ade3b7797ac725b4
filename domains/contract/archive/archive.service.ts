import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { constraintSays } from "../../../platform/server/database/constraints.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { revise, stamp, asSeen } from "../../../platform/server/database/versioned.ts";
import { type Act, entryOn, type LogEntry } from "../../../platform/server/pipeline/act.ts";
import { anyOf, seen } from "../../../platform/server/pipeline/scope.ts";
import { refuseFrozen } from "../../approval/examine/propose.service.ts";
import { attachFile } from "../../system/file/file.service.ts";
import { keepWording } from "../template/document.service.ts";
import { type Archive, readArchives } from "./archive.queries.ts";
import {
  ARCHIVE_MOVES,
  type ArchiveFacts,
  CONDITIONS,
  DOC_KINDS,
  type DocKind,
  extensionRefusal,
  type Location,
  MEDIA,
  type Medium,
  placeOf,
  retentionOf,
  USUAL_YEARS,
} from "./archive.rules.ts";

constraintSays("contract_archive_document", { code: "conflict", msg: "该文件已经归档" });

export const archiveNote = (
  a: Pick<Archive, "id" | "archiveNo" | "villageId">,
  action: string,
  more: string | Pick<LogEntry, "summary" | "before" | "after">,
): LogEntry => entryOn("archive", a, a.archiveNo, action, more);

/** The same line on the timelines of the original and of its contract. */
const noteBoth = (act: Act, a: Archive, action: string, summary: string) =>
  act.note([
    archiveNote(a, action, summary),
    {
      kind: "contract",
      recordId: a.contractId,
      number: a.contractNo,
      villageId: a.villageId,
      action,
      summary: `${DOC_KINDS[a.docKind][0]}（${a.archiveNo}）${summary}`,
    },
  ]);

export const factsOf = (act: Pick<Act, "today">, a: Archive): ArchiveFacts & Pick<Archive, "status"> => ({
  status: a.status,
  medium: a.medium,
  today: act.today,
  retentionUntil: a.retentionUntil,
  extended: a.extended,
});

export type SignedPaper = {
  contractId: number;
  /** The signed file; of paper its scan. */
  documentId: number | null;
  docKind: DocKind;
  /** Paper waits for its shelf, a file is archived where it lies. */
  medium: Medium;
};

/**
 * What a signing brings into the archive, in its transaction. A document that is there already stays as it is. Contracts
 * have their last day by then: it says how long the original is kept.
 */
export async function archiveSigned(act: Act, papers: readonly SignedPaper[]): Promise<void> {
  if (!papers.length) return;
  const contracts = await act.tx
    .selectFrom("contract")
    .select(["id", "villageId", "endDate"])
    .where("id", "=", anyOf(papers.map((p) => p.contractId)))
    .execute();
  const known = new Map(contracts.map((c) => [c.id, c]));
  const numbers = await act.numbers("DA", papers.length);
  const by = act.who.operatorId || null;
  await act.tx
    .insertInto("contractArchive")
    .values(
      papers.map((paper, i) => {
        const { villageId, endDate } = known.get(paper.contractId)!;
        const done = paper.medium === "electronic";
        return {
          ...paper,
          archiveNo: numbers[i]!,
          villageId,
          state: done ? "archived" : "pending",
          archivedOn: done ? act.today : null,
          archivedBy: done ? by : null,
          retentionUntil: retentionOf(endDate!, USUAL_YEARS),
          createdAt: act.now,
          createdBy: by,
        };
      }),
    )
    .onConflict((oc) => oc.column("documentId").where("documentId", "is not", null).doNothing())
    .execute();
}

/** Stored files become signed documents of a contract, with their hash of that day. */
async function keepDocuments(act: Act, contractId: number, fileIds: readonly number[]): Promise<number[]> {
  const files = await act.tx
    .selectFrom("storedFile")
    .select(["id", "sha256"])
    .where("id", "=", anyOf(fileIds))
    .orderBy("id")
    .execute();
  if (!files.length) return [];
  const rows = await act.tx
    .insertInto("contractDocument")
    .values(
      files.map((file) => ({
        contractId,
        kind: "signed",
        fileId: file.id,
        fileHash: file.sha256,
        createdBy: act.who.operatorId,
        createdAt: act.now,
      })),
    )
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}

/** What a contract's party has signed on paper beside it: the scans are documents of the contract, the original waits for its shelf. */
export async function archivePaper(
  act: Act,
  paper: Pick<SignedPaper, "contractId" | "docKind">,
  fileIds: readonly number[],
): Promise<void> {
  const [documentId = null] = await keepDocuments(act, paper.contractId, fileIds);
  await archiveSigned(act, [{ ...paper, documentId, medium: "paper" }]);
}

/** A scan that somebody brings with an original becomes a document of its contract. */
async function keepScan(
  act: Act,
  contract: { id: number; villageId: number },
  fileId: number | null | undefined,
): Promise<number | null> {
  if (!fileId) return null;
  await attachFile(act, fileId, {
    targetKind: "contract",
    targetId: contract.id,
    villageId: contract.villageId,
    needs: ["9.get", "11.get", "107.get"],
  });
  const { type } = await theRow(act, "storedFile", ["type"], { id: fileId });
  if (!["application/pdf", "image/jpeg", "image/png"].includes(type))
    throw invalid({ field: "fileId", msg: "扫描件只能是pdf、jpg或png文件" });
  const [documentId] = await keepDocuments(act, contract.id, [fileId]);
  return documentId!;
}

type Kept = Location & { copies: number; keepYears: number; fileId?: number | null | undefined };

export async function addOriginal(
  act: Act,
  input: Kept & { contractId: number; docKind: DocKind; medium: Medium },
): Promise<{ id: number; archiveNo: string }> {
  const contract = seen(
    act.who,
    await act.tx
      .selectFrom("contract")
      .select(["id", "villageId", "contractNo", "signedOn", "endDate"])
      .where("id", "=", input.contractId)
      .executeTakeFirst(),
  );
  if (!contract.signedOn) throw new Refusal("notAllowed", "合同还没有签署，不能归档");
  const { medium, warehouse, cabinet, shelf, box } = input;
  if (medium === "paper" && !warehouse) throw invalid({ field: "warehouse", msg: "请输入仓库" });
  if (medium === "electronic" && !input.fileId) throw invalid({ field: "fileId", msg: "请上传电子文件" });
  const documentId = await keepScan(act, contract, input.fileId);
  const [archiveNo] = await act.numbers("DA");
  const { id } = await act.tx
    .insertInto("contractArchive")
    .values({
      archiveNo: archiveNo!,
      contractId: contract.id,
      villageId: contract.villageId,
      documentId,
      docKind: input.docKind,
      medium,
      copies: input.copies,
      ...(medium === "paper" && { warehouse, cabinet, shelf, box }),
      state: "archived",
      archivedOn: act.today,
      archivedBy: act.who.operatorId,
      retentionUntil: retentionOf(contract.endDate!, input.keepYears),
      createdAt: act.now,
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const [made] = await readArchives(act, [id]);
  await noteBoth(
    act,
    made!,
    "归档",
    `${MEDIA[medium][0]}件归档${medium === "paper" ? `到 ${placeOf(input)}` : ""}`,
  );
  return { id, archiveNo: archiveNo! };
}

/** Puts what waits onto one shelf, all of it or nothing. */
export async function store(
  act: Act,
  { ids, fileId, copies, keepYears, warehouse, cabinet, shelf, box }: Kept & { ids: number[] },
): Promise<number> {
  if (fileId && ids.length > 1) throw invalid({ field: "fileId", msg: "扫描件请逐件上传" });
  const all = await readArchives(act, ids, true);
  if (all.length < ids.length || all.some((a) => !act.who.villages.includes(a.villageId))) throw notFound();
  for (const a of all) {
    const why = ARCHIVE_MOVES.refusal("store", factsOf(act, a));
    if (why) throw new Refusal("notAllowed", `${a.archiveNo} ${why}`);
  }
  const place = placeOf({ warehouse, cabinet, shelf, box });
  for (const a of all) {
    const documentId = await keepScan(act, { id: a.contractId, villageId: a.villageId }, fileId);
    await revise(
      act,
      "contractArchive",
      { id: a.id, version: a.version },
      {
        ...{ copies, warehouse, cabinet, shelf, box },
        ...(documentId && { documentId }),
        state: ARCHIVE_MOVES.next("store", factsOf(act, a)),
        archivedOn: act.today,
        archivedBy: act.who.operatorId,
        retentionUntil: retentionOf(a.endDate, keepYears),
        ...stamp(act),
      },
    );
    await noteBoth(act, a, "归档", `归档到 ${place}，${copies} 份`);
  }
  return all.length;
}

export async function lockArchive(act: Act, id: number): Promise<Archive> {
  return seen(act.who, (await readArchives(act, [id], true))[0]);
}
/** Locked, as its reader saw it, and not waiting for approval. */
async function actedOn(act: Act, id: number, version: number): Promise<Archive> {
  const a = await lockArchive(act, id);
  asSeen(a, version);
  await refuseFrozen(act, "archive", [id]);
  return a;
}

export async function relocate(act: Act, id: number, { version, ...to }: Location & { version: number }) {
  const a = await actedOn(act, id, version);
  ARCHIVE_MOVES.next("relocate", factsOf(act, a));
  await revise(act, "contractArchive", { id, version }, { ...to, ...stamp(act) });
  await act.note(archiveNote(a, "改库位", `${a.place || "无库位"} → ${placeOf(to)}`));
}

export type Loan = { borrowerId: number; purpose: string; lentOn: Day; dueOn: Day };

/** The borrower works in the store of the original. */
export async function borrowerOf(act: Pick<Act, "tx">, a: Archive, borrowerId: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select real_name name from operator where id = ${borrowerId} and enterprise_id = ${a.enterpriseId} and state = 'active'
      and (super_type <> '' or all_villages or ${a.villageId} = any(village_ids))`.execute(act.tx);
  if (!rows[0]) throw invalid({ field: "borrowerId", msg: "请选择该门店的在职员工" });
  return rows[0].name;
}

/** It is away: whoever has it is named. */
export function refuseLent(a: Archive): void {
  if (a.status === "lent") throw new Refusal("lent", `该档案已借出给 ${a.borrowerName}`);
}

/** The slip of a loan; it is about paper, whatever kind of contract stands on it. */
export const slipDocument = (villageId: number, loanId: number) =>
  ({ docKind: "lendSlip", villageId, recordId: loanId, contractKind: null }) as const;

/** Hands the original out. */
export async function lendNow(act: Act, a: Archive, loan: Loan): Promise<void> {
  refuseLent(a);
  const state = ARCHIVE_MOVES.next("lend", factsOf(act, a));
  const name = await borrowerOf(act, a, loan.borrowerId);
  const lent = await act.tx
    .insertInto("archiveLoan")
    .values({ ...loan, archiveId: a.id, lentBy: act.who.operatorId, createdAt: act.now })
    .returning("id")
    .executeTakeFirstOrThrow();
  await keepWording(act, slipDocument(a.villageId, lent.id));
  await revise(act, "contractArchive", { id: a.id, version: a.version }, { state, ...stamp(act) });
  await noteBoth(act, a, "借出", `借给${name}，${loan.lentOn} 至 ${loan.dueOn}，用途：${loan.purpose}`);
}

type Return = { version: number; returnedOn: Day; condition: keyof typeof CONDITIONS; note: string };
export async function takeBack(act: Act, id: number, { version, returnedOn, condition, note }: Return) {
  const a = await actedOn(act, id, version);
  const state = ARCHIVE_MOVES.next("takeBack", factsOf(act, a));
  if (returnedOn > act.today) throw invalid({ field: "returnedOn", msg: "归还日不能晚于今天" });
  if (returnedOn < a.lentOn!) throw invalid({ field: "returnedOn", msg: `归还日不能早于借出日 ${a.lentOn}` });
  await endLoan(act, a, { returnedOn, condition, note });
  await revise(act, "contractArchive", { id, version }, { state, ...stamp(act) });
  const how = `品相${CONDITIONS[condition][0]}${note && `：${note}`}`;
  await noteBoth(act, a, "归还", `${a.borrowerName}归还，${how}`);
}

const endLoan = (
  act: Act,
  a: Archive,
  end: { returnedOn: Day; condition: keyof typeof CONDITIONS | "lost"; note: string },
) =>
  act.tx
    .updateTable("archiveLoan")
    .set({ ...end, returnedBy: act.who.operatorId })
    .where("id", "=", a.loanId)
    .execute();

export async function extend(act: Act, id: number, { version, dueOn }: { version: number; dueOn: Day }) {
  const a = await actedOn(act, id, version);
  ARCHIVE_MOVES.next("extend", factsOf(act, a));
  const why = extensionRefusal(a.dueOn!, dueOn);
  if (why) throw invalid({ field: "dueOn", msg: why });
  await act.tx
    .updateTable("archiveLoan")
    .set({ dueOn, firstDueOn: a.dueOn })
    .where("id", "=", a.loanId)
    .execute();
  await revise(act, "contractArchive", { id, version }, stamp(act));
  await act.note(archiveNote(a, "续借", `${a.borrowerName}续借，应还日 ${a.dueOn} → ${dueOn}`));
}

export async function lose(act: Act, id: number, { version, reason }: { version: number; reason: string }) {
  const a = await actedOn(act, id, version);
  const state = ARCHIVE_MOVES.next("lose", factsOf(act, a));
  if (a.loanId !== null) await endLoan(act, a, { returnedOn: act.today, condition: "lost", note: reason });
  await revise(act, "contractArchive", { id, version }, { state, reason, ...stamp(act) });
  await noteBoth(act, a, "遗失", `登记遗失：${reason}`);
}

export async function destroy(
  act: Act,
  id: number,
  { version, reason }: { version: number; reason: string },
) {
  const a = await actedOn(act, id, version);
  const state = ARCHIVE_MOVES.next("destroy", factsOf(act, a));
  await revise(act, "contractArchive", { id, version }, { state, reason, ...stamp(act) });
  await noteBoth(act, a, "销毁", `销毁：${reason}`);
}
