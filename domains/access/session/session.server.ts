import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { brandOf } from "../../../platform/server/pipeline/brand.ts";
import { opened } from "../function/authorities.rules.ts";
import { menuArrangement } from "../function/function.queries.ts";
import { newCaptcha, usesCaptcha } from "./drawing.service.ts";
import {
  demandsCaptcha,
  forgetFailuresHere,
  inLine,
  lockedMinutes,
  lockedRefusal,
  matches,
  recordFailure,
  wasteTime,
} from "./password.service.ts";
import { entered } from "./session.service.ts";
import { demandCode, hasFactor } from "./factor.service.ts";
import { getImage, login, logout, userInfo } from "./session.contract.ts";

const refusedLogin = (message: string, needImageCode: boolean) =>
  new Refusal("loginRefused", message, 400, { data: { needImageCode }, keeps: true });

async function demandCaptcha(
  act: Act,
  account: string,
  given: { imageCode?: string; imageCodeKey?: string },
) {
  if (!(await demandsCaptcha(act, account))) return;
  if (!given.imageCode) throw refusedLogin("请输入图形验证码", true);
  if (!(await usesCaptcha(act, given.imageCodeKey, given.imageCode)))
    throw refusedLogin("图形验证码错误或已失效", true);
}

export default [
  serveRead(getImage, async (read) => {
    const { key, image } = await newCaptcha(read);
    // The specification reads the key from this header, after '='.
    return {
      name: key,
      type: "image/png",
      body: image,
      inline: true,
      headers: { "content-disposition": `inline; filename=${key}` },
    };
  }),

  serve(login, async (act, { body }) => {
    const typed = body.account.toLowerCase();
    const find = () =>
      act.tx
        .selectFrom("operator")
        .selectAll()
        .where((eb) => eb.or([eb(sql`lower(account)`, "=", typed), eb("phone", "=", typed)]))
        .executeTakeFirst();
    // Account and phone are one door. Tries at it stand in a line, so that many at once get no more than five.
    const account = (await find())?.account.toLowerCase() ?? typed;
    await inLine(act, account);
    const operator = await find();
    if (operator) act.concerns(operator);
    await demandCaptcha(act, account, body);
    // Before the password is looked at: a lock must not tell whether a guess was right. A name that nobody has is answered as
    // one that is locked, or five tries would tell who works here.
    const shut = await lockedMinutes(act, account);
    if (shut) throw lockedRefusal("loginRefused", shut);
    const times = (await brandOf(act.settings.BRAND)).passwordHashTimes;
    const right = operator
      ? await matches(operator.passwordHash, body.password, times)
      : await wasteTime(body.password);
    if (!operator || !right) {
      const locked = await recordFailure(act, account);
      if (locked) throw lockedRefusal("loginRefused", locked);
      throw refusedLogin("账号或密码错误", true);
    }
    if (operator.state === "disabled") throw refusedLogin("账号已停用", false);
    if (await hasFactor(act, operator.id)) await demandCode(act, operator, body.dynamicCode);
    await forgetFailuresHere(act, account);
    return entered(act, operator);
  }),

  serve(logout, async (act) => {
    await act.tx
      .updateTable("loginSession")
      .set({ endedAt: act.now.toISOString(), endReason: "logout" })
      .where("id", "=", act.who.sessionId)
      .execute();
    return null;
  }),

  serveRead(userInfo, async (read) => {
    const { who, today } = read;
    const menu = await menuArrangement(read);
    const { menus, pages, actions, authorities } = opened(who.permits);
    return {
      mustChangePassword: who.mustChangePassword,
      mustEnrol: who.mustEnrol,
      operatorId: who.operatorId,
      name: who.name,
      avatar: "",
      phone: who.phone,
      superType: who.superType,
      villageCount: who.villages.length,
      today,
      viewAs: who.viewer ? { by: who.viewer.name, until: who.viewer.until } : null,
      menu: menu.filter((entry) => !entry.href || who.permits.has(String(entry.code))),
      firstFuncList: menus.map((id) => ({ id })),
      secFuncList: pages.map((id) => ({ id })),
      authorities,
      role: {
        permissions: pages.map((permissionId) => ({
          permissionId,
          actionEntitySet: (actions.get(permissionId) ?? []).map((action) => ({ action })),
        })),
      },
    };
  }),
];
