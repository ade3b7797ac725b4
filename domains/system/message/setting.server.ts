import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { ALWAYS, TYPE_NUMBERS } from "./message.rules.ts";
import { getMessageSetting, putMessageSetting } from "./setting.contract.ts";

export default [
  serveRead(getMessageSetting, async ({ tx, who }) => {
    const row = await tx
      .selectFrom("messageSetting")
      .selectAll()
      .where("operatorId", "=", who.operatorId)
      .executeTakeFirst();
    const muted = row?.muted ?? [];
    return {
      types: TYPE_NUMBERS.filter((type) => !muted.includes(type)).map((type) => String(type) as "1"),
      mailed: (row?.mailed ?? []).map((type) => String(type) as "1"),
      texted: (row?.texted ?? []).map((type) => String(type) as "1"),
      quietFrom: row?.quietFrom ?? null,
      quietTo: row?.quietTo ?? null,
      alarmLevel: String(row?.alarmLevel ?? 1) as "1",
    };
  }),

  serve(putMessageSetting, async ({ tx, who }, { body }) => {
    const chosen = {
      muted: TYPE_NUMBERS.filter((type) => !ALWAYS.includes(type) && !body.types.includes(`${type}`)),
      mailed: body.mailed.map(Number),
      texted: body.texted.map(Number),
      quietFrom: body.quietFrom ?? null,
      quietTo: body.quietTo ?? null,
      alarmLevel: Number(body.alarmLevel),
    };
    await tx
      .insertInto("messageSetting")
      .values({ operatorId: who.operatorId, ...chosen })
      .onConflict((c) => c.column("operatorId").doUpdateSet(chosen))
      .execute();
    return null;
  }),
];
