import { sql } from "kysely";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { type Certified, selfSigned } from "./x509.service.ts";

const COMMON_NAME = "电子合同签署（自签证书）";
const NOBODY_KNOWN = "智慧公寓管理系统";
/** The deployment's certificate is followed by a new one so long before it ends. */
const DAYS_BEFORE = 30;

/** Keeps a certificate with its sealed key. Whose it is: a lessor's, or the deployment's. */
export async function keepCertificate(
  act: Act,
  { privateKey, ...facts }: Certified,
  lessorId: number | null,
): Promise<number> {
  const { id } = await act.tx
    .insertInto("sealCertificate")
    .values({
      ...facts,
      validFrom: facts.validFrom.toISOString(),
      validTo: facts.validTo.toISOString(),
      lessorId,
      source: lessorId === null ? "deployment" : "imported",
      keyCipher: act.cipher.seal(privateKey),
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** The deployment's own certificate as it is in force; undefined before the first was made. */
export const deploymentCertificate = (read: Pick<Read, "tx" | "now">) =>
  read.tx
    .selectFrom("sealCertificate")
    .select(["id", "subject", "fingerprint", "validFrom", "validTo"])
    .where("source", "=", "deployment")
    .where("validTo", ">", new Date(read.now.getTime() + DAYS_BEFORE * 86_400_000).toISOString())
    .orderBy("validTo", "desc")
    .limit(1)
    .executeTakeFirst();

/** The same; the first who needs it makes it, and everybody after them takes that one. */
export async function ownCertificate(act: Act): Promise<number> {
  const there = await deploymentCertificate(act);
  if (there) return there.id;
  await sql`select pg_advisory_xact_lock(hashtext('seal.ownCertificate'))`.execute(act.tx);
  const made = await deploymentCertificate(act);
  if (made) return made.id;
  const { PUBLIC_URL } = act.settings;
  const organisation = PUBLIC_URL ? new URL(PUBLIC_URL).hostname : NOBODY_KNOWN;
  return keepCertificate(act, await selfSigned(COMMON_NAME, organisation, act.now), null);
}
