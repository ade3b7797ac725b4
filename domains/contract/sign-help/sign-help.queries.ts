import { sql } from "kysely";
import { dayInZone } from "../../../platform/kernel/day.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { anyOf, villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { deploymentCertificate } from "../seal/certificate.service.ts";
import { ON_CONTRACTS, unauthorised, whyNotSet } from "../seal/seal.rules.ts";
import { CONTRACT_KINDS } from "../terms/kind.rules.ts";
import { DOC_KINDS, docKindOf } from "../template/doc-kind.rules.ts";
import { checklist, type SignFacts } from "./sign-help.rules.ts";

/** The seals that may close contracts, with the lessor that each is of. */
const sealsOf = ({ tx, who }: Read) =>
  tx
    .selectFrom("seal as s")
    .innerJoin("lessor as l", "l.id", "s.lessorId")
    .leftJoin("sealCertificate as c", "c.id", "s.certificateId")
    .select(["s.id", "s.enabled", "s.villageIds", "s.certificateId", "c.validTo"])
    .select(["l.enabled as lessorEnabled", "l.authState", "l.authFrom", "l.authTo", "l.authKinds"])
    .select(["l.authVillageIds", "l.authSealIds"])
    .where("l.enterpriseId", "=", who.enterpriseId)
    .where("s.enabled", "=", true)
    .where("s.kind", "in", [...ON_CONTRACTS])
    .execute();

/** Stores with whoever works there, and kinds of contracts with a template that is in force. */
async function storesOf(read: Read, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; name: string; staffed: boolean; kinds: string[] }>`
    select v.id, v.name,
      exists (select from operator o where o.enterprise_id = v.enterprise_id and o.state <> 'disabled'
        and (o.all_villages or o.village_ids @> array[v.id]::bigint[])) staffed,
      array(select distinct t.doc_kind from document_template_village tv join document_template t on t.id = tv.template_id
        where tv.village_id = v.id and t.enabled and exists (select from template_version p where p.template_id = t.id
          and p.published_at is not null and p.effective_from <= ${read.today}::date)) kinds
    from village v where v.id = ${anyOf(ids)} order by v.id`.execute(read.tx);
  return rows;
}

async function signFacts(read: Read, villageId?: number): Promise<SignFacts> {
  const ids = villagesOf(read.who, villageId ? [villageId] : undefined);
  const [lessors, seals, stores, deployment, trial] = await Promise.all([
    read.tx
      .selectFrom("lessor")
      .select(["name", "verifyState", "authState", "authFrom", "authTo", "enabled"])
      .where("enterpriseId", "=", read.who.enterpriseId)
      .where("enabled", "=", true)
      .orderBy("id")
      .execute(),
    sealsOf(read),
    storesOf(read, ids),
    deploymentCertificate(read),
    read.tx
      .selectFrom("signTrial")
      .select((eb) => eb.fn.max("endedAt").as("endedAt"))
      .where("villageId", "=", anyOf(ids))
      .where("state", "=", "signed")
      .executeTakeFirst(),
  ]);
  const settable = (seal: (typeof seals)[number], store: number) =>
    CONTRACT_KINDS.some(
      (contractKind) =>
        !whyNotSet(
          { ...seal, validTo: seal.validTo === null ? null : new Date(seal.validTo) },
          { villageId: store, contractKind },
          read.today,
          read.now,
        ),
    );
  const usesOwn = !seals.length || seals.some((s) => s.certificateId === null);
  const dayOf = (moment: string | Date) => dayInZone(new Date(moment), read.settings.TIME_ZONE);
  return {
    today: read.today,
    lessors: lessors.map((l) => ({
      name: l.name,
      verified: l.verifyState === "verified",
      authTo: l.authTo,
      authorised: !unauthorised(
        { ...l, lessorEnabled: l.enabled, authKinds: [], authVillageIds: [], authSealIds: [] },
        read.today,
      ),
    })),
    villages: stores.map((v) => v.name),
    unsealed: stores.filter((v) => !seals.some((s) => settable(s, v.id))).map((v) => v.name),
    unstaffed: stores.filter((v) => !v.staffed).map((v) => v.name),
    seals: seals.length,
    imported: seals.flatMap((s) => (s.validTo === null ? [] : [dayOf(s.validTo)])),
    own: !usesOwn
      ? null
      : deployment
        ? { subject: deployment.subject, until: dayOf(deployment.validTo) }
        : "unmade",
    bare: CONTRACT_KINDS.filter((kind) => stores.some((v) => !v.kinds.includes(docKindOf(kind)))).map(
      (kind) => DOC_KINDS[docKindOf(kind)][0],
    ),
    kinds: CONTRACT_KINDS.length,
    sms: read.settings.SMS_DRIVER,
    tried: trial?.endedAt ? dayOf(trial.endedAt) : null,
  };
}

export const checklistOf = async (read: Read, villageId?: number) =>
  checklist(await signFacts(read, villageId));
