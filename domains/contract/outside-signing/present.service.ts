import type { Act } from "../../../platform/server/pipeline/act.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { textLink } from "../esign/driver.service.ts";
import { isLive, MINUTE_MS, nextSigner, RESULT_MINUTES } from "../esign/esign.rules.ts";
import { flowById, signersOf } from "../esign/flow.queries.ts";
import { issueKey } from "../esign/link.service.ts";
import { noted, subjectOf } from "../esign/subject.service.ts";
import { firmOf } from "./outside.queries.ts";

const change = (act: Act, flowId: number, set: object) =>
  act.tx.updateTable("signOutside").set(set).where("flowId", "=", flowId).execute();

export const uploaded = (act: Act, flowId: number, fileId: string) => change(act, flowId, { fileId });

/** The provider has the document. Written down even where the signing has ended meanwhile: then it is taken back. */
export const taken = (act: Act, flowId: number, externalId: string) =>
  act.tx
    .updateTable("signFlow")
    .set({ externalId, updatedAt: act.now.toISOString() })
    .where("id", "=", flowId)
    .execute();

/** Nothing happens there any more. */
export const over = (act: Act, flowId: number) => change(act, flowId, { over: true, nextAt: null });

/** Contracts, act and signing, held in this order; with who signs beside the enterprise, and whose turn it is. */
export async function held(act: Act, flowId: number) {
  const subject = await subjectOf(act, (await flowById(act, flowId))!, true);
  const flow = (await flowById(act, flowId, true))!;
  const signers = await signersOf(act, flowId);
  return {
    subject,
    flow,
    parties: signers.filter((s) => s.role !== "enterprise"),
    turn: nextSigner(signers),
  };
}

/** To whom the page of the provider belongs, and where it returns to; nothing where no link is to be sent any more. */
export async function linkTo(
  act: Act,
  flowId: number,
): Promise<{ phone: string; firmName: string | undefined; redirectUrl: string | undefined } | undefined> {
  const { flow, subject, turn } = await held(act, flowId);
  if (!isLive(flow.state) || !turn) return undefined;
  const { PUBLIC_URL } = act.settings;
  const until = new Date(new Date(flow.deadline).getTime() + RESULT_MINUTES * MINUTE_MS);
  const key = PUBLIC_URL && (await issueKey(act, turn.id, "result", until));
  return {
    phone: turn.phone,
    firmName: (await firmOf(act, subject, turn))?.name,
    redirectUrl: key && `${PUBLIC_URL!.replace(/\/$/, "")}/sams/signsuccess?key=${key}`,
  };
}

/** The link goes to whose turn it is by a text message of ours: from now on he may sign. */
export async function linkSent(act: Act, flowId: number, url: string): Promise<void> {
  const { flow, subject, turn } = await held(act, flowId);
  await change(act, flowId, { linkDue: false });
  if (!isLive(flow.state) || !turn) return;
  await textLink(act, flow, turn, url);
  await act.tx
    .updateTable("signFlow")
    .set({ state: "signing", updatedAt: act.now.toISOString() })
    .where("id", "=", flowId)
    .execute();
  await act.tx
    .updateTable("signSigner")
    .set({ state: "sent" })
    .where("id", "=", turn.id)
    .where("state", "=", "waiting")
    .execute();
  const to = maskPhone(turn.phone);
  await act.note(noted(subject, "发送签署链接", `e签宝 已受理 ${flow.flowNo}，链接已发送至 ${to}`));
}
