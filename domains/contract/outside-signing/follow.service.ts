import type { Act } from "../../../platform/server/pipeline/act.ts";
import { endSignings } from "../act/signing.service.ts";
import {
  isLive,
  MINUTE_MS,
  nextSigner,
  paperName,
  RESULT_MINUTES,
  signerText,
  type FlowState,
} from "../esign/esign.rules.ts";
import {
  CLOSED,
  closeUnsigned,
  orFallBack,
  takeEffect,
  tellKeeper,
  tellParties,
} from "../esign/finish.service.ts";
import { type Flow, type Signer, signersOf } from "../esign/flow.queries.ts";
import { sendAnew } from "../esign/flow.service.ts";
import { againText, noted, numberOf } from "../esign/subject.service.ts";
import type { Told } from "../provider/provider.rules.ts";
import { held, over } from "./present.service.ts";

type Held = Awaited<ReturnType<typeof held>>;
/** How the signing stands here now, and whether the link of who signs next is to be sent. */
type Followed = { state: FlowState; linkDue: boolean };

/**
 * Follows what the provider answers about a signing: the parties' signatures, the closed file, a refusal, the end of its time. Told
 * twice, or after the signing has ended here, it changes nothing.
 */
export async function follow(
  act: Act,
  flowId: number,
  told: Told,
  file: Buffer | undefined,
): Promise<Followed> {
  const found = await held(act, flowId);
  const { flow } = found;
  const now = (state: FlowState, linkDue = false) => ({ state, linkDue });
  if (!isLive(flow.state)) return now(flow.state);
  if (told.state !== "open") await over(act, flowId);
  const signed = await partiesSigned(act, found, told);
  if (told.state === "done")
    return now(
      await orFallBack(act, found, async () => {
        await takeEffect(act, { ...found, operator: null }, file!);
      }),
    );
  if (told.state === "open") {
    const next = nextSigner(await signersOf(act, flowId));
    if (!next) return now(flow.state);
    if ((await isClosed(act, found)) || (!signed && (await isOver(act, found)))) return now("expired");
    // the link of who signs next is good from now on
    if (signed) await sendAnew(act, found.subject, flow);
    return now(flow.state, signed);
  }
  const { state, action, title } = ENDS[told.state];
  if (told.state === "expired" && (await isClosed(act, found))) return now("expired");
  if (state === "refused" && found.turn) {
    await act.tx
      .updateTable("signSigner")
      .set({ state: "refused", refuseReason: told.reason })
      .where("id", "=", found.turn.id)
      .execute();
    await tellParties(act, flow, `您签署的${paperName(flow.docKind)}对方没有同意，请联系管家。`);
  }
  await end(act, found, { state, why: told.reason || title, action, title });
  return now(state);
}

const ENDS = {
  refused: { state: "refused", action: "拒签", title: "客户拒绝签署" },
  expired: { state: "expired", action: "签署链接过期", title: "签署链接已过期" },
  revoked: { state: "cancelled", action: "撤销签署", title: "签署已在e签宝撤销" },
} as const;

type End = {
  state: "refused" | "expired" | "cancelled" | "failed";
  why: string;
  action: string;
  title: string;
};

async function end(act: Act, { subject, flow }: Held, how: End): Promise<void> {
  await endSignings(act, flow, how.state, how.why);
  await act.note(noted(subject, how.action, `电子签署 ${flow.flowNo}（e签宝）：${how.why}`));
  const content =
    how.state === "failed"
      ? "请按原因处理后重新发送。"
      : `${how.state === "expired" ? "客户没有在期限内签署。" : ""}${againText(subject)}`;
  await tellKeeper(
    act,
    subject,
    flow,
    `${numberOf(subject)} ${how.title}`,
    how.why === how.title ? content : `原因：${how.why}。${content}`,
  );
}

/** A signing whose time is up ends here first; the provider is told afterwards. Answers whether it was. */
async function isOver(act: Act, found: Held): Promise<boolean> {
  if (new Date(found.flow.deadline) > act.now) return false;
  await end(act, found, { ...ENDS.expired, why: ENDS.expired.title });
  return true;
}

/** The time in which an act may be signed is over: it is worked on again. Answers whether it was. */
async function isClosed(act: Act, { subject, flow }: Held): Promise<boolean> {
  if (!flow.closesAt || new Date(flow.closesAt) > act.now) return false;
  await endSignings(act, flow, "expired", CLOSED);
  await closeUnsigned(act, subject, flow);
  return true;
}

/** The provider has not taken the document: what it presented stays handed in, and who began hears why. */
export async function notTaken(act: Act, flowId: number, why: string): Promise<void> {
  const found = await held(act, flowId);
  if (!isLive(found.flow.state)) return;
  await end(act, found, { state: "failed", why, action: "签署未受理", title: "电子签署未被受理" });
}

/** Everybody has signed at the provider what had ended here: people have to settle it. */
export async function signedTooLate(act: Act, flowId: number): Promise<void> {
  const { subject, flow } = await held(act, flowId);
  const said = `电子签署 ${flow.flowNo} 撤销前已在e签宝完成，文件未生效`;
  await act.note(noted(subject, "签署未生效", said));
  await tellKeeper(
    act,
    subject,
    flow,
    `${numberOf(subject)} 签署未生效`,
    `${said}，请与客户确认后重新签署。`,
  );
}

/** Writes down who has signed since; answers whether somebody has. */
async function partiesSigned(act: Act, { flow, subject, parties }: Held, told: Told): Promise<boolean> {
  let some = false;
  for (const [i, party] of parties.entries()) {
    const signed = told.parties[i];
    if (party.state === "signed" || (!signed && told.state !== "done")) continue;
    some = true;
    const at = new Date(signed?.at ?? act.now).toISOString();
    await act.tx
      .updateTable("signSigner")
      .set({
        state: "signed",
        signedAt: at,
        evidence: JSON.stringify({
          signedAt: at,
          ip: signed?.ip ?? "",
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
      noted(subject, "客户签署", `${signerText(party)}在e签宝签署 ${flow.flowNo}，${hashText(flow)}`),
    );
  }
  return some;
}

const hashText = (flow: Flow) => `待签文件 SHA-256 ${flow.documentHash.slice(0, 16)}`;
