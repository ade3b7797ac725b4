import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { usesCaptcha } from "../../access/session/captcha.service.ts";
import { EVERY_MS, SECONDS } from "../../access/sms/sms.rules.ts";
import { codeFits, notTooOften, sendCode } from "../../access/sms/sms.service.ts";
import { keepFile } from "../../system/file/file.service.ts";
import { cleanPng } from "../../system/file/picture.service.ts";
import { endSignings } from "../act/signing.service.ts";
import { ROLES } from "../config/sign.rules.ts";
import { permitOf } from "../terms/kind.rules.ts";
import {
  CONSENT,
  DEVICE_HOURS,
  flowMoves,
  HOUR_MS,
  MINUTE_MS,
  nextSigner,
  nounOf,
  paperName,
  RESULT_MINUTES,
  SAID,
  saidOf,
  signerText,
} from "./esign.rules.ts";
import { finish, tellKeeper, tellParties } from "./finish.service.ts";
import { asSigner, type Evidence, type Flow, type Signer, signersOf } from "./flow.queries.ts";
import { sendAnew } from "./flow.service.ts";
import {
  byDevice,
  byLink,
  issueKey,
  lockedWith,
  type Opened,
  refuseCode,
  refuseLocked,
  refuseStranger,
  revokeKeys,
} from "./link.service.ts";
import { againText, noted, numberOf, partyOf, sealNow, signedBy } from "./subject.service.ts";

/** Codes of this kind agree to a document. */
export const SIGNS = 7;
const CAPTCHA = "图形验证码错误或已失效";

const change = (act: Act, signer: Pick<Signer, "id">, set: object) =>
  act.tx.updateTable("signSigner").set(set).where("id", "=", signer.id).execute();

const counting =
  (act: Act, signer: Signer, lockedFor: "open" | "code") =>
  (set: object, locked: boolean): Promise<unknown> =>
    change(act, signer, { ...set, ...(locked && { lockedFor: lockedWith(act, signer, lockedFor) }) });

/** From the second code on a picture is to be read first. */
export async function refuseUnread(
  act: Act,
  codesSent: number,
  { imageCode, imageCodeKey }: { imageCode?: string | undefined; imageCodeKey?: string | undefined },
): Promise<void> {
  if (codesSent === 0 || (await usesCaptcha(act, imageCodeKey, imageCode))) return;
  const msg = imageCode ? CAPTCHA : "请输入图形验证码";
  const fields = [{ field: "imageCode", msg }];
  throw new Refusal("captchaWrong", msg, 400, { fields, data: { needImageCode: true }, keeps: true });
}

const proved = (signer: Signer, more: Evidence) => ({
  evidence: JSON.stringify({ ...signer.evidence, ...more }),
});

/** Lets a device in that names the last four characters; one whose signer has signed is led to the result. */
export async function openLink(
  act: Act,
  token: string,
  last4: string,
): Promise<{ device: string; resultKey: string | null }> {
  const { flow, signer, subject } = await byLink(act, token, true);
  const knocked = { ...signer, last4Of: signer.last4Of || ("certificate" as const) };
  await refuseStranger(act, knocked, last4, counting(act, signer, "open"));
  if (signer.state === "signed")
    return { device: "", resultKey: await issueKey(act, signer.id, "result", resultUntil(act)) };
  const device = await issueKey(
    act,
    signer.id,
    "device",
    new Date(act.now.getTime() + DEVICE_HOURS * HOUR_MS),
  );
  const first = signer.evidence.openedAt === undefined;
  await change(act, signer, {
    openTries: 0,
    state: "viewed",
    ...(first && proved(signer, { openedAt: act.now.toISOString() })),
  });
  if (first)
    await act.note(
      noted(subject, `查看待签${nounOf(flow.docKind)}`, `${signerText(signer)}打开签署链接 ${flow.flowNo}`),
    );
  return { device, resultKey: null };
}

const resultUntil = (act: Act) => new Date(act.now.getTime() + RESULT_MINUTES * MINUTE_MS);

/** Sends the code that agrees to the document as it is. */
export async function sendSigningCode(
  act: Act,
  token: string,
  how: { device: string; imageCode?: string | undefined; imageCodeKey?: string | undefined },
): Promise<{ seconds: number; phone: string }> {
  const { flow, signer, subject } = await byDevice(act, token, how.device, true);
  refuseLocked(act, signer, "code");
  refuseNotNow(flow, signer);
  await refuseUnread(act, signer.codesSent, how);
  await notTooOften(act, signer.phone);
  const outboxId = await sendCode(act, signer.phone, SIGNS, true, {
    to: flow.documentHash,
    minutes: flow.smsMinutes,
    tries: flow.smsTries,
    customer: { partyId: (await partyOf(act, subject, signer)).partyId, villageId: flow.villageId },
  });
  await change(act, signer, {
    codesSent: signer.codesSent + 1,
    codeSentAt: act.now.toISOString(),
    codeOutboxId: outboxId,
  });
  return { seconds: SECONDS, phone: maskPhone(signer.phone) };
}

/** Seconds until another code can be asked for. */
export const secondsToNext = (signer: Pick<Signer, "codeSentAt">, now: Date): number =>
  signer.codeSentAt === null
    ? 0
    : Math.max(0, Math.ceil((new Date(signer.codeSentAt).getTime() + EVERY_MS - now.getTime()) / 1000));

function refuseNotNow(flow: Flow, signer: Signer): void {
  if (signer.state === "signed") throw new Refusal("signed", "已签署，无需重复签署", 409);
  flowMoves.next("sign", { status: flow.state, partySigned: false });
}

