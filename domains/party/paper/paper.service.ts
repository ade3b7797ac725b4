import { addDays } from "../../../platform/kernel/day.ts";
import { removeAt } from "../../../platform/server/database/versioned.ts";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { attachFile, letGo } from "../../system/file/file.service.ts";
import { type Noted, PAGE_CODE, lockParty, noteParty, partyFor } from "../party/party.service.ts";
import { MOST_PAPERS, PAPER_KINDS, paperState, REMIND_DAYS } from "./paper.rules.ts";

type Kind = keyof typeof PAPER_KINDS;

export async function papersOf(read: Read, partyId: number) {
  await partyFor(read, partyId, "get");
  const rows = await read.tx
    .selectFrom("partyPaper as p")
    .leftJoin("operator as o", "o.id", "p.createdBy")
    .select(["p.id", "p.kind", "p.name", "p.fileId", "p.endDay", "p.createdAt", "p.version", "o.realName"])
    .where("p.partyId", "=", partyId)
    .orderBy("p.kind")
    .orderBy("p.id")
    .execute();
  const soon = addDays(read.today, REMIND_DAYS);
  return rows.map(({ realName, ...row }) => ({
    ...row,
    kind: row.kind as Kind,
    state: paperState(row.endDay, read.today, soon),
    createdName: realName ?? "系统",
  }));
}

/** A paper opens for who may open the record, in the store that registered it. */
const paperCarrier = (party: Noted) => ({
  targetKind: party.kind,
  targetId: party.id,
  villageId: party.homeVillageId,
  needs: `${PAGE_CODE[party.kind]}.get` as const,
});

export async function addPaperTo(
  act: Act,
  {
    partyId,
    ...input
  }: { partyId: number; kind: Kind; name: string; fileId: number; endDay?: string | null | undefined },
): Promise<{ id: number }> {
  const party = await lockParty(act, partyId);
  const { n } = await act.tx
    .selectFrom("partyPaper")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where("partyId", "=", partyId)
    .where("kind", "=", input.kind)
    .executeTakeFirstOrThrow();
  const [word] = PAPER_KINDS[input.kind];
  if (n >= MOST_PAPERS[input.kind])
    throw new Refusal("tooMany", `${word}最多${MOST_PAPERS[input.kind]}个文件，请先删除旧文件`);
  return keepPaper(act, party, { ...input, endDay: input.endDay ?? null });
}

/** Hangs a paper on a record that the caller has checked. */
export async function keepPaper(
  act: Act,
  party: Noted,
  paper: { kind: Kind; name: string; fileId: number; endDay: string | null },
): Promise<{ id: number }> {
  await attachFile(act, paper.fileId, paperCarrier(party));
  const made = await act.tx
    .insertInto("partyPaper")
    .values({ partyId: party.id, ...paper, createdBy: act.who.operatorId })
    .returning("id")
    .executeTakeFirstOrThrow();
  const [word] = PAPER_KINDS[paper.kind];
  await noteParty(act, party, {
    action: "附件",
    summary: `上传${word}${word === paper.name ? "" : paper.name}`,
  });
  return made;
}

export async function removePaper(act: Act, id: number, version: number): Promise<void> {
  const row = await act.tx.selectFrom("partyPaper").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) throw notFound();
  const party = await lockParty(act, row.partyId);
  await removeAt(act, "partyPaper", { id, version });
  await letGo(act, [row.fileId]);
  const [word] = PAPER_KINDS[row.kind as Kind];
  await noteParty(act, party, { action: "附件", summary: `删除${word}${row.name}` });
}
