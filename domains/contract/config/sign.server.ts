import { changesOf } from "../../../platform/kernel/fields/changes.ts";
import { invalid, Refusal, stale } from "../../../platform/kernel/refusal.ts";
import { fewAtOnce, mayPass } from "../../../platform/server/outside/transient.ts";
import { revise, asSeen } from "../../../platform/server/database/versioned.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { seesWhole } from "../../access/operator/scope.service.ts";
import { changedOwner, configOf, configOwner } from "./config.service.ts";
import { accountOf, clientOf, saveAccount } from "../provider/provider.service.ts";
import { readSignConfig, testSignProvider, writeSignConfig } from "./sign.contract.ts";
import { signSettingsOf } from "./sign.service.ts";

/** Each keeps a connection of ours for as long as the provider takes to answer. */
const outside = fewAtOnce(3);

export default [
  serveRead(readSignConfig, async (read, { query }) => {
    const owner = await configOwner(read, query.villageId);
    const [settings, { version, updatedAt, updatedBy }, whole, account] = await Promise.all([
      signSettingsOf(read, owner),
      configOf(read, owner),
      seesWhole(read, owner.enterpriseId),
      accountOf(read, owner),
    ]);
    const editable = owner.villageId !== null || whole;
    return {
      ...settings,
      appId: account?.appId ?? "",
      endpoint: account?.endpoint ?? "",
      secretSet: account ? ("set" as const) : ("missing" as const),
      ...{ villageId: owner.villageId, version, updatedAt, updatedBy, editable },
    };
  }),

  serveRead(testSignProvider, async (read, { query }) => {
    const account = await accountOf(read, await configOwner(read, query.villageId));
    if (!account) throw new Refusal("notAllowed", "请先设置应用ID和应用密钥");
    try {
      await outside(() => clientOf(read, account).test());
      return { ok: true, said: "连接成功，e签宝已受理该应用的请求" };
    } catch (error) {
      if (error instanceof Refusal) return { ok: false, said: error.message };
      if (mayPass(error)) return { ok: false, said: "e签宝没有响应，请核对接口地址后重试" };
      throw error;
    }
  }),

  serve(writeSignConfig, async (act, { query, body }) => {
    const { version, appId, endpoint, secret, ...values } = body;
    const of = await changedOwner(act, query.villageId);
    const [before, config] = await Promise.all([signSettingsOf(act, of), configOf(act, of)]);
    asSeen(config, version);
    const changes = changesOf(readSignConfig.reply.shape, before, { ...before, ...values });
    const account = values.provider === "esign" && (await saveAccount(act, of, { appId, endpoint, secret }));
    if (!changes && !account && version) throw invalid({ field: "", msg: "没有修改" });
    const row = { ...values, updatedBy: act.who.operatorId, updatedAt: act.now };
    // a first set of its own takes over what held until now
    const { holdDays, backdateDays, renewalWindowDays, renewNeedsPaid, moveInRule, freeRoomAt } = config;
    const { silentDays, creditRule, verifyRule, maxDepositMonths, maxPrepayMonths, defaultTerms } = config;
    const days = { holdDays, backdateDays, renewalWindowDays, silentDays };
    const limits = { ...days, renewNeedsPaid, moveInRule, freeRoomAt };
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
      summary: `${of.villageId ? "门店" : "企业"}签署设置：${[changes?.summary, account].filter(Boolean).join("；") || "单独设置"}`,
      ...(changes && { before: changes.before, after: changes.after }),
    });
    return { id: done.id, version: done.version };
  }),
];
