import { Refusal } from "../../../platform/kernel/refusal.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { getPreference, MOST_KEYS, putPreference } from "./preference.contract.ts";

export default [
  serveRead(getPreference, async ({ tx, who }, { params }) => {
    const row = await tx
      .selectFrom("preference")
      .select("value")
      .where("operatorId", "=", who.operatorId)
      .where("key", "=", params.key)
      .executeTakeFirst();
    return { value: row?.value ?? null };
  }),

  serve(putPreference, async ({ tx, who }, { params: { key }, body }) => {
    const { operatorId } = who;
    if (body.value === null) {
      await tx.deleteFrom("preference").where("operatorId", "=", operatorId).where("key", "=", key).execute();
      return null;
    }
    const value = JSON.stringify(body.value);
    await tx
      .insertInto("preference")
      .values({ operatorId, key, value })
      .onConflict((c) => c.columns(["operatorId", "key"]).doUpdateSet({ value }))
      .execute();
    const { n } = await tx
      .selectFrom("preference")
      .select((eb) => eb.fn.countAll<number>().as("n"))
      .where("operatorId", "=", operatorId)
      .executeTakeFirstOrThrow();
    if (n > MOST_KEYS) throw new Refusal("tooMany", "个人设置过多", 400);
    return null;
  }),
];
