import { sql } from "kysely";
import { Refusal, forbidden, invalid, notFound } from "../../../platform/kernel/refusal.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { ownCertificate } from "./certificate.service.ts";
import { ON_CONTRACTS, SEAL_KINDS, type SealKind, type ToSign, whyNotSet } from "./seal.rules.ts";

/** A seal that may be set, and whose it is. */
export type SealToSet = {
  id: number;
  name: string;
  kind: SealKind;
  imageFileId: number;
  autoSeal: boolean;
  operatorIds: number[];
  lessorId: number;
  lessorName: string;
  lessorCreditCode: string;
};
export type SigningKey = {
  certificateId: number;
  /** The certificate, and after it those that issued it. */
  pem: string;
  /** PKCS#8. Never to be logged, answered or kept. */
  privateKey: string;
  subject: string;
  fingerprint: string;
  validTo: Date;
};
/** The seals, as the rules ask about them. */
const seals = (read: Pick<Read, "tx">) =>
  read.tx
    .selectFrom("seal as s")
    .innerJoin("lessor as l", "l.id", "s.lessorId")
    .leftJoin("sealCertificate as c", "c.id", "s.certificateId")
    .select(["s.id", "s.name", "s.kind", "s.imageFileId", "s.autoSeal", "s.operatorIds", "s.villageIds"])
    .select(["s.enabled", "l.id as lessorId", "l.name as lessorName", "l.creditCode as lessorCreditCode"])
    .select(["l.enabled as lessorEnabled", "l.authState", "l.authFrom", "l.authTo", "l.authKinds"])
    .select(["l.authVillageIds", "l.authSealIds", "c.validTo"]);

type Row = Awaited<ReturnType<ReturnType<typeof seals>["execute"]>>[number];

const refusalOf = (read: Pick<Read, "today" | "now">, seal: Row, to: ToSign) =>
  whyNotSet(
    { ...seal, validTo: seal.validTo === null ? null : new Date(seal.validTo) },
    to,
    read.today,
    read.now,
  );

const toSet = (seal: Row): SealToSet => ({
  id: seal.id,
  name: seal.name,
  kind: seal.kind as SealKind,
  imageFileId: seal.imageFileId,
  autoSeal: seal.autoSeal,
  operatorIds: seal.operatorIds,
  lessorId: seal.lessorId,
  lessorName: seal.lessorName,
  lessorCreditCode: seal.lessorCreditCode,
});

/** The seals for contracts of a store, of a lessor where one is named: the contract seal before the official one, the older before the younger. */
async function inOrder(read: Pick<Read, "tx">, { villageId, lessorId }: ToSign): Promise<Row[]> {
  const found = await seals(read)
    .where("s.kind", "in", [...ON_CONTRACTS])
    .where("s.enabled", "=", true)
    .where(sql<boolean>`s.village_ids @> array[${villageId}]::bigint[]`)
    .$if(lessorId !== undefined, (q) => q.where("s.lessorId", "=", lessorId!))
    .execute();
  const rank = (seal: Row) => ON_CONTRACTS.indexOf(seal.kind as (typeof ON_CONTRACTS)[number]);
  return found.toSorted((a, b) => rank(a) - rank(b) || a.id - b.id);
}

type Asked = Pick<Read, "tx" | "today" | "now">;

/** The seals that may be set on contracts of a store, the usual one first; `why` says what stands in the way of the first where none may. */
export async function sealsFor(read: Asked, to: ToSign): Promise<{ seals: SealToSet[]; why: string }> {
  const found = await inOrder(read, to);
  const seals = found.filter((seal) => !refusalOf(read, seal, to)).map(toSet);
  const none = found.length
    ? refusalOf(read, found[0]!, to)!
    : "该门店没有可用的印章，请在合同配置的印章中为门店设置";
  return { seals, why: seals.length ? "" : none };
}

/** The seal that closes contracts of a store. Refuses with what stands in the way of the first where none may be set. */
export async function sealFor(read: Asked, to: ToSign): Promise<SealToSet> {
  const { seals, why } = await sealsFor(read, to);
  if (!seals[0]) throw new Refusal("notAllowed", why);
  return seals[0];
}