export type Agreement = {
  device: string;
  captcha: string;
  documentHash: string;
  handwriting?: string | undefined;
};

/**
 * The party agrees. Whoever presses twice, or on two phones, has signed once: the second is led to the result of the first. Where the
 * seal sets itself the contract comes into force at once.
 */
export async function agree(act: Act, token: string, how: Agreement): Promise<{ key: string }> {
  const opened = await byDevice(act, token, how.device, true);
  const { flow, signer, subject } = opened;
  const { id: targetId, villageId, kind } = signedBy(subject, signer);
  if (signer.state === "signed") return { key: await issueKey(act, signer.id, "result", resultUntil(act)) };
  if (how.documentHash !== flow.documentHash)
    throw new Refusal("changed", saidOf(flow.docKind, SAID.changed), 409);
  refuseLocked(act, signer, "code");
  refuseNotNow(flow, signer);
  if (flow.handwriting && !how.handwriting) throw invalid({ field: "handwriting", msg: "请手写签名" });
  const handwriting = flow.handwriting ? drawn(how.handwriting!) : undefined;
  if (!(await codeFits(act, signer.phone, SIGNS, how.captcha, flow.documentHash)))
    return refuseCode(act, signer, flow.smsTries, counting(act, signer, "code"));
  const file =
    handwriting &&
    (await keepFile(
      asSigner(act, flow),
      { name: "手写签名.png", type: "image/png", bytes: handwriting },
      {
        targetKind: "contract",
        targetId,
        villageId,
        needs: permitOf(kind, "get"),
      },
    ));
  await change(act, signer, {
    state: "signed",
    signedAt: act.now.toISOString(),
    smsTries: 0,
    handwritingFileId: file?.id ?? null,
    ...proved(signer, {
      signedAt: act.now.toISOString(),
      ip: act.ip,
      device: act.userAgent.slice(0, 160),
      smsNo: String(signer.codeOutboxId ?? ""),
      consent: CONSENT.version,
      documentHash: flow.documentHash,
    }),
  });
  await act.note(
    noted(
      subject,
      "客户签署",
      `${signerText(signer)}电子签署 ${flow.flowNo}，文件 SHA-256 ${flow.documentHash.slice(0, 16)}`,
    ),
  );
  await afterParty(act, opened);
  // what was signed with this key is looked at with another
  const key = await issueKey(act, signer.id, "result", resultUntil(act));
  return { key };
}

/**
 * The link of who signs next goes out. After the last a seal that sets itself closes the file at once; any other waits for its
 * operators, who hear of it.
 */
async function afterParty(act: Act, { flow, subject }: Opened): Promise<void> {
  const signers = await signersOf(act, flow.id);
  const next = nextSigner(signers);
  if (next) {
    const { links } = await sendAnew(asSigner(act, flow), subject, flow);
    const to = `${ROLES[next.role][0]} ${maskPhone(links[0]?.phone ?? next.phone)}`;
    await act.note(noted(subject, "发送签署链接", `${flow.flowNo} 的链接已发送至${to}`));
    return;
  }
  const ours = signers.find((s) => s.role === "enterprise")!;
  // the seal that was chosen where the enterprise signed first
  const seal = await sealNow(act, subject, flow.sealId ?? undefined);
  const system = asSigner(act, flow);
  if (seal && (seal.autoSeal || ours.state === "signed")) {
    const operator =
      ours.operatorId === null
        ? null
        : await act.tx
            .selectFrom("operator")
            .select(["id", "realName as name"])
            .where("id", "=", ours.operatorId)
            .executeTakeFirstOrThrow();
    await finish(system, { flow, subject, seal, operator });
    return;
  }
  await tellKeeper(
    { ...act, who: system.who },
    subject,
    seal ? { createdBy: null, sealers: seal.operatorIds } : flow,
    `${numberOf(subject)} 客户已签署，待盖章`,
    "请在合同配置的待盖章中盖章。",
  );
}

/** A picture of a signature: a PNG of ink, judged by its content. */
export function drawn(base64: string, field = "handwriting"): Buffer {
  const picture = /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? cleanPng(Buffer.from(base64, "base64")) : undefined;
  const fits = picture?.width && picture.height && picture.width <= 2000 && picture.height <= 1000;
  if (!fits) throw invalid({ field, msg: "签名图片无法识别，请清除后重写" });
  return picture.bytes;
}

/** The party says no, and why: the signing ends, what it presented stays handed in. */
export async function refuse(
  act: Act,
  token: string,
  how: { device: string; reason: string },
): Promise<{ key: string }> {
  const { flow, signer, subject } = await byDevice(act, token, how.device, true);
  refuseNotNow(flow, signer);
  flowMoves.next("refuse", { status: flow.state, partySigned: false });
  await change(act, signer, {
    state: "refused",
    refuseReason: how.reason,
    ...proved(signer, { ip: act.ip, device: act.userAgent.slice(0, 160) }),
  });
  await endSignings(act, flow, "refused", how.reason);
  await revokeKeys(act, flow.id);
  await act.note(noted(subject, "拒签", `${signerText(signer)}拒绝签署 ${flow.flowNo}：${how.reason}`));
  await tellKeeper(
    act,
    subject,
    flow,
    `${numberOf(subject)} 客户拒绝签署`,
    `原因：${how.reason}。${againText(subject)}`,
  );
  await tellParties(act, flow, `您签署的${paperName(flow.docKind)}对方没有同意，请联系管家。`);
  return { key: await issueKey(act, signer.id, "result", resultUntil(act)) };
}
