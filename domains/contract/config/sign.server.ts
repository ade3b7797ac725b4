import { changesOf } from "../../../platform/kernel/fields/changes.ts";
import { invalid, stale } from "../../../platform/kernel/refusal.ts";
import { revise } from "../../../platform/server/database/versioned.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { seesWhole } from "../../access/operator/scope.service.ts";
import { changedOwner, configOf, configOwner } from "./config.service.ts";
import { readSignConfig, writeSignConfig } from "./sign.contract.ts";
import { signSettingsOf } from "./sign.service.ts";

export default [
  serveRead(readSignConfig, async (read, { query }) => {
    const owner = await configOwner(read, query.villageId);
    const [settings, { version, updatedAt, updatedBy }, whole] = await Promise.all([
      signSettingsOf(read, owner),
      configOf(read, owner),
      seesWhole(read, owner.enterpriseId),
    ]);
    const editable = owner.villageId !== null || whole;
    return { ...settings, villageId: owner.villageId, version, updatedAt, updatedBy, editable };
  }),

  serve(writeSignConfig, async (act, { query, body: { version, ...values } }) => {
    const of = await changedOwner(act, query.villageId);
    const [before, config] = await Promise.all([signSettingsOf(act, of), configOf(act, of)]);
    if (config.version !== version) throw stale();
    const changes = changesOf(readSignConfig.reply.shape, before, { ...before, ...values });
    if (!changes && version) throw invalid({ field: "", msg: "没有修改" });
    const row = { ...values, updatedBy: act.who.operatorId, updatedAt: act.now };
    // a first set of its own takes over what held until now
    const { holdDays, backdateDays, renewalWindowDays, moveInRule, freeRoomAt } = config;
    const { creditRule, verifyRule, maxDepositMonths, maxPrepayMonths, defaultTerms } = config;
    const limits = { holdDays, backdateDays, renewalWindowDays, moveInRule, freeRoomAt };
    const more = { creditRule, verifyRule, maxDepositMonths, maxPrepayMonths };
    const done = version
      ? await revise(act, "contractConfig", { ...of, version }, row)
      : await act.tx
          .insertInto("contractConfig")
          .values({
            ...limits,
            ...more,
            defaultTerms: JSON.stringify(defaultTerms),
            ...row,
            ...of,
            createdBy: act.who.operatorId,
          })
          .onConflict((c) => c.doNothing())
          .returning(["id", "version"])
          .executeTakeFirst();
    if (!done) throw stale();
    await act.note({
      kind: "contractConfig",
      recordId: done.id,
      villageId: of.villageId,
      action: "配置变更",
      summary: `${of.villageId ? "门店" : "企业"}签署设置：${changes?.summary ?? "单独设置"}`,
      ...(changes && { before: changes.before, after: changes.after }),
    });
    return { id: done.id, version: done.version };
  }),
];
