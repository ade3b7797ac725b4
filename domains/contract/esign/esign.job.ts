import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { contractNote, recordById } from "../contract/record.queries.ts";
import { endSignings } from "../signing/submit.service.ts";
import { tellKeeper } from "./finish.service.ts";
import { flowById } from "./flow.queries.ts";

const DAY_MS = 86_400_000;

/** Signings whose link ran out before the party signed; the contract stays handed in. Answers how many. */
async function expireFlows(act: Act, most = 200): Promise<number> {
  const late = await act.tx
    .selectFrom("signFlow as w")
    .select(["w.id", "w.contractId"])
    .where("w.endedAt", "is", null)
    // an outside provider is asked first, whether the party signed in time
    .where("w.provider", "=", "embedded")
    .where("w.deadline", "<=", act.now.toISOString())
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("signSigner as s")
          .select("s.id")
          .whereRef("s.flowId", "=", "w.id")
          .where("s.role", "<>", "enterprise")
          .where("s.state", "<>", "signed"),
      ),
    )
    .orderBy("w.contractId")
    .limit(most)
    .execute();
  for (const { id, contractId } of late) {
    const contract = await recordById(act, contractId, true);
    const flow = (await flowById(act, id, true))!;
    if (!contract || !(await endSignings(act, contractId, "expired", "签署链接已过期"))) continue;
    await act.note(
      contractNote(contract, "签署链接过期", `电子签署 ${flow.flowNo} 的链接已过期，可重新发送`),
    );
    await tellKeeper(
      act,
      contract,
      flow,
      `${contract.contractNo} 签署链接已过期`,
      "客户没有在期限内签署，可以重新发送或撤回合同。",
    );
  }
  return late.length;
}

export default [
  job({
    name: "contract.signLinks",
    title: "结束过期的电子签署",
    cron: "*/5 * * * *",
    work: (act) => expireFlows(act),
  }),
  job({
    name: "contract.signKeys",
    title: "清理电子签署链接",
    cron: "50 3 * * *",
    /** Of links only what says why one leads nowhere is kept; devices and results are of no use to anybody after a day. */
    work: async ({ tx, now }) => {
      await tx
        .deleteFrom("signKey")
        .where("kind", "<>", "link")
        .where("expiresAt", "<", new Date(now.getTime() - DAY_MS).toISOString())
        .execute();
    },
  }),
];
