import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { serve } from "../../../platform/server/serve.ts";
import { entered } from "../session/enter.service.ts";
import { beginAt, claimsOfCode, claimsOfTicket } from "./issuer.service.ts";
import { ssoLogin, startSso } from "./sso.contract.ts";

/** Which column holds what the issuer knows people by. */
const COLUMN = { preferred_username: "account", phone_number: "phone", email: "email" } as const;
/** +86 139 0571 0002 is 13905710002 here. */
const plainPhone = (text: string) => text.replace(/^\+?86/, "").replace(/\D/g, "");

export default [
  serve(startSso, async (act) => ({ url: await beginAt(act) })),

  serve(ssoLogin, async (act, { body }) => {
    const claims = "ticket" in body ? await claimsOfTicket(act, body.ticket) : await claimsOfCode(act, body);
    const claim = act.settings.SSO_CLAIM;
    const said = claims[claim];
    const name = typeof said === "string" ? said.trim() : "";
    const wanted = claim === "phone_number" ? plainPhone(name) : name.toLowerCase();
    const found = wanted
      ? await act.tx
          .selectFrom("operator")
          .selectAll()
          .where(sql`lower(${sql.ref(COLUMN[claim])})`, "=", wanted)
          .limit(2)
          .execute()
      : [];
    // an address that two people share names neither
    const operator = found.length === 1 ? found[0] : undefined;
    // a ticket or code that named nobody is used up all the same
    const no = (code: string, sentence: string) => new Refusal(code, sentence, 400, { keeps: true });
    if (!operator) throw no("unknownPerson", "未找到对应账号，请联系管理员");
    act.concerns(operator);
    if (operator.state !== "active") throw no("closedAccount", "账号已停用");
    return entered(act, operator);
  }),
];
