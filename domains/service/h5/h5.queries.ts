import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import {
  AGREEMENT_TYPES,
  type AgreementType,
  type Block,
  MAINTAINED,
  UNKNOWN,
  holding,
  pagesIn,
  picturesIn,
  unknown,
} from "./block.rules.ts";

/** A whole number as it stands in an address, or one that nothing has. */
const numberOf = (typed: string): number => (/^[1-9]\d{0,8}$/.test(typed) ? Number(typed) : 0);

/** The version on show of a published page; everything else is unknown. */
export async function shownPage(read: Read, id: string) {
  const row = await read.tx
    .selectFrom("h5Page as p")
    .innerJoin("h5Version as v", (join) =>
      join.onRef("v.pageId", "=", "p.id").onRef("v.number", "=", "p.publishedVersion"),
    )
    .select(["p.id", "v.number", "v.title", "v.blocks"])
    .where("p.id", "=", numberOf(id))
    .where("p.kind", "=", "page")
    .where("p.state", "=", "published")
    .executeTakeFirst();
  if (!row) throw unknown(UNKNOWN);
  return { ...row, blocks: row.blocks as unknown as Block[] };
}

/** Blocks as they are shown today: a button to a page that was taken off says so. */
export async function shownBlocks(read: Read, blocks: readonly Block[]) {
  const linked = pagesIn(blocks).map((l) => l.pageId);
  const open = linked.length
    ? await read.tx
        .selectFrom("h5Page")
        .select("id")
        .where("id", "=", anyOf(linked))
        .where("state", "=", "published")
        .execute()
    : [];
  const there = new Set(open.map((p) => p.id));
  return blocks.map((block) =>
    block.kind === "button" && block.to.kind === "page"
      ? { ...block, to: { ...block.to, gone: !there.has(block.to.pageId) } }
      : block,
  );
}

export async function shownPicture(read: Read, id: string, fileId: string): Promise<number> {
  const { blocks } = await shownPage(read, id);
  const found = picturesIn(blocks).find((p) => p.fileId === numberOf(fileId));
  if (!found) throw unknown(UNKNOWN);
  return found.fileId;
}

/**
 * Once for each visitor and day. It is written here and not by a call of its own: a look is no act of anybody's and has
 * no place in the operation log. The mark of a visitor changes every day and leads back to nobody.
 */
export async function countView(read: Read, pageId: number): Promise<void> {
  const visitor = read.cipher.hash(`${read.today} ${read.ip} ${read.userAgent}`).subarray(0, 16);
  await read.tx
    .insertInto("h5View")
    .values({ pageId, day: read.today, visitor })
    .onConflict((oc) => oc.doNothing())
    .execute();
}

const isType = (type: string): type is AgreementType => (AGREEMENT_TYPES as string[]).includes(type);

/** An agreement as it holds today, or the version asked for. */
export async function agreementOf(read: Read, type: string, version: string | undefined) {
  const versions = isType(type)
    ? await read.tx
        .selectFrom("h5Version as v")
        .innerJoin("h5Page as p", "p.id", "v.pageId")
        .select(["v.number", "v.title", "v.effectiveDay", "v.blocks"])
        .where("p.agreementType", "=", type)
        .where("p.kind", "=", "agreement")
        .orderBy("v.number")
        .execute()
    : [];
  const now = holding(versions, read.today);
  const row = version === undefined ? now : versions.find((v) => v.number === numberOf(version));
  if (!row || !isType(type)) throw unknown(MAINTAINED);
  return {
    type,
    title: row.title,
    number: row.number,
    effectiveDay: row.effectiveDay!,
    blocks: row.blocks as unknown as Block[],
    before: row.number > 1 ? row.number - 1 : null,
    holds: now && now.number !== row.number ? now.number : null,
  };
}
