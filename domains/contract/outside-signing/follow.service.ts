import type { Act } from "../../../platform/server/pipeline/act.ts";
import { maskName, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { endSignings } from "../act/signing.service.ts";
import { contractNote } from "../contract/record.queries.ts";
import { isLive, MINUTE_MS, RESULT_MINUTES, type FlowState } from "../esign/esign.rules.ts";
import { orFallBack, takeEffect, tellKeeper } from "../esign/finish.service.ts";
import type { Flow, Signer } from "../esign/flow.queries.ts";
import type { Told } from "../provider/provider.rules.ts";
import { held, over } from "./present.service.ts";

type Held = Awaited<ReturnType<typeof held>>;

/**
 * Follows what the provider answers about a signing: the party's signature, the closed file, a refusal, the end of its time. Told
 * twice, or after the signing has ended here, it changes nothing. Answers the state of the signing.
 */
export async function follow(
  act: Act,
  flowId: number,
  told: Told,
  file: Buffer | undefined,
): Promise<FlowState> {
  const found = await held(act, flowId);
  const { flow } = found;
  if (!isLive(flow.state)) return flow.state;
  if (told.state !== "open") await over(act, flowId);
  if (told.party || told.state === "done") await partySigned(act, found, told);
  if (told.state === "done")
    return orFallBack(act, found, async () => {
      await takeEffect(act, { ...found, operator: null }, file!);
    });
  if (told.state === "open") return told.party ? flow.state : timely(act, found);
  const { state, action, title, content } = ENDS[told.state];
  if (state === "refused")
    await act.tx
      .updateTable("signSigner")
      .set({ state: "refused", refuseReason: told.reason })
      .where("id", "=", found.party.id)
      .execute();
  await end(act, found, { state, why: told.reason || title, action, title, content });
  return state;
}

const ENDS = {
  refused: {
    state: "refused",
    action: "拒签",
    title: "客户拒绝签署",
    content: "可以重新发送或撤回合同。",
  },
  expired: {
    state: "expired",
    action: "签署链接过期",
    title: "签署链接已过期",
    content: "客户没有在期限内签署，可以重新发送或撤回合同。",
  },
  revoked: {
    state: "cancelled",
    action: "撤销签署",
    title: "签署已在e签宝撤销",
    content: "可以重新发送或撤回合同。",
  },
} as const;

type End = {
  state: "refused" | "expired" | "cancelled" | "failed";
  why: string;
  action: string;
  title: string;
  content: string;
};

async function end(act: Act, { subject, contract, flow }: Held, how: End): Promise<void> {
  await endSignings(act, flow, how.state, how.why);
  await act.note(contractNote(contract, how.action, `电子签署 ${flow.flowNo}（e签宝）：${how.why}`));
  await tellKeeper(
    act,
    subject,
    flow,
    `${contract.contractNo} ${how.title}`,
    how.why === how.title ? how.content : `原因：${how.why}。${how.content}`,
  );
}

/** A signing whose time is up ends here first; the provider is told afterwards. */
async function timely(act: Act, found: Held): Promise<FlowState> {
  if (new Date(found.flow.deadline) > act.now) return found.flow.state;
  await end(act, found, { ...ENDS.expired, why: ENDS.expired.title });
  return "expired";
}

/** The provider has not taken the document: the contract stays handed in, and who began hears why. */
export async function notTaken(act: Act, flowId: number, why: string): Promise<void> {
  const found = await held(act, flowId);
  if (!isLive(found.flow.state)) return;
  await end(act, found, {
    state: "failed",
    why,
    action: "签署未受理",
    title: "电子签署未被受理",
    content: "请按原因处理后重新发送。",
  });
}

/** Everybody has signed at the provider what had ended here: people have to settle it. */
export async function signedTooLate(act: Act, flowId: number): Promise<void> {
  const { subject, contract, flow } = await held(act, flowId);
  const said = `电子签署 ${flow.flowNo} 撤销前已在e签宝完成，文件未生效`;
  await act.note(contractNote(contract, "签署未生效", said));
  await tellKeeper(
    act,
    subject,
    flow,
    `${contract.contractNo} 签署未生效`,
    `${said}，请与客户确认后重新签署。`,
  );
}

async function partySigned(act: Act, { flow, contract, party }: Held, told: Told): Promise<void> {
  if (party.state === "signed") return;
  const at = new Date(told.party?.at ?? act.now).toISOString();
  await act.tx
    .updateTable("signSigner")
    .set({
      state: "signed",
      signedAt: at,
      evidence: JSON.stringify({
        signedAt: at,
        ip: told.party?.ip ?? "",
        device: `e签宝 ${flow.externalId}`,
        documentHash: flow.documentHash,
      } satisfies Signer["evidence"]),
    })
    .where("id", "=", party.id)
    .execute();
  // the page that it returns to is shown as long as after every other signature
  await act.tx
    .updateTable("signKey")
    .set({ expiresAt: new Date(act.now.getTime() + RESULT_MINUTES * MINUTE_MS).toISOString() })
    .where("signerId", "=", party.id)
    .where("kind", "=", "result")
    .execute();
  await act.note(
    contractNote(contract, "客户签署", `${signerText(party)}在e签宝签署 ${flow.flowNo}，${hashText(flow)}`),
  );
}

const signerText = (signer: Signer) => `签署人 ${maskName(signer.name)}（${maskPhone(signer.phone)}）`;
const hashText = (flow: Flow) => `待签文件 SHA-256 ${flow.documentHash.slice(0, 16)}`;
