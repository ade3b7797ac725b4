import { z } from "zod";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import type { Permit } from "../../../platform/kernel/call.ts";
import { event } from "../../../platform/kernel/event.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { contracts } from "../contract/contract.contract.ts";
import { PROVIDERS } from "../provider/provider.rules.ts";
import { CONTRACT_KINDS, ofAnyKind } from "../terms/kind.rules.ts";
import { previewHash } from "../act/act.contract.ts";
import { DOC_KINDS } from "../archive/archive.rules.ts";
import { ROLES } from "../config/sign.rules.ts";
import { FLOW_STATES, SIGNER_STATES } from "./esign.rules.ts";
import { agreeing, codeAsk, codeSent, last4, linked, onDevice, shownPaper, token } from "./open.contract.ts";

const at = { target: "contract" } as const;
/** A link as whoever sends it gets it, once: the party may scan it at the desk. */
const sentLinks = z.object({
  id: f.id,
  flowNo: f.text("签署编号"),
  state: f.status("状态", FLOW_STATES),
  deadline: f.instant("签署截止"),
  links: z.array(
    z.object({ name: f.person("签署人"), phone: f.phone("手机号"), path: f.secret(z.string()) }),
  ),
});

export const startSigning = contracts.post("/:id/sign/start", "发起电子签署", ofAnyKind("sign"), {
  ...at,
  reply: sentLinks,
});

/** A new link in place of the one before; a signing that has ended starts anew, with the contract as it stands. */
export const resendSigning = contracts.put("/:id/sign/resend", "重新发送签署链接", ofAnyKind("sign"), {
  ...at,
  reply: sentLinks,
});

export const cancelSigning = contracts.put("/:id/sign/cancel", "撤销电子签署", ofAnyKind("sign"), {
  ...at,
  body: z.object({ reason: f.reason("撤销原因") }),
  reply: z.object({ id: f.id, state: f.status("状态", FLOW_STATES) }),
});

const evidence = z.object({
  openedAt: f.instant("打开时间").nullable(),
  signedAt: f.instant("签署时间").nullable(),
  ip: f.text("IP 地址"),
  device: f.text("设备"),
  smsNo: f.text("短信编号"),
  consent: f.text("约定版本"),
});
const signer = z.object({
  id: f.id,
  role: f.status("身份", ROLES),
  name: f.person("签署人"),
  phone: f.phone("手机号"),
  state: f.status("状态", SIGNER_STATES),
  refuseReason: f.text("拒签原因"),
  evidence,
});

const signings = z.array(
  z.object({
    id: f.id,
    flowNo: f.text("签署编号"),
    docKind: f.status("文件", DOC_KINDS),
    state: f.status("状态", FLOW_STATES),
    startedAt: f.instant("发起时间"),
    startedBy: f.person("发起人"),
    deadline: f.instant("签署截止"),
    endedAt: f.instant("结束时间").nullable(),
    failReason: f.text("原因"),
    provider: f.status("签署服务", PROVIDERS),
    /** Why an outside provider does not get on with it. */
    problem: f.text("异常"),
    documentId: f.id,
    documentHash: f.text("待签文件 SHA-256"),
    signedDocumentId: f.id.nullable(),
    signedHash: f.text("签署文件 SHA-256"),
    waitsForSeal: f.flag("待盖章"),
    signers: z.array(signer),
  }),
);

/** The signings of a contract and of the acts on it with what proves them, the newest first. */
export const contractSignings = contracts.get("/:id/sign", "合同电子签署记录", ofAnyKind("get"), {
  reply: signings,
});

// ---- the document of an act on a contract ------------------------------------------------------
const acts = callsAt("/contract/api/v3/contractAct", "contract");
/** Whoever confirms an act of its kind may also send its document to be signed. */
const SENDS: Permit[] = [...ofAnyKind("amend"), "#1108", "#9601", "#9602"];

/** Presents the supplement of an act as it was shown; with that of a change of room or tenant the contract it leads to. */
export const startActSigning = acts.post("/:id/sign/start", "发起补充协议电子签署", SENDS, {
  ...at,
  timeout: 60_000,
  body: z.object({ version: f.version, previewHash }),
  reply: sentLinks,
});
export const resendActSigning = acts.put("/:id/sign/resend", "重新发送补充协议签署链接", SENDS, {
  ...at,
  reply: sentLinks,
});
export const cancelActSigning = acts.put("/:id/sign/cancel", "撤销补充协议电子签署", SENDS, {
  ...at,
  body: z.object({ reason: f.reason("撤销原因") }),
  reply: z.object({ id: f.id, state: f.status("状态", FLOW_STATES) }),
});
/** The signings of an act's document. */
export const actSignings = acts.get("/:id/sign", "补充协议电子签署记录", [...ofAnyKind("get"), "96.get"], {
  reply: signings,
});

const tasks = callsAt("/contract/api/v3/sealTask", "contract");

