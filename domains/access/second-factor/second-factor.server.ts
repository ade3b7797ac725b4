import { sql } from "kysely";
import { NEXT_VERSION, stamp } from "../../../platform/server/database/versioned.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { brandOf } from "../../../platform/server/pipeline/brand.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { confirmPassword } from "../session/password.service.ts";
import { demandCode, hasFactor, newRecoveryCodes, removeFactor } from "../session/factor.service.ts";
import { forgetFailuresHere, inLine, lockedMinutes, lockedRefusal } from "../session/lock.service.ts";
import { endSessions } from "../session/session.service.ts";
import { newSecret, stepOf, uriOf } from "../session/totp.service.ts";
import {
  beginSecondFactor,
  confirmSecondFactor,
  endSecondFactor,
  readRequirement,
  readSecondFactor,
  requireSecondFactor,
} from "./second-factor.contract.ts";

/** So long a secret that was shown may be confirmed. */
const PENDING_MS = 10 * 60_000;
const ALREADY = "两步验证已开启，更换手机请先关闭，再重新开启";

const accountOf = async ({ tx, who }: Read): Promise<string> =>
  (
    await tx
      .selectFrom("operator")
      .select("account")
      .where("id", "=", who.operatorId)
      .executeTakeFirstOrThrow()
  ).account;

const noteOwn = (act: Act, account: string, action: string): Promise<void> =>
  act.note({
    kind: "operator",
    recordId: act.who.operatorId,
    number: account,
    action,
    summary: `${action}：${act.who.name}（${account}）`,
  });

const requiredBy = async ({ tx, who }: Read): Promise<boolean> =>
  (
    await tx
      .selectFrom("enterprise")
      .select("secondFactorRequired")
      .where("id", "=", who.enterpriseId)
      .executeTakeFirstOrThrow()
  ).secondFactorRequired;

function administersAlone({ who }: Read): void {
  if (!who.superType) throw new Refusal("noPermission", "只有管理员可以设置企业的两步验证要求", 403);
}

export default [
  serveRead(readSecondFactor, async (read) => {
    const factor = await read.tx
      .selectFrom("secondFactor as f")
      .select([
        "confirmedAt",
        sql<number>`(select count(*) from recovery_code c where c.operator_id = f.operator_id)`.as("codes"),
      ])
      .where("operatorId", "=", read.who.operatorId)
      .where("confirmedAt", "is not", null)
      .executeTakeFirst();
    return {
      on: !!factor,
      since: factor?.confirmedAt ?? null,
      recoveryCodes: factor?.codes ?? 0,
      required: await requiredBy(read),
    };
  }),

  serve(beginSecondFactor, async (act, { body }) => {
    await confirmPassword(act, body.password);
    const { operatorId } = act.who;
    if (await hasFactor(act, operatorId)) throw new Refusal("alreadyOn", ALREADY);
    const text = newSecret();
    const fresh = { secret: act.cipher.seal(text), lastStep: 0, createdAt: act.now.toISOString() };
    await act.tx
      .insertInto("secondFactor")
      .values({ operatorId, ...fresh })
      .onConflict((c) => c.column("operatorId").doUpdateSet(fresh))
      .execute();
    const { productTitle } = await brandOf(act.settings.BRAND);
    return { id: operatorId, secret: text, uri: uriOf(productTitle, await accountOf(act), text) };
  }),

  serve(confirmSecondFactor, async (act, { body: { code } }) => {
    const { operatorId } = act.who;
    const factor = await act.tx
      .selectFrom("secondFactor")
      .selectAll()
      .where("operatorId", "=", operatorId)
      .forUpdate()
      .executeTakeFirst();
    if (factor?.confirmedAt) throw new Refusal("alreadyOn", ALREADY);
    if (!factor || act.now.getTime() - new Date(factor.createdAt).getTime() > PENDING_MS)
      throw new Refusal("notBegun", "二维码已失效，请重新输入登录密码获取");
    // a secret that stands on the person's own screen is nothing to guess at: wrong codes do not count
    const step = stepOf(act.cipher.open(factor.secret), code.replace(/\s/g, ""), act.now);
    if (step === undefined) throw invalid({ field: "code", msg: "动态验证码错误，请检查手机的时间是否准确" });
    await act.tx
      .updateTable("secondFactor")
      .set({ confirmedAt: act.now.toISOString(), lastStep: step })
      .where("operatorId", "=", operatorId)
      .execute();
    const recoveryCodes = await newRecoveryCodes(act, operatorId);
    await endSessions(act, operatorId, "secondFactor", act.who.sessionId);
    await noteOwn(act, await accountOf(act), "开启两步验证");
    return { id: operatorId, recoveryCodes };
  }),

  serve(endSecondFactor, async (act, { body: { code } }) => {
    const { operatorId: id } = act.who;
    const account = await accountOf(act);
    const name = account.toLowerCase();
    // tries stand in one line with those at the log-in
    await inLine(act, name);
    const shut = await lockedMinutes(act, name);
    if (shut) throw lockedRefusal("secondFactor", shut, "code");
    if (!(await hasFactor(act, id))) throw new Refusal("notOn", "两步验证尚未开启");
    await demandCode(act, { id, account }, code, "code");
    await forgetFailuresHere(act, name);
    await removeFactor(act, id);
    await noteOwn(act, account, "关闭两步验证");
    return { id };
  }),

  serveRead(readRequirement, async (read) => {
    const { without } = await read.tx
      .selectFrom("operator as o")
      .select(sql<number>`count(*)`.as("without"))
      .where("o.enterpriseId", "=", read.who.enterpriseId)
      .where("o.state", "=", "active")
      .where(
        sql<boolean>`not exists (select from second_factor f where f.operator_id = o.id and f.confirmed_at is not null)`,
      )
      .executeTakeFirstOrThrow();
    return { required: await requiredBy(read), without };
  }),

  serve(requireSecondFactor, async (act, { body: { required } }) => {
    administersAlone(act);
    const { enterpriseId: id } = act.who;
    await act.tx
      .updateTable("enterprise")
      .set({ secondFactorRequired: required, version: NEXT_VERSION, ...stamp(act) })
      .where("id", "=", id)
      .execute();
    return { id };
  }),
];
