import { notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { mayStamp } from "../seal/seal.service.ts";
import { waitsForSeal, type FlowState } from "./esign.rules.ts";
import { finish } from "./finish.service.ts";
import { flowById, signersOf } from "./flow.queries.ts";
import { send } from "./flow.service.ts";
import { noted, numberOf, sealNow, sealOn, subjectOf } from "./subject.service.ts";

/**
 * An operator of the seal sets it: where the enterprise signs first the links go out, where it signs last the file is closed and what
 * was signed takes effect.
 */
export async function stamp(
  act: Act,
  flowId: number,
  sealId: number | undefined,
): Promise<{ id: number; state: FlowState; number: string; failReason: string }> {
  const first = seen(act.who, await flowById(act, flowId));
  const subject = await subjectOf(act, first, true);
  if (subject.other) seen(act.who, subject.other);
  const flow = await flowById(act, flowId, true);
  if (!flow) throw notFound();
  const signers = await signersOf(act, flow.id);
  if (!waitsForSeal(flow, signers))
    throw new Refusal(
      "notAllowed",
      flow.state === "done" ? "该文件已盖章" : "该文件不在待盖章状态，请刷新后查看",
      409,
    );
  // the one that was chosen, unless another is named; where it may not be set any more, that of the store
  const seal =
    (sealId === undefined && flow.sealId !== null && (await sealNow(act, subject, flow.sealId))) ||
    (await sealOn(act, subject, sealId));
  mayStamp(act, seal);
  const operator = { id: act.who.operatorId, name: act.who.name };
  const number = numberOf(subject);
  if (flow.state === "signing") {
    const state = await finish(act, { flow, subject, seal, operator });
    const { failReason } = await theRow(act, "signFlow", ["failReason"], { id: flow.id });
    return { id: flow.id, number, state, failReason };
  }
  await act.tx
    .updateTable("signSigner")
    .set({ state: "signed", signedAt: act.now.toISOString(), operatorId: operator.id })
    .where("flowId", "=", flow.id)
    .where("role", "=", "enterprise")
    .execute();
  await act.tx.updateTable("signFlow").set({ sealId: seal.id }).where("id", "=", flow.id).execute();
  await send(act, flow);
  await act.note(noted(subject, "盖章", `${seal.name} 同意用印 ${flow.flowNo}，链接已发送给客户`));
  return { id: flow.id, number, state: "signing", failReason: "" };
}
