import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { maskName, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { hashOf } from "../../../platform/server/pipeline/session.ts";
import { SECONDS } from "../../access/sms/sms.rules.ts";
import { codeFits, notTooOften, sendCode, smsLink } from "../../access/sms/sms.service.ts";
import { keepFile } from "../../system/file/file.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { printed } from "../../system/paper/print.service.ts";
import { actRecord } from "../act/act.queries.ts";
import { stepsOf } from "../act/act.service.ts";
import { ACT_MOVES } from "../act/act.rules.ts";
import { signSettingsOf } from "../config/sign.service.ts";
import { contractRecord } from "../contract/record.queries.ts";
import { DEVICE_HOURS, HOUR_MS } from "../esign/esign.rules.ts";
import { addressOf } from "../esign/driver.service.ts";
import { asSigner } from "../esign/flow.queries.ts";
import { signerOf } from "../esign/subject.service.ts";
import { lockedWith, refuseCode, refuseLocked, refuseStranger } from "../esign/link.service.ts";
import { refuseUnread, SIGNS } from "../esign/party.service.ts";
import { shownOf } from "../esign/presented.service.ts";
import { payeeShown, setPayee } from "../settlement/payee.service.ts";
import { type SettleDraft } from "../settlement/settlement.contract.ts";
import { RESUBMIT } from "../settlement/settlement.rules.ts";
import { SETTLE } from "../settlement/settlement.service.ts";
import { settlementContent } from "../settlement/sheet.rules.ts";
import { sheetOf } from "../settlement/sheet.service.ts";
import { byDevice, byLink, type SheetLink } from "./link.queries.ts";
import { documentPaper } from "../template/document.service.ts";
import { agreedText, CONSENT, LINK_DAYS, linkText, type PRESENTED } from "./link.rules.ts";

const DAY_MS = 24 * HOUR_MS;
const settle = stepsOf(SETTLE);

const change = (act: Act, { id }: Pick<SheetLink, "id">, set: object) =>
  act.tx.updateTable("settlementLink").set(set).where("id", "=", id).execute();

/** The sheet as it was handed in goes to the tenant. */
export async function present(
  act: Act,
  id: number,
  { version, how }: { version: number; how: keyof typeof PRESENTED },
) {
  const seen = await actRecord(act, id, "settle");
  const contract = await contractRecord(act, seen.contractId, true);
  const record = await actRecord(act, id, "settle", true);
  ACT_MOVES.next("present", { ...record, agreed: record.agreed !== null });
  const weighed = await SETTLE.weigh(act, contract, record.payload as SettleDraft);
  if (weighed.sheetHash !== record.sheetHash) throw new Refusal("resubmit", RESUBMIT, 409);
  const sent = how === "sms" ? await sendLink(act, id, weighed.net) : { path: null, phone: "" };
  const phone = sent.phone && maskPhone(sent.phone);
  const stepped = await settle.step(act, id, version, "present", {
    set: { presentedOn: record.presentedOn ?? act.today },
    text: how === "sms" ? `链接已发送至 ${phone}` : "当面交付结算单",
  });
  return { ...stepped, path: sent.path, phone };
}

/** A link to the sheet; one that was sent before leads nowhere any more. */
async function sendLink(act: Act, id: number, net: number): Promise<{ path: string; phone: string }> {
  const record = await actRecord(act, id, "settle");
  const contract = await contractRecord(act, record.contractId);
  const signer = await signerOf(act, contract);
  const { facts, name, document } = await sheetOf(act, id);
  const sheet = await documentPaper(act, document, settlementContent({ ...facts, open: false }));
  const file = await keepFile(
    act,
    { name: `${name}.pdf`, type: "application/pdf", bytes: await printed(sheet, name) },
    { targetKind: "settlement", targetId: id, villageId: contract.villageId, needs: "72.get" },
  );
  await sql`update settlement_link set state = 'revoked', ended_at = ${act.now.toISOString()}
    where act_id = ${id} and ended_at is null`.execute(act.tx);
  const code = randomBytes(16).toString("base64url");
  const { name: enterprise } = await act.tx
    .selectFrom("enterprise")
    .select("name")
    .where("id", "=", contract.enterpriseId)
    .executeTakeFirstOrThrow();
  const row = await act.tx
    .insertInto("settlementLink")
    .values({
      actId: id,
      enterpriseId: contract.enterpriseId,
      villageId: contract.villageId,
      hash: hashOf(code),
      fileId: file.id,
      documentHash: file.sha256,
      paper: JSON.stringify(sheet.blocks.map(shownOf)),
      net,
      ...signer,
      deadline: new Date(act.now.getTime() + LINK_DAYS * DAY_MS).toISOString(),
      createdAt: act.now.toISOString(),
      createdBy: act.who.operatorId,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const path = `/esign/q/${code}`;
  await smsLink(
    act,
    {
      recipient: signer.phone,
      body: linkText(enterprise, "••••••"),
      sourceId: row.id,
      partyId: contract.partyId!,
      villageId: contract.villageId,
      enterpriseId: contract.enterpriseId,
    },
    {
      enterprise,
      name: "退房结算单确认",
      link: addressOf(act, path),
      hours: LINK_DAYS * 24,
    },
  );
  return { path, phone: signer.phone };
}

const counting =
  (act: Act, link: SheetLink, lockedFor: "open" | "code") =>
  (set: object, locked: boolean): Promise<unknown> =>
    change(act, link, { ...set, ...(locked && { lockedFor: lockedWith(act, link, lockedFor) }) });

/** Lets a device in that names the last four characters. */
export async function openLink(act: Act, token: string, last4: string): Promise<{ device: string }> {
  const link = await byLink(act, token, true);
  await refuseStranger(act, link, last4, counting(act, link, "open"));
  const device = randomBytes(16).toString("base64url");
  await act.tx
    .insertInto("settlementDevice")
    .values({
      hash: hashOf(device),
      linkId: link.id,
      expiresAt: new Date(act.now.getTime() + DEVICE_HOURS * HOUR_MS).toISOString(),
    })
    .execute();
  await change(act, link, {
    openTries: 0,
    state: "viewed",
    ...(!link.evidence.openedAt && {
      evidence: JSON.stringify({ ...link.evidence, openedAt: act.now.toISOString() }),
    }),
  });
  return { device };
}

/** Sends the code that agrees to the sheet as it is. */
export async function sendSheetCode(
  act: Act,
  token: string,
  how: { device: string; imageCode?: string | undefined; imageCodeKey?: string | undefined },
): Promise<{ seconds: number; phone: string }> {
  const link = await byDevice(act, token, how.device, true);
  refuseLocked(act, link, "code");
  await refuseUnread(act, link.codesSent, how);
  await notTooOften(act, link.phone);
  const { smsMinutes, smsTries } = await signSettingsOf(act, link);
  const outboxId = await sendCode(act, link.phone, SIGNS, true, {
    to: link.documentHash,
    minutes: smsMinutes,
    tries: smsTries,
    customer: {
      ...(await theRow(act, "contract", ["partyId"], { id: link.contractId })),
      villageId: link.villageId,
    },
  });
  await change(act, link, {
    codesSent: link.codesSent + 1,
    codeSentAt: act.now.toISOString(),
    codeOutboxId: outboxId,
  });
  return { seconds: SECONDS, phone: maskPhone(link.phone) };
}

type Answer = {
  link: SheetLink;
  state: "agreed" | "objected";
  reason: string;
  evidence: SheetLink["evidence"];
};

/** Ends the link with what proves the answer, and tells who handles the leaving. */
async function answered(act: Act, { link, state, reason, evidence }: Answer, told: string): Promise<void> {
  await change(act, link, {
    state,
    reason,
    endedAt: act.now.toISOString(),
    evidence: JSON.stringify({ ...link.evidence, ...evidence }),
  });
  const record = await actRecord(act, link.actId, "settle");
  const contract = await contractRecord(act, link.contractId);
  await tell(act, {
    to: [record.handlerId, link.createdBy].filter((id) => id !== null),
    type: 3,
    title: `${record.actNo} 租客${state === "agreed" ? "已确认结算单" : "对结算单有异议"}`,
    content: told,
    bizType: "settlement",
    bizId: link.actId,
    villageId: contract.villageId,
  });
}

const proofOf = (act: Act) => ({ ip: act.ip, device: act.userAgent.slice(0, 160) });
const tenantText = (link: SheetLink) => `租客 ${maskName(link.name)}（${maskPhone(link.phone)}）`;

/** The account that the refund goes to, masked; empty while nobody named one. */
export async function payeeTextOf(read: Read, { actId }: SheetLink): Promise<string> {
  const payee = await payeeShown(read, actId);
  return payee ? `${maskName(payee.holder)} ${payee.bank} ${payee.number}` : "";
}

/** The tenant agrees: what was shown is what he agrees to, and the file of it is kept. */
export async function agree(
  act: Act,
  token: string,
  how: {
    device: string;
    captcha: string;
    documentHash: string;
    account?: { bank: string; number: string } | undefined;
  },
): Promise<{ said: string }> {
  const link = await byDevice(act, token, how.device, true);
  if (how.documentHash !== link.documentHash) throw new Refusal("changed", "结算单已更新，请使用新链接", 409);
  refuseLocked(act, link, "code");
  if (!(await codeFits(act, link.phone, SIGNS, how.captcha, link.documentHash)))
    return refuseCode(act, link, (await signSettingsOf(act, link)).smsTries, counting(act, link, "code"));
  const evidence = {
    ...proofOf(act),
    signedAt: act.now.toISOString(),
    smsNo: String(link.codeOutboxId ?? ""),
    consent: CONSENT.version,
    documentHash: link.documentHash,
  };
  const ours = asSigner(act, link);
  if (how.account && link.net > 0 && !(await payeeShown(act, link.actId))) {
    const { partyId } = await contractRecord(ours, link.contractId);
    const { name } = await theRow(act, "party", ["name"], { id: partyId! });
    const holder = name.slice(0, 30);
    await setPayee(ours, link.actId, { ...how.account, holder, relation: "", fileIds: [], version: 0 }, true);
  }
  const note = `${tenantText(link)}在线确认，文件 SHA-256 ${link.documentHash.slice(0, 16)}`;
  await answered(ours, { link, state: "agreed", reason: "", evidence }, "可以确认结算。");
  const record = await actRecord(ours, link.actId, "settle");
  const agreed = JSON.stringify({
    how: "page",
    note,
    on: act.today,
    linkId: link.id,
    fileId: link.fileId,
    ...evidence,
  });
  await settle.step(ours, link.actId, record.version, "agree", { set: { agreed }, text: note });
  return { said: agreedText(link.net) };
}

/** The tenant does not agree: it is worked on again, and who handles it hears why. */
export async function object(
  act: Act,
  token: string,
  { device, reason }: { device: string; reason: string },
): Promise<{ said: string }> {
  const link = await byDevice(act, token, device, true);
  const ours = asSigner(act, link);
  await answered(ours, { link, state: "objected", reason, evidence: proofOf(act) }, `原因：${reason}`);
  const record = await actRecord(ours, link.actId, "settle");
  const text = `${tenantText(link)}：${reason}`;
  await settle.step(ours, link.actId, record.version, "object", { text });
  return { said: "已提交异议，管家会与您核对后重新发送结算单" };
}
