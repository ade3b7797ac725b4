import { sql } from "kysely";
import type { Day } from "../../../platform/kernel/day.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { cleaned, type Piece } from "./html.rules.ts";
import { type DocKind, docKindOf } from "./doc-kind.rules.ts";

export type Offered = { versionId: number; name: string; no: number; fieldsUsed: string[] };
type Wanted = { docKind: DocKind; villageId: number; contractKind: ContractKind | null };

/**
 * The versions that documents of a village and kind take on a day: one of each template that is switched on. Those that are meant for
 * this kind of contract come before those for any, the newest first.
 */
async function inForceAll(
  read: Pick<Read, "tx">,
  { docKind, villageId, contractKind }: Wanted,
  day: Day,
): Promise<Offered[]> {
  const { rows } = await sql<Offered>`
    select v.id "versionId", t.name, v.no, v.fields_used "fieldsUsed"
    from document_template_village tv join document_template t on t.id = tv.template_id
    cross join lateral (select id, no, effective_from, published_at, fields_used from template_version
      where template_id = t.id and published_at is not null and effective_from <= ${day}
      order by effective_from desc, no desc limit 1) v
    where tv.village_id = ${villageId} and t.doc_kind = ${docKind} and t.enabled
      and (t.contract_kind is null or t.contract_kind = ${contractKind})
    order by t.contract_kind is null, v.effective_from desc, v.published_at desc, v.id desc`.execute(read.tx);
  return rows;
}

/** The version in force for a kind of document; none where the built-in words are. */
export const inForce = async (
  read: Pick<Read, "tx">,
  wanted: Wanted,
  day: Day,
): Promise<Offered | undefined> => (await inForceAll(read, wanted, day))[0];

type Written = { villageId: number; kind: ContractKind; source: string };

/** The versions that a contract can be handed in with; for a renewal those of renewals before those of its kind. */
export async function offered(
  read: Pick<Read, "tx">,
  { villageId, kind, source }: Written,
  day: Day,
): Promise<Offered[]> {
  const kinds: DocKind[] = [...(source === "renewal" ? (["renewal"] as const) : []), docKindOf(kind)];
  const all = kinds.map((docKind) => inForceAll(read, { docKind, villageId, contractKind: kind }, day));
  return (await Promise.all(all)).flat();
}

/** The version that a contract is handed in with: the chosen one while it is offered, else the newest; none where there is none. */
export async function templateFor(
  read: Pick<Read, "tx" | "today">,
  contract: Written,
  wanted: number | undefined,
): Promise<Offered | undefined> {
  const all = await offered(read, contract, read.today);
  if (wanted === undefined) return all[0];
  const chosen = all.find((one) => one.versionId === wanted);
  if (!chosen) throw new Refusal("notOffered", "所选合同模板已停用或有新版本，请重新选择模板");
  return chosen;
}

export type Version = {
  id: number;
  templateId: number;
  name: string;
  no: number;
  pieces: readonly Piece[];
  head: string;
  foot: string;
};

/** A version as it is drawn; undefined where there is none. */
export async function versionOf(read: Pick<Read, "tx">, id: number): Promise<Version | undefined> {
  const row = await read.tx
    .selectFrom("templateVersion as v")
    .innerJoin("documentTemplate as t", "t.id", "v.templateId")
    .select(["v.id", "v.templateId", "t.name", "v.no", "v.html", "v.head", "v.foot"])
    .where("v.id", "=", id)
    .executeTakeFirst();
  if (!row) return undefined;
  const { html, ...rest } = row;
  return { ...rest, pieces: cleaned(html).pieces };
}
