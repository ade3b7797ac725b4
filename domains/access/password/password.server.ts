import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import { NEXT_VERSION } from "../../../platform/server/database/versioned.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { confirmPassword, matchesPlain, storedForm } from "../session/password.service.ts";
import { liftLocks } from "../session/lock.service.ts";
import { endSessions } from "../session/session.service.ts";
import { useSmsCode } from "../sms/sms.service.ts";
import { forgetPassword, replaceGivenPassword, updateInfo, updatePassword } from "./password.contract.ts";
import { aRow } from "../../../platform/server/database/row.ts";

const SAME = "新密码不能与原密码相同";

async function setPassword(act: Act, id: number, password: string): Promise<void> {
  const { account, passwordHash } = await act.tx
    .selectFrom("operator")
    .select(["account", "passwordHash"])
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (await matchesPlain(passwordHash, password)) throw invalid({ field: "password", msg: SAME });
  await act.tx
    .updateTable("operator")
    .set({
      passwordHash: await storedForm(password),
      mustChangePassword: false,
      version: NEXT_VERSION,
      updatedAt: act.now.toISOString(),
    })
    .where("id", "=", id)
    .execute();
  // a lock goes with the password that was guessed at
  await liftLocks(act, account);
}

export default [
  serve(forgetPassword, async (act, { body: { phone, code, password } }) => {
    await useSmsCode(act, phone, 2, code);
    const operator = await aRow(act, "operator", ["id", "enterpriseId", "realName"], { phone });
    if (!operator) throw new Refusal("codeWrong", "短信验证码错误或已失效");
    act.concerns(operator);
    await setPassword(act, operator.id, password);
    await endSessions(act, operator.id, "passwordReset");
    return null;
  }),

  serve(updatePassword, async (act, { body: { phone, code, password } }) => {
    if (phone !== act.who.phone) throw invalid({ field: "phone", msg: "验证码只能发送到本人的手机" });
    await useSmsCode(act, phone, 5, code);
    await setPassword(act, act.who.operatorId, password);
    await endSessions(act, act.who.operatorId, "passwordChanged", act.who.sessionId);
    return null;
  }),

  serve(replaceGivenPassword, async (act, { body: { password } }) => {
    if (!act.who.mustChangePassword) throw new Refusal("notGiven", "请通过修改密码设置新密码", 409);
    await setPassword(act, act.who.operatorId, password);
    await endSessions(act, act.who.operatorId, "passwordChanged", act.who.sessionId);
    return null;
  }),

  serve(updateInfo, async (act, { body: { code, name, newPhone, password } }) => {
    await confirmPassword(act, password);
    if (name && name !== act.who.name) throw invalid({ field: "name", msg: "姓名与登录账号不符" });
    if (newPhone === act.who.phone)
      throw invalid({ field: "newPhone", msg: "手机号和原手机号一致，请重新输入" });
    await useSmsCode(act, newPhone, 3, code);
    // the unique index decides a race; here it is said in the field's own words
    const taken = await aRow(act, "operator", ["id"], { phone: newPhone });
    if (taken) throw invalid({ field: "newPhone", msg: "该手机号已被使用" });
    await act.tx
      .updateTable("operator")
      .set({ phone: newPhone, version: NEXT_VERSION, updatedAt: act.now.toISOString() })
      .where("id", "=", act.who.operatorId)
      .execute();
    await endSessions(act, act.who.operatorId, "phoneChanged");
    return null;
  }),
];