/** Contracts and supplements whose party has signed and that wait for the enterprise's seal. */
export const waitingSeals = tasks.get("", "待盖章列表", "95.query", {
  query: pageQuery("signedAt").extend({
    villageIds: filter.villages(),
    keyword: filter.keyword("合同号、客户、房间"),
  }),
  reply: pageReply(
    z.object({
      /** Of the signing. */
      id: f.id,
      contractId: f.id,
      kind: z.enum(CONTRACT_KINDS),
      contractNo: f.link("合同号"),
      docKind: f.status("文件", DOC_KINDS),
      /** Of the act whose supplement it is. */
      actNo: f.text("单号"),
      villageName: f.text("门店"),
      roomNames: f.room("房间"),
      partyName: f.person("客户"),
      signedAt: f.instant("客户签署时间").nullable(),
      waitedMinutes: f.number("等待时长", { unit: "分钟" }),
      flowNo: f.text("签署编号"),
    }),
  ),
});

/** Sets the enterprise's seal; who may is an operator of the seal. Without a seal named, that of the store is set. */
export const setSeal = tasks.post("/:id/stamp", "盖章", "95.query", {
  timeout: 120_000,
  body: z.object({ sealId: f.id.optional() }),
  reply: z.object({
    id: f.id,
    state: f.status("状态", FLOW_STATES),
    number: f.text("编号"),
    /** Why it could not take effect any more, where it has failed. */
    failReason: f.text("未完成原因"),
  }),
});

// ---- what a signer sends, without a login ------------------------------------------------------
const open = callsAt("/contract/api/v3/esign");
export const signPage = open.get("/:token", "打开签署链接", "public", {
  perMinute: 120,
  params: token,
  reply: linked.extend({
    state: z.enum(["open", "signed"]),
    title: z.string(),
    /** 合同 or 协议. */
    noun: z.string(),
    signer: z.string(),
    deadline: z.string(),
  }),
});

export const openSigning = open.post("/:token/open", "验证签署人身份", "public", {
  perMinute: 30,
  params: token,
  ...at,
  body: z.object({ last4 }),
  reply: z.object({ device: f.secret(z.string()), resultKey: f.secret(z.string()).nullable() }),
});

/** The paper as it is read on a phone, from the same text as the file. */
export const signDocument = open.get("/:token/document", "查看待签合同", "public", {
  perMinute: 60,
  params: token,
  query: onDevice,
  reply: shownPaper.extend({
    pages: z.number().int(),
    facts: z.array(z.object({ title: z.string(), value: z.string() })),
    readSeconds: z.number().int(),
    handwriting: z.boolean(),
  }),
});

export const signDocumentFile = open.get("/:token/document/file", "下载待签合同", "public", {
  perMinute: 30,
  timeout: 300_000,
  params: token,
  query: onDevice,
});

export const sendSignCode = open.post("/:token/sms", "发送签署验证码", "public", {
  perMinute: 20,
  params: token,
  ...at,
  body: codeAsk,
  reply: codeSent,
});

export const signByParty = open.post("/:token/sign", "同意签署", "public", {
  perMinute: 20,
  timeout: 120_000,
  params: token,
  ...at,
  body: agreeing({ hash: "合同内容已更新，请使用新链接", tick: "请先勾选同意本合同及电子签署约定" }).extend({
    /** A PNG as base64, where it is asked for. */
    handwriting: f
      .worded("program", f.secret(z.string().max(400_000, "签名图片过大，请清除后重写")))
      .optional(),
  }),
  reply: z.object({ key: f.secret(z.string()) }),
});

export const refuseSigning = open.post("/:token/refuse", "拒绝签署", "public", {
  perMinute: 20,
  params: token,
  ...at,
  body: onDevice.extend({ reason: f.reason("拒签原因") }),
  reply: z.object({ key: f.secret(z.string()) }),
});

const resultKey = z.object({ key: f.secret(z.string().max(64)) });

/** What became of a signing, to whoever signed it: for half an hour, to a key of its own. Everybody else reads that it was handed in. */
export const signResult = open.get("/result", "查看签署结果", "public", {
  perMinute: 60,
  query: resultKey,
  reply: z.object({
    kind: z.enum(["none", "signing", "sealing", "done", "refused", "ended"]),
    title: z.string(),
    noun: z.string(),
    contractNo: z.string(),
    room: z.string(),
    term: z.string(),
    signedAt: z.string(),
    reason: z.string(),
    signers: z.array(z.object({ role: z.string(), name: z.string(), state: z.string() })),
    due: z.array(z.object({ title: z.string(), dueOn: z.string(), amount: z.number() })),
    dueTotal: z.number(),
    /** True where the store takes what is due by phone. */
    online: z.boolean(),
    payTo: z.array(z.string()),
    fileHash: z.string(),
    fileState: z.enum(["none", "ready", "fetched"]),
  }),
});

/** A payment page for what is due on signing. */
export const payDue = open.post("/result/pay", "签署后去支付", "public", {
  perMinute: 20,
  body: resultKey,
  reply: z.object({ path: f.secret(z.string()) }),
});

/** The closed file, once. */
export const signedFile = open.get("/file", "下载签署文件", "public", {
  effect: "write",
  perMinute: 20,
  timeout: 300_000,
  ...at,
  query: resultKey,
});

/** Something is to be done at an outside provider about a signing, or was told by it. */
export const signingOutside = event("contract.signingOutside", z.object({ flowId: f.id }));
