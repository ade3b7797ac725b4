import { sql } from "kysely";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { ESIGN_ENDPOINT } from "./provider.rules.ts";
import { esignClient, type EsignClient } from "./tsign.service.ts";

type Of = { enterpriseId: number; villageId: number | null };
export type Account = {
  id: number;
  villageId: number | null;
  endpoint: string;
  appId: string;
  secret: Buffer;
};

const COLUMNS = ["id", "villageId", "endpoint", "appId", "secret"] as const;

/** The application that a village signs by: its own while it has settings of its own, else the enterprise's. */
export async function accountOf(read: Pick<Read, "tx">, of: Of): Promise<Account | undefined> {
  return read.tx
    .selectFrom("signProvider as p")
    .select(COLUMNS.map((column) => `p.${column}` as const))
    .where("p.enterpriseId", "=", of.enterpriseId)
    .where((eb) =>
      eb.or([
        eb("p.villageId", "is", null),
        eb.and([
          eb("p.villageId", "=", of.villageId),
          eb.exists(
            eb.selectFrom("contractConfig as c").select("c.id").whereRef("c.villageId", "=", "p.villageId"),
          ),
        ]),
      ]),
    )
    .orderBy(sql`p.village_id is null`)
    .limit(1)
    .executeTakeFirst();
}

export const accountById = (read: Pick<Read, "tx">, id: number): Promise<Account | undefined> =>
  read.tx.selectFrom("signProvider").select(COLUMNS).where("id", "=", id).executeTakeFirst();

export const secretOf = ({ cipher }: Pick<Read, "cipher">, { secret }: Account): string =>
  cipher.open(secret);

export const clientOf = (read: Pick<Read, "cipher" | "now">, account: Account): EsignClient =>
  esignClient({
    endpoint: account.endpoint,
    appId: account.appId,
    secret: secretOf(read, account),
    now: () => read.now,
  });

export type AccountInput = { appId: string; endpoint: string; secret?: string | undefined };

/**
 * Sets the application of a set. Its secret goes with application and address, so that nobody sends it elsewhere who does
 * not know it; without one nothing is changed, and what the enterprise has is not set twice. Answers what was changed.
 */
export async function saveAccount(
  act: Act,
  of: Of,
  { appId, secret, ...input }: AccountInput,
): Promise<string | undefined> {
  const endpoint = (input.endpoint || ESIGN_ENDPOINT).replace(/\/+$/, "");
  if (!appId) throw invalid({ field: "appId", msg: "请输入应用ID" });
  const before = await accountOf(act, of);
  const same = before?.appId === appId && before.endpoint === endpoint;
  if (same && !secret) return undefined;
  if (!secret)
    throw invalid({ field: "secret", msg: before ? "更换应用或地址须同时填写应用密钥" : "请输入应用密钥" });
  const own = before?.villageId === of.villageId;
  if (own && !same) await refuseUnderWay(act, before.id);
  const row = {
    appId,
    endpoint,
    secret: act.cipher.seal(secret),
    updatedAt: act.now.toISOString(),
    updatedBy: act.who.operatorId,
  };
  await act.tx
    .insertInto("signProvider")
    .values({ ...row, ...of, provider: "esign", createdBy: act.who.operatorId })
    // a store may have had one before it went back to the enterprise's settings
    .onConflict((oc) => oc.constraint("sign_provider_set").doUpdateSet(row))
    .execute();
  return [
    before?.appId !== appId && `e签宝应用ID ${before?.appId ?? "未设置"}→${appId}`,
    before?.endpoint !== endpoint && `接口地址 ${before?.endpoint ?? "未设置"}→${endpoint}`,
    own ? "更换应用密钥" : "设置应用密钥",
  ]
    .filter(Boolean)
    .join("；");
}

/** What is signed at one application is not known to another. */
async function refuseUnderWay(act: Act, accountId: number): Promise<void> {
  const { n } = await act.tx
    .selectFrom("signOutside")
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .where("accountId", "=", accountId)
    .where("nextAt", "is not", null)
    .executeTakeFirstOrThrow();
  if (Number(n))
    throw new Refusal("notAllowed", `该应用有 ${n} 份合同正在e签宝签署，完成或撤销后才能更换应用`, 409);
}