/** The seal that was chosen for a contract of an enterprise; refused under its field where it may not be set. */
export async function chosenSeal(
  read: Asked,
  sealId: number,
  { enterpriseId, ...to }: ToSign & { enterpriseId: number },
): Promise<SealToSet> {
  const seal = await seals(read)
    .where("s.id", "=", sealId)
    .where("l.enterpriseId", "=", enterpriseId)
    .executeTakeFirst();
  const onContracts = ON_CONTRACTS.some((kind) => kind === seal?.kind);
  const wrong = !seal ? "请选择印章" : onContracts ? refusalOf(read, seal, to) : "财务章不能用于合同";
  if (wrong) throw invalid({ field: "sealId", msg: wrong });
  return toSet(seal!);
}

/** A lessor as a contract names it. */
export type NamedLessor = { id: number; name: string; creditCode: string; address: string };

/**
 * The lessor that lets in a store: whose seal was chosen, else closes its contracts, or would if it were authorised; none where the
 * store has no seal.
 */
export async function lessorFor(read: Asked, to: ToSign, chosen?: SealToSet): Promise<NamedLessor | null> {
  const found = chosen ? [] : await inOrder(read, to);
  const seal =
    chosen ?? found.find((each) => !refusalOf(read, each, to)) ?? found.find((each) => each.lessorEnabled);
  return seal ? theRow(read, "lessor", ["id", "name", "creditCode", "address"], { id: seal.lessorId }) : null;
}

/**
 * A certain seal for a contract, just before it is set: held until the transaction ends, so that a revocation comes
 * either before (and refuses it) or after it.
 */
export async function holdSeal(act: Act, sealId: number, to: ToSign): Promise<SealToSet> {
  const seal = await seals(act).where("s.id", "=", sealId).forShare(["s", "l"]).executeTakeFirst();
  if (!seal) throw notFound();
  const strange = to.lessorId !== undefined && to.lessorId !== seal.lessorId;
  const refused = strange ? "印章不属于合同的出租企业" : refusalOf(act, seal, to);
  if (refused) throw new Refusal("notAllowed", refused);
  return toSet(seal);
}

/** Refuses whoever is not among the operators of the seal. */
export function mayStamp(read: Pick<Read, "who">, seal: Pick<SealToSet, "operatorIds">): void {
  if (!seal.operatorIds.includes(read.who.operatorId)) throw forbidden();
}

/** What a file is closed with: the seal's imported certificate, else the deployment's own. */
export async function keyOf(act: Act, sealId: number): Promise<SigningKey> {
  const seal = await act.tx
    .selectFrom("seal")
    .select("certificateId")
    .where("id", "=", sealId)
    .executeTakeFirst();
  if (!seal) throw notFound();
  const certificateId = seal.certificateId ?? (await ownCertificate(act));
  const kept = await act.tx
    .selectFrom("sealCertificate")
    .selectAll()
    .where("id", "=", certificateId)
    .executeTakeFirstOrThrow();
  const validTo = new Date(kept.validTo);
  if (validTo <= act.now) throw new Refusal("notAllowed", "印章证书已过期");
  return {
    certificateId,
    pem: kept.pem,
    privateKey: act.cipher.open(kept.keyCipher),
    subject: kept.subject,
    fingerprint: kept.fingerprint,
    validTo,
  };
}

export type SealUse = {
  sealId: number;
  certificateId: number;
  documentId: number;
  fileId?: number;
  /** What people call the document by: 租客合同 HT20261120-000123. */
  title: string;
  contractId?: number;
  villageId: number;
  reason?: string;
};

/** Writes down that a seal was set, in the transaction that sets it: by whoever acts, or by itself in a job. */
export async function noteSealUse(act: Act, use: SealUse): Promise<void> {
  await act.tx
    .insertInto("sealUse")
    .values({ ...use, operatorId: act.who.operatorId || null, at: act.now.toISOString() })
    .execute();
  const { name, kind } = await act.tx
    .selectFrom("seal")
    .select(["name", "kind"])
    .where("id", "=", use.sealId)
    .executeTakeFirstOrThrow();
  await act.note({
    kind: "seal",
    recordId: use.sealId,
    villageId: use.villageId,
    number: name,
    action: "用印",
    summary: `${SEAL_KINDS[kind as SealKind]}「${name}」用于${use.title}${use.reason ? `：${use.reason}` : ""}`,
  });
}
