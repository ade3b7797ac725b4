import { sql } from "kysely";
import { SECONDS } from "../../access/sms/sms.rules.ts";
import { notFound } from "../../../platform/kernel/refusal.ts";
import { maskBank, maskCertificate, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { amongWords, keyword, part } from "../../../platform/server/lists/conditions.ts";
import { listOf, type RowOf } from "../../../platform/server/lists/list.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf } from "../../../platform/server/pipeline/scope.ts";
import { listLessors } from "./lessor.contract.ts";
import { endsSoon, REMIND_DAYS } from "./lessor.rules.ts";

/** Whoever runs the platform sees the lessors of every enterprise, everybody else their own. */
const seesAll = (read: Pick<Read, "who">) => read.who.superType === "0";

const ending = (read: Pick<Read, "today">) =>
  sql<boolean>`(l.auth_state = 'authorised' and l.auth_to between ${read.today}::date and ${read.today}::date + ${REMIND_DAYS}::int)`;

type Raw = Omit<RowOf<typeof listLessors>, "ending">;
export const lessors = listOf(listLessors, {
  id: "l.id",
  from: sql`lessor l`,
  scope: (read) => (seesAll(read) ? sql`true` : sql`l.enterprise_id = ${read.who.enterpriseId}`),
  where: {
    verifyState: amongWords("l.verify_state"),
    authState: amongWords("l.auth_state"),
    ending: (_, read) => ending(read),
    keyword: keyword(part("l.name"), part("l.credit_code")),
  },
  sort: {
    updatedAt: "l.updated_at",
    name: { by: sql`l.name collate "zh-x-icu"`, way: "asc" },
    authTo: "l.auth_to",
  },
  order: "updatedAt",
  columns: sql<Raw>`l.id, l.name, l.credit_code "creditCode", l.legal_name "legalName",
    l.verify_state "verifyState", l.auth_state "authState", l.auth_to "authTo",
    coalesce(n.villages, 0)::int villages, coalesce(n.seals, 0)::int seals,
    case when l.enabled then 'enabled' else 'disabled' end state, l.updated_at "updatedAt", l.version`,
  join: sql`join lessor l on l.id = page.id
    left join lateral (select count(distinct s.id) seals, count(distinct v.id) filter (where s.enabled) villages
      from seal s left join lateral unnest(s.village_ids) v (id) on true where s.lessor_id = l.id) n on true`,
  rows: (raws, read) =>
    raws.map((raw) => ({ ...raw, ending: endsSoon(raw.authState, raw.authTo, read.today) })),
});

/** A lessor that the caller may see, as it is stored. `lock`: until the transaction ends nobody else changes it. */
export async function lessorSeen(read: Read, id: number, lock = false) {
  let query = read.tx.selectFrom("lessor").selectAll().where("id", "=", id);
  if (!seesAll(read)) query = query.where("enterpriseId", "=", read.who.enterpriseId);
  if (lock) query = query.forUpdate();
  const row = await query.executeTakeFirst();
  if (!row) throw notFound();
  return row;
}
export type Lessor = Awaited<ReturnType<typeof lessorSeen>>;

/** The run of verification or authorisation that is open. */
export const openRequest = (read: Pick<Read, "tx">, lessorId: number, kind: "verify" | "authorise") =>
  read.tx
    .selectFrom("lessorRequest")
    .selectAll()
    .where("lessorId", "=", lessorId)
    .where("kind", "=", kind)
    .where("state", "=", "open")
    .executeTakeFirst();
export type LessorRequest = NonNullable<Awaited<ReturnType<typeof openRequest>>>;

/** An open run as its starter follows it. */
export function requestShown(read: Pick<Read, "now">, request: LessorRequest | undefined) {
  if (!request) return null;
  const sent = request.codeSentAt ? new Date(request.codeSentAt).getTime() + SECONDS * 1000 : 0;
  const locked = request.lockedUntil !== null && new Date(request.lockedUntil) > read.now;
  return {
    id: request.id,
    phone: maskPhone(request.phone),
    createdAt: request.createdAt,
    waitSeconds: Math.max(0, Math.ceil((sent - read.now.getTime()) / 1000)),
    lockedUntil: locked ? request.lockedUntil : null,
  };
}

/** The newest verification, open or closed. */
export const lastVerify = (read: Pick<Read, "tx">, lessorId: number) =>
  read.tx
    .selectFrom("lessorRequest")
    .select(["way", "createdAt", "closedAt"])
    .where("lessorId", "=", lessorId)
    .where("kind", "=", "verify")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();

const named = async (read: Read, table: "village" | "seal", ids: readonly number[]) =>
  ids.length
    ? read.tx
        .selectFrom(table as "village")
        .select(["id", "name"])
        .where("id", "=", anyOf(ids))
        .orderBy("id")
        .execute()
    : [];

/** A lessor as people see it, with its papers; numbers of people masked. */
export async function lessorDetail(read: Read, id: number) {
  const row = await lessorSeen(read, id);
  const papers = [row.licenceFileId, row.legalFrontFileId, row.legalBackFileId, ...row.otherFileIds];
  const [[shown], files, authVillages, authSeals] = await Promise.all([
    lessors.rowsOf(read, [id]),
    read.tx.selectFrom("storedFile").select(["id", "name", "type"]).where("id", "=", anyOf(papers)).execute(),
    named(read, "village", row.authVillageIds),
    named(read, "seal", row.authSealIds),
  ]);
  const fileOf = (fileId: number) => files.find((file) => file.id === fileId)!;
  return {
    ...shown!,
    kind: row.kind as "company",
    address: row.address,
    legalCertType: row.legalCertType as "idCard",
    legalCertNo: maskCertificate(read.cipher.open(row.legalCertNoCipher)),
    legalPhone: maskPhone(row.legalPhone),
    agentName: row.agentName,
    agentPhone: maskPhone(row.agentPhone),
    bankName: row.bankName,
    bankNo: row.bankNoCipher ? maskBank(read.cipher.open(row.bankNoCipher)) : "",
    licence: fileOf(row.licenceFileId),
    legalFront: fileOf(row.legalFrontFileId),
    legalBack: fileOf(row.legalBackFileId),
    others: row.otherFileIds.map(fileOf),
    verifyNote: row.verifyNote,
    verifiedAt: row.verifiedAt,
    authNote: row.authNote,
    authFrom: row.authFrom,
    authKinds: row.authKinds as "renter"[],
    authVillages,
    authSeals,
    authFileId: row.authFileId,
    createdAt: row.createdAt,
  };
}
