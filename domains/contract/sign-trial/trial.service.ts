import { randomBytes } from "node:crypto";
import { hoursText } from "../../../platform/kernel/duration.ts";
import { Refusal, invalid } from "../../../platform/kernel/refusal.ts";
import { maskName, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import { pagesIn } from "../../../platform/server/pdf/pdf-append.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { hashOf } from "../../../platform/server/pipeline/session.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { SECONDS } from "../../access/sms/sms.rules.ts";
import { codeFits, notTooOften, sendCode, smsLink } from "../../access/sms/sms.service.ts";
import { attachFile, bytesOfFile, keepFile } from "../../system/file/file.service.ts";
import { printed } from "../../system/paper/print.service.ts";
import { enterpriseOf } from "../config/config.service.ts";
import { signSettingsOf } from "../config/sign.service.ts";
import { addressOf } from "../esign/driver.service.ts";
import {
  CONSENT,
  DEVICE_HOURS,
  HOUR_MS,
  MINUTE_MS,
  RESULT_MINUTES,
  SAID,
  isLocked,
} from "../esign/esign.rules.ts";
import { refuseCode, refuseLocked, refuseStranger } from "../esign/link.service.ts";
import { type Agreement, SIGNS, drawn, refuseUnread, secondsToNext } from "../esign/party.service.ts";
import { shownOf } from "../esign/presented.service.ts";
import { sealFor } from "../seal/seal.service.ts";
import { TITLE, type Trial, carrier, close, numberOf, sample, toSign } from "./sample.service.ts";
import { TRIALS_A_DAY } from "./trial.contract.ts";

const CONSENTS = [
  "本次为试签：所签样张没有合同效力，用于检查签署过程和签署文件。",
  ...CONSENT.terms.slice(1),
];

/** Presents a sample to a phone. The seal that closes it is set by whoever starts it, or sets itself. */
export async function start(
  act: Act,
  { villageId: wanted, name, phone }: { villageId: number; name: string; phone: string },
) {
  const villageId = inScope(act.who, wanted);
  const enterpriseId = await enterpriseOf(act, villageId);
  // two who start at once are counted one after the other
  await act.tx
    .selectFrom("enterprise")
    .select("id")
    .where("id", "=", enterpriseId)
    .forNoKeyUpdate()
    .execute();
  const { count } = await act.tx
    .selectFrom("signTrial")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("enterpriseId", "=", enterpriseId)
    .where("createdAt", ">", new Date(act.now.getTime() - 24 * HOUR_MS).toISOString())
    .executeTakeFirstOrThrow();
  if (Number(count) >= TRIALS_A_DAY)
    throw new Refusal("notAllowed", `24小时内最多试签${TRIALS_A_DAY}次，请稍后再试`, 409);
  const seal = await sealFor(act, toSign({ villageId }));
  if (!seal.autoSeal && !seal.operatorIds.includes(act.who.operatorId))
    throw new Refusal("notAllowed", `样张会盖“${seal.name}”，请由该印章的可用人员发起试签`, 409);
  const paper = await sample(act, villageId, seal.lessorName, name);
  const pdf = await printed(paper, TITLE);
  const { linkHours } = await signSettingsOf(act, { enterpriseId, villageId });
  const file = await keepFile(act, { name: `${TITLE}.pdf`, type: "application/pdf", bytes: pdf }, {});
  const code = randomBytes(16).toString("base64url");
  const expiresAt = new Date(act.now.getTime() + linkHours * HOUR_MS).toISOString();
  const { id } = await act.tx
    .insertInto("signTrial")
    .values({
      enterpriseId,
      villageId,
      sealId: seal.id,
      hash: hashOf(code),
      name,
      phone,
      paper: JSON.stringify(paper.blocks.map(shownOf)),
      fileId: file.id,
      documentHash: file.sha256,
      pages: await pagesIn(pdf),
      expiresAt,
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await attachFile(act, file.id, carrier({ id, villageId }));
  const path = `/esign/t/${code}`;
  const { name: enterprise } = await theRow(act, "enterprise", ["name"], { id: enterpriseId });
  await smsLink(
    act,
    {
      recipient: phone,
      body: `【${enterprise}】请试签合同样张（没有合同效力）：••••••，${hoursText(linkHours)}内有效`,
      sourceId: id,
      villageId,
      enterpriseId,
    },
    { enterprise, name: "合同样张试签", link: addressOf(act, path), hours: linkHours },
  );
  const masked = maskPhone(phone);
  await note(act, { id, villageId }, "发起试签", `样张发送至 ${masked}`);
  return { id, phone: masked, expiresAt, last4Of: "phone" as const, path };
}

const note = (act: Act, of: Pick<Trial, "id" | "villageId">, action: string, summary: string) =>
  act.note({
    kind: "contractConfig",
    recordId: of.villageId,
    villageId: of.villageId,
    number: numberOf(of),
    action,
    summary: `${numberOf(of)} ${summary}`,
  });

const change = (act: Act, { id }: Pick<Trial, "id">, set: object) =>
  act.tx.updateTable("signTrial").set(set).where("id", "=", id).execute();

/** The trial of a link; of one that leads nowhere any more it is said why. */
export async function byLink(read: Read, token: string, lock = false): Promise<Trial> {
  const query = read.tx.selectFrom("signTrial").selectAll().where("hash", "=", hashOf(token));
  const trial = (await (lock ? query.forNoKeyUpdate() : query).executeTakeFirst()) as Trial | undefined;
  if (!trial) throw new Refusal("notFound", SAID.unknown, 404);
  if (trial.state === "refused") throw new Refusal("gone", SAID.refused, 410);
  if (trial.state !== "signed" && new Date(trial.expiresAt) <= read.now)
    throw new Refusal("gone", SAID.expired, 410);
  return trial;
}

/** The same on the device that has named the last four digits. */
async function byDevice(read: Read, token: string, device: string, lock = false): Promise<Trial> {
  const trial = await byLink(read, token, lock);
  const known = trial.device?.equals(hashOf(device)) && new Date(trial.deviceUntil!) > read.now;
  if (!known) throw new Refusal("unopened", SAID.unopened, 403);
  return trial;
}

export async function pageOf(read: Read, token: string) {
  const trial = await byLink(read, token);
  const { name: enterprise } = await theRow(read, "enterprise", ["name"], { id: trial.enterpriseId });
  const until = trial.lockedUntil ? new Date(trial.lockedUntil).getTime() : null;
  return {
    enterprise,
    title: TITLE,
    noun: "合同",
    signer: maskName(trial.name),
    state: trial.state === "signed" ? ("signed" as const) : ("open" as const),
    last4Of: "phone" as const,
    lockedMinutes: isLocked(until, read.now.getTime())
      ? Math.ceil((until! - read.now.getTime()) / MINUTE_MS)
      : 0,
    deadline: trial.expiresAt,
  };
}

/** A key of the page of the result, in place of the one before. */
async function resultKey(act: Act, trial: Trial): Promise<string> {
  const key = randomBytes(16).toString("base64url");
  const resultUntil = new Date(act.now.getTime() + RESULT_MINUTES * MINUTE_MS).toISOString();
  await change(act, trial, { result: hashOf(key), resultUntil });
  return key;
}

export async function openLink(act: Act, token: string, last4: string) {
  const trial = await byLink(act, token, true);
  const knocked = { ...trial, last4: trial.phone.slice(-4), last4Of: "phone" as const };
  await refuseStranger(act, knocked, last4, (set) => change(act, trial, set));
  if (trial.state === "signed") return { device: "", resultKey: await resultKey(act, trial) };
  const device = randomBytes(16).toString("base64url");
  await change(act, trial, {
    openTries: 0,
    state: "viewed",
    device: hashOf(device),
    deviceUntil: new Date(act.now.getTime() + DEVICE_HOURS * HOUR_MS).toISOString(),
    openedAt: trial.openedAt ?? act.now.toISOString(),
  });
  return { device, resultKey: null };
}

export async function documentOf(read: Read, token: string, device: string) {
  const trial = await byDevice(read, token, device);
  const { readSeconds, handwriting } = await signSettingsOf(read, trial);
  return {
    hash: trial.documentHash,
    pages: trial.pages,
    blocks: trial.paper as never,
    facts: [{ title: "说明", value: "试签样张，没有合同效力" }],
    phone: maskPhone(trial.phone),
    readSeconds,
    handwriting,
    needImageCode: trial.codesSent > 0,
    secondsToNextCode: secondsToNext(trial, read.now),
    consent: { text: CONSENT.text, terms: CONSENTS },
  };
}

export async function fileOf(read: Read, token: string, device: string) {
  const { fileId } = await byDevice(read, token, device);
  return {
    name: `${TITLE}_待签.pdf`,
    type: "application/pdf",
    body: await bytesOfFile(read, fileId),
    inline: true,
    headers: { "cache-control": "no-store", "referrer-policy": "no-referrer" },
  };
}

function refuseDone(act: Act, trial: Trial): void {
  if (trial.state === "signed") throw new Refusal("signed", "已签署，无需重复签署", 409);
  refuseLocked(act, trial, "code");
}

export async function sendTrialCode(
  act: Act,
  token: string,
  how: { device: string; imageCode?: string | undefined; imageCodeKey?: string | undefined },
) {
  const trial = await byDevice(act, token, how.device, true);
  refuseDone(act, trial);
  await refuseUnread(act, trial.codesSent, how);
  await notTooOften(act, trial.phone);
  const { smsMinutes: minutes, smsTries: tries } = await signSettingsOf(act, trial);
  const codeOutboxId = await sendCode(act, trial.phone, SIGNS, true, {
    to: trial.documentHash,
    minutes,
    tries,
  });
  const codeSentAt = act.now.toISOString();
  await change(act, trial, { codesSent: trial.codesSent + 1, codeSentAt, codeOutboxId });
  return { seconds: SECONDS, phone: maskPhone(trial.phone) };
}

/** The sample is agreed to: the seal is set, the file closed and kept. Pressed twice, it is signed once. */
export async function agree(act: Act, token: string, how: Agreement): Promise<{ key: string }> {
  const trial = await byDevice(act, token, how.device, true);
  if (trial.state === "signed") return { key: await resultKey(act, trial) };
  if (how.documentHash !== trial.documentHash) throw new Refusal("changed", SAID.changed, 409);
  refuseDone(act, trial);
  const { handwriting, smsTries, timestampUrl } = await signSettingsOf(act, trial);
  if (handwriting && !how.handwriting) throw invalid({ field: "handwriting", msg: "请手写签名" });
  const hand = handwriting ? drawn(how.handwriting!) : null;
  if (!(await codeFits(act, trial.phone, SIGNS, how.captcha, trial.documentHash)))
    return refuseCode(act, trial, smsTries, (set) => change(act, trial, set));
  const file = await close(act, trial, hand, timestampUrl);
  await change(act, trial, { state: "signed", endedAt: act.now.toISOString(), signedFileId: file.id });
  await note(act, trial, "试签完成", `签署文件 SHA-256 ${file.sha256.slice(0, 16)}`);
  return { key: await resultKey(act, trial) };
}

export async function refuse(
  act: Act,
  token: string,
  { device, reason }: { device: string; reason: string },
): Promise<{ key: string }> {
  const trial = await byDevice(act, token, device, true);
  refuseDone(act, trial);
  await change(act, trial, { state: "refused", reason, endedAt: act.now.toISOString() });
  await note(act, trial, "试签拒签", reason);
  return { key: await resultKey(act, trial) };
}
