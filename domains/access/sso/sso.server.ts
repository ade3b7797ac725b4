import { sql } from "kysely";
import { e164 } from "../../../platform/kernel/texts/contact.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { entered } from "../session/session.service.ts";
import { ATTEMPT_MS, beginAt, claimsOfCode, claimsOfTicket } from "./issuer.service.ts";
import { ssoLogin, startSso } from "./sso.contract.ts";

/** Which column holds what the issuer knows people by. */
const COLUMN = { preferred_username: "account", phone_number: "phone", email: "email" } as const;
/** Who holds an account or a directory entry is the issuer's word; a number or an address must have been proved to it. */
const PROOF = { preferred_username: undefined, phone_number: "手机号", email: "邮箱" } as const;
const COOKIE = "sams_sso";

/** What an operator is looked up by; nothing where the claim is no number or name at all. */
function wantedOf(claim: keyof typeof COLUMN, said: unknown): string | undefined {
  if (typeof said !== "string" || !said.trim()) return undefined;
  if (claim !== "phone_number") return said.trim().toLowerCase();
  // operators have mainland numbers, written without their country
  const number = e164(said);
  return number?.startsWith("+86") ? number.slice(3) : undefined;
}

/** A ticket or code that named nobody is used up all the same. */
const no = (code: string, sentence: string) => new Refusal(code, sentence, 400, { keeps: true });

export default [
  serve(startSso, async (act, { raw }) => {
    const { url, browser } = await beginAt(act);
    raw.setCookie(COOKIE, browser, ATTEMPT_MS / 1000);
    return { url };
  }),

  serve(ssoLogin, async (act, { body, raw }) => {
    const claims =
      "ticket" in body
        ? await claimsOfTicket(act, body.ticket)
        : await claimsOfCode(act, body, raw.cookie(COOKIE));
    const claim = act.settings.SSO_CLAIM;
    const wanted = wantedOf(claim, claims[claim]);
    const proof = PROOF[claim];
    if (wanted && proof && claims[`${claim}_verified`] !== true)
      throw no("unverified", `您在统一认证平台登记的${proof}尚未验证，请验证后再登录`);
    const found = wanted
      ? await act.tx
          .selectFrom("operator")
          .selectAll()
          .where(sql`lower(${sql.ref(COLUMN[claim])})`, "=", wanted)
          .limit(2)
          .forNoKeyUpdate()
          .execute()
      : [];
    // an address that two people share names neither
    const operator = found.length === 1 ? found[0] : undefined;
    if (!operator) throw no("unknownPerson", "未找到对应账号，请联系管理员");
    act.concerns(operator);
    if (operator.state !== "active") throw no("closedAccount", "账号已停用");
    // whether a second factor is asked for is the issuer's own rule
    return entered(act, operator, true);
  }),
];
