import { z } from "zod";
import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { serve } from "../../../platform/server/pipeline/serve.ts";
import { isTsigned, tsignSealOf } from "../../../platform/server/outside/tsign.ts";
import { signingOutside } from "../esign/esign.contract.ts";
import { accountById, secretOf } from "../provider/provider.service.ts";
import { signCallback } from "./outside.contract.ts";

/** Of a notification only whose it is counts; everything else is asked for. */
const about = z.object({ signFlowId: z.string().min(1) });

export default [
  serve(signCallback, async (act, { params: { provider }, query: { account: id }, raw }) => {
    const account = await accountById(act, id);
    // a stranger does not learn which applications there are
    if (!account) throw notFound();
    const app = { appId: account.appId, secret: secretOf(act, account) };
    const sent = { query: { account: String(id) }, body: raw.body };
    if (!isTsigned(app, tsignSealOf(raw.header), sent, act.now))
      throw new Refusal("forged", "通知签名验证失败", 401);
    const told = about.safeParse(JSON.parse(raw.body));
    const flow =
      told.success &&
      (await act.tx
        .selectFrom("signFlow as w")
        .innerJoin("signOutside as o", "o.flowId", "w.id")
        .select("w.id")
        .where("w.provider", "=", provider)
        .where("w.externalId", "=", told.data.signFlowId)
        .where("o.accountId", "=", id)
        .where("o.over", "=", false)
        .executeTakeFirst());
    // what is unknown here or over is taken, lest it is told again and again
    if (flow) {
      await act.tx
        .updateTable("signOutside")
        .set({ nextAt: act.now.toISOString() })
        .where("flowId", "=", flow.id)
        .execute();
      await act.emit(signingOutside, { flowId: flow.id });
    }
    return { code: "200" as const, msg: "success" as const };
  }),
];
