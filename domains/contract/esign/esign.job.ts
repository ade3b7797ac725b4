import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { eachByItself } from "../../../platform/server/jobs/by-itself.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { savepoint } from "../../../platform/server/database/once.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { tell } from "../../system/message/message.service.ts";
import { endSignings } from "../act/signing.service.ts";
import { recordById } from "../contract/record.queries.ts";
import { lessorStopped } from "../lessor/lessor.contract.ts";
import { isLive } from "./esign.rules.ts";
import { CLOSED, closeUnsigned, fallBack, tellKeeper } from "./finish.service.ts";
import { contractApproved } from "../signing/signing.contract.ts";
import { alone } from "../signing/submit.service.ts";
import { asSigner, flowById, liveFlow } from "./flow.queries.ts";
import { start } from "./flow.service.ts";
import { againText, noted, numberOf, sealNow, subjectOf } from "./subject.service.ts";

const DAY_MS = 86_400_000;

/**
 * Signings whose link ran out before everybody of the party signed; what they presented stays handed in. An act whose time to be
 * closed is over is worked on again. Answers how many.
 */
async function expireFlows(act: Act, most = 200): Promise<number> {
  const { rows: late } = await sql<{ id: number; flowNo: string; closed: boolean }>`
    select w.id, w.flow_no "flowNo", coalesce(w.closes_at <= ${act.now.toISOString()}, false) closed from sign_flow w
    where w.ended_at is null
      -- an outside provider is asked first, whether everybody signed in time; where it says nothing for a day, it ends without
      and (w.provider = 'embedded' or w.closes_at <= ${new Date(act.now.getTime() - DAY_MS).toISOString()})
      and w.deadline <= ${act.now.toISOString()}
      and (w.closes_at <= ${act.now.toISOString()} or exists (select from sign_signer s
        where s.flow_id = w.id and s.role <> 'enterprise' and s.state <> 'signed'))
    order by w.contract_id limit ${most}`.execute(act.tx);
  return eachByItself(
    act,
    late,
    ({ flowNo }) => flowNo,
    async ({ id, closed }) => {
      const subject = await subjectOf(act, (await flowById(act, id))!, true);
      const flow = (await flowById(act, id, true))!;
      if (!(await endSignings(act, flow, "expired", closed ? CLOSED : "签署链接已过期"))) return;
      if (closed) return closeUnsigned(act, subject, flow);
      await act.note(noted(subject, "签署链接过期", `电子签署 ${flow.flowNo} 的链接已过期，可重新发送`));
      await tellKeeper(
        act,
        subject,
        flow,
        `${numberOf(subject)} 签署链接已过期`,
        `客户没有在期限内签署。${againText(subject)}`,
      );
    },
  );
}

/** What is being signed for a lessor that may not sign any more ends, unless another seal of the store closes it. Answers how many. */
async function endStopped(act: Act, { lessorId, why }: { lessorId: number; why: string }): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select w.id from sign_flow w where w.ended_at is null and w.provider = 'embedded'
      and (exists (select from seal s where s.lessor_id = ${lessorId} and w.village_id = any(s.village_ids))
        or exists (select from contract c where c.id = w.contract_id and c.lessor_snapshot->>'id' = ${String(lessorId)}))
    order by w.contract_id`.execute(act.tx);
  let ended = 0;
  for (const { id } of rows) {
    const subject = await subjectOf(act, (await flowById(act, id))!, true);
    const flow = (await flowById(act, id, true))!;
    if (!isLive(flow.state) || (flow.sealId !== null && (await sealNow(act, subject, flow.sealId)))) continue;
    if (await sealNow(act, subject)) continue;
    await fallBack(asSigner(act, flow), { flow, subject }, why);
    ended++;
  }
  return ended;
}

/** Sends the links of a contract that was approved, as who handed it in; what stands in the way is told, and can be mended on it. */
async function sendApproved(act: Act, { contractId }: { contractId: number }): Promise<number> {
  const contract = await recordById(act, contractId);
  if (!contract) return 0;
  const { contractNo, villageId, submittedBy, signerId } = contract;
  try {
    await savepoint(act, () => start(asSigner(act, { ...contract, createdBy: submittedBy }), contractId));
    return 1;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // it was withdrawn meanwhile, or somebody was quicker
    const now = await recordById(act, contractId);
    if (now?.state !== "signing" || (await liveFlow(act, alone(contractId)))) return 0;
    await tell(act, {
      to: [...new Set([submittedBy, signerId])].filter((to) => to !== null),
      type: 3,
      title: `${contractNo} 审批通过，电子签署未能发起`,
      content: `${error.message}。请在合同中处理后重新发起签署。`,
      bizType: "contract",
      bizId: contractId,
      villageId,
    });
    return 0;
  }
}

export default [
  job({
    name: "contract.signLinks",
    title: "结束过期的电子签署",
    cron: "*/5 * * * *",
    work: (act) => expireFlows(act),
  }),
  job({ name: "contract.signApproved", on: contractApproved, work: sendApproved }),
  job({ name: "contract.signStopped", on: lessorStopped, work: endStopped }),
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
