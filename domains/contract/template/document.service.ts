import { sql } from "kysely";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import type { Paper } from "../../system/paper/block.rules.ts";
import { printedTogether } from "../../system/paper/print.service.ts";
import { markOf } from "../../system/watermark/watermark.service.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { type Content, paperIn, type Wording } from "./blocks.rules.ts";
import { defaultText } from "./default-text.rules.ts";
import type { DocKind } from "./doc-kind.rules.ts";
import { cleaned } from "./html.rules.ts";
import { inForce, versionOf } from "./template.service.ts";

/** What a document is and for whom; with the record that it is about it keeps its words. */
export type Document = {
  docKind: DocKind;
  villageId: number;
  contractKind: ContractKind | null;
  /** An act on a contract, a loan of an archive, a flow of money, a hand-over sheet: by the kind. */
  recordId?: number;
};
type Kept = Document & { recordId: number };

/**
 * Fixes the words of a document: those in force now, or the built-in ones. Called when it is handed in, signed or handed over; one
 * that is worked out anew (`again`) takes the words of its own day.
 */
export async function keepWording(act: Act, document: Kept, again = false): Promise<void> {
  const { docKind, recordId, villageId } = document;
  const version = (await inForce(act, document, act.today))?.versionId ?? null;
  await act.tx
    .insertInto("documentWording")
    .values({
      docKind,
      recordId,
      villageId,
      templateVersionId: version,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    .onConflict((oc) => {
      const key = oc.columns(["docKind", "recordId"]);
      return again ? key.doUpdateSet({ templateVersionId: version }) : key.doNothing();
    })
    .execute();
}

const builtIn = (docKind: DocKind): Wording => ({
  pieces: cleaned(defaultText(docKind)).pieces,
  head: "",
  foot: "",
});

/** The words that a document was made in, else those in force today, else the built-in ones. */
async function wordingOf(read: Read, document: Document): Promise<Wording> {
  const { docKind, recordId } = document;
  const { rows } = await sql<{ versionId: number | null }>`
    select template_version_id "versionId" from document_wording
    where doc_kind = ${docKind} and record_id = ${recordId ?? null}`.execute(read.tx);
  const versionId = rows[0]
    ? rows[0].versionId
    : ((await inForce(read, document, read.today))?.versionId ?? null);
  return (versionId === null ? undefined : await versionOf(read, versionId)) ?? builtIn(docKind);
}

export const documentPaper = async (read: Read, document: Document, content: Content): Promise<Paper> =>
  paperIn(await wordingOf(read, document), content);

async function fileOf(read: Read, papers: readonly Paper[], name: string) {
  const body = await printedTogether(papers, name, await markOf(read, "pdfs"));
  return { name: `${name}.pdf`, type: "application/pdf", body, inline: true };
}

/** A document as PDF with its reader's mark, to be looked at. */
export const documentFile = async (
  read: Read,
  document: Document,
  { name, ...content }: Content & { name: string },
) => fileOf(read, [await documentPaper(read, document, content)], name);

type Loose = Omit<Document, "recordId" | "docKind"> & Content;

/** Documents of one kind that keep no words, in one PDF: each in the words in force today and on pages of its own. */
export async function documentsFile(read: Read, docKind: DocKind, all: readonly Loose[], name: string) {
  const words = new Map<string, Wording>();
  const papers: Paper[] = [];
  for (const { villageId, contractKind, ...content } of all) {
    const key = `${villageId} ${contractKind}`;
    const wording = words.get(key) ?? (await wordingOf(read, { docKind, villageId, contractKind }));
    words.set(key, wording);
    papers.push(paperIn(wording, content));
  }
  return fileOf(read, papers, name);
}
