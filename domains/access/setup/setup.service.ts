import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { hashOf, newToken } from "../../../platform/server/pipeline/session.ts";
import { insertOperator, type NewOperator } from "../operator/operator.service.ts";
import { enterpriseMade } from "../application/application.contract.ts";

/** 24 hours. */
const TTL_MS = 86_400_000;

/** True while nobody runs the platform, so that somebody may be made who does. */
async function isUnclaimed({ tx }: Read): Promise<boolean> {
  const row = await tx
    .selectFrom("operator")
    .select("id")
    .where("superType", "=", "0")
    .limit(1)
    .executeTakeFirst();
  return !row;
}

/** A fresh token for the set-up page, or nothing once the house has a super administrator. */
export async function newSetupToken(act: Act): Promise<string | undefined> {
  if (!(await isUnclaimed(act))) return undefined;
  const token = newToken();
  const expiresAt = new Date(act.now.getTime() + TTL_MS).toISOString();
  await act.tx.deleteFrom("setupLink").where("expiresAt", "<=", act.now.toISOString()).execute();
  await act.tx
    .insertInto("setupLink")
    .values({ tokenHash: hashOf(token), expiresAt })
    .execute();
  return token;
}

export async function opens(read: Read, token: string): Promise<boolean> {
  const link = await read.tx
    .selectFrom("setupLink")
    .select("usedAt")
    .where("tokenHash", "=", hashOf(token))
    .where("expiresAt", ">", read.now.toISOString())
    .executeTakeFirst();
  return !!link && link.usedAt === null && (await isUnclaimed(read));
}

type First = Omit<NewOperator, "enterpriseId" | "superType">;

/** Enterprise, department and super administrator in one transaction; every link is used up with it. */
export async function claimHouse(
  act: Act,
  token: string,
  enterpriseName: string,
  first: First,
): Promise<number> {
  // two people with two links: the second waits here and then finds the house claimed
  await sql`lock table setup_link in share row exclusive mode`.execute(act.tx);
  if (!(await opens(act, token))) throw new Refusal("linkClosed", "链接无效或已过期", 400);
  const { id: enterpriseId } = await act.tx
    .insertInto("enterprise")
    .values({ name: enterpriseName })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.tx.insertInto("department").values({ enterpriseId, name: "总部" }).execute();
  const id = await insertOperator(act, { ...first, enterpriseId, superType: "0", allVillages: true });
  await act.tx.updateTable("setupLink").set({ usedAt: act.now.toISOString() }).execute();
  await act.emit(enterpriseMade, { id: enterpriseId });
  act.concerns({ id, enterpriseId, realName: first.realName });
  await act.note({
    kind: "enterprise",
    recordId: enterpriseId,
    action: "初始化",
    summary: `初始化系统，企业 ${enterpriseName}，管理员 ${first.realName}（${first.account}）`,
  });
  return id;
}
