import { sql } from "kysely";
import { NEXT_VERSION, asSeen } from "../../../platform/server/database/versioned.ts";
import type { Given } from "../../../platform/kernel/call.ts";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { insertOperator } from "../operator/operator.service.ts";
import type { register } from "./application.contract.ts";
import { agreedText, whyDecided, type ApplicationState } from "./application.rules.ts";
import { enterpriseMade, registerApplied } from "./application.contract.ts";

type Applied = Omit<Given<typeof register>["body"], "code" | "agreed">;

/** The versions of the agreements that hold today: whoever agrees now agrees to these. */
async function heldToday(act: Act) {
  const { rows } = await sql<{ user: number | null; privacy: number | null }>`
    select (max(number) filter (where type = 'user'))::int "user", (max(number) filter (where type = 'privacy'))::int privacy
    from agreement_version where effective_day <= ${act.today}::date`.execute(act.tx);
  return rows[0]!;
}

/** An enterprise that is not open yet and its first operator, who cannot come in yet. */
export async function apply(act: Act, { companyName, realName, account, phone, password }: Applied) {
  // two who want the same account or phone stand in one line, in one order
  for (const door of [account.toLowerCase(), phone].toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${`register ${door}`}, 0))`.execute(act.tx);
  const taken = await act.tx
    .selectFrom("operator")
    .select(["phone", sql<string>`lower(account)`.as("account")])
    .where((eb) => eb.or([eb("phone", "=", phone), eb(sql`lower(account)`, "=", account.toLowerCase())]))
    .execute();
  const wrong = [
    ...(taken.some((o) => o.account === account.toLowerCase())
      ? [{ field: "account", msg: "该账号已被使用" }]
      : []),
    ...(taken.some((o) => o.phone === phone) ? [{ field: "phone", msg: "该手机号已被使用" }] : []),
  ];
  if (wrong.length) throw invalid(...wrong);
  const { id: enterpriseId } = await act.tx
    .insertInto("enterprise")
    .values({ name: companyName, enabled: false })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.tx.insertInto("department").values({ enterpriseId, name: "总部" }).execute();
  const operatorId = await insertOperator(act, {
    enterpriseId,
    account,
    realName,
    phone,
    password,
    superType: "1",
  });
  await act.tx.updateTable("operator").set({ state: "disabled" }).where("id", "=", operatorId).execute();
  const [number] = await act.numbers("ZC");
  const { user, privacy } = await heldToday(act);
  const agreed = agreedText(user, privacy);
  const { id } = await act.tx
    .insertInto("registerApplication")
    .values({
      userVersion: user,
      privacyVersion: privacy,
      number: number!,
      companyName,
      realName,
      account,
      phone,
      enterpriseId,
      operatorId,
      createdAt: act.now.toISOString(),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await act.note({
    kind: "registerApplication",
    recordId: id,
    number: number!,
    action: "申请",
    summary: `${companyName} 申请注册，申请人 ${realName}（${account}）${agreed && `，同意${agreed}`}`,
  });
  await act.emit(registerApplied, { id, number: number!, companyName, realName });
  return { id, number: number!, companyName, account, state: "waiting" as const, reason: "" };
}

/** Only who runs the platform decides; for everybody else there are no applications. */
export function needsPlatform(act: Pick<Act, "who">): void {
  if (act.who.superType !== "0") throw new Refusal("noPermission", "只有平台管理员可以审核注册申请", 403);
}

async function decided(act: Act, id: number, version: number, action: string) {
  needsPlatform(act);
  const row = await act.tx
    .selectFrom("registerApplication")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirstOrThrow(notFound);
  const why = whyDecided(row.state as ApplicationState, action);
  if (why) throw new Refusal("notAllowed", why);
  asSeen(row, version);
  const write = (state: ApplicationState, reason = "") =>
    act.tx
      .updateTable("registerApplication")
      .set({
        state,
        reason,
        decidedAt: act.now.toISOString(),
        decidedBy: act.who.operatorId,
        version: version + 1,
      })
      .where("id", "=", id)
      .execute();
  const note = (summary: string) =>
    act.note({ kind: "registerApplication", recordId: id, number: row.number, action, summary });
  return { row, write, note };
}

export async function enableApplied(act: Act, id: number, version: number): Promise<void> {
  const { row, write, note } = await decided(act, id, version, "开通");
  await act.tx.updateTable("enterprise").set({ enabled: true }).where("id", "=", row.enterpriseId!).execute();
  await act.tx
    .updateTable("operator")
    .set({ state: "active", version: NEXT_VERSION })
    .where("id", "=", row.operatorId!)
    .execute();
  await write("enabled");
  await note(`开通 ${row.companyName} 的注册申请`);
  // what every enterprise starts with comes now, not for those that are refused
  await act.emit(enterpriseMade, { id: row.enterpriseId! });
}

export async function refuseApplied(act: Act, id: number, version: number, reason: string): Promise<void> {
  const { row, write, note } = await decided(act, id, version, "拒绝");
  await write("refused", reason);
  // account and phone are free again; the enterprise stays closed
  await act.tx.deleteFrom("operator").where("id", "=", row.operatorId!).execute();
  await note(`拒绝 ${row.companyName} 的注册申请：${reason}`);
}
