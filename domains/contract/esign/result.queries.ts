import { sql } from "kysely";
import type { z } from "zod";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { maskName, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { hashOf } from "../../../platform/server/pipeline/session.ts";
import { keyword, named, phrase } from "../../../platform/server/lists/conditions.ts";
import { listOf } from "../../../platform/server/lists/list.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { linkFor, whyNoWay } from "../../finance/checkout/link.service.ts";
import { ROLES } from "../config/sign.rules.ts";
import { payTo } from "../document/pay-to.queries.ts";
import type { Provider } from "../provider/provider.rules.ts";
import type { ContractKind } from "../terms/kind.rules.ts";
import { awaitsSeal } from "../act/signing.service.ts";
import { type contractSignings, type signResult, waitingSeals } from "./esign.contract.ts";
import {
  type SignedKind,
  nounOf,
  outcomeOf,
  OUTCOMES,
  SIGNER_STATES,
  maskFirm,
  signedName,
  waitsForSeal,
} from "./esign.rules.ts";
import { signersOf, type Flow, flowById, type Signer } from "./flow.queries.ts";
import { byResult } from "./link.service.ts";
import { signedBy, subjectOf } from "./subject.service.ts";

type Result = z.output<typeof signResult.reply>;

/** One answer for keys that never were, ran out or are somebody else's. */
const NOTHING: Result = {
  kind: "none",
  title: "",
  noun: "",
  contractNo: "",
  room: "",
  term: "",
  signedAt: "",
  reason: "",
  signers: [],
  due: [],
  dueTotal: 0,
  online: false,
  payTo: [],
  fileHash: "",
  fileState: "none",
};

/** What became of a signing, for who signed it. */
export async function resultOf(read: Read, key: string): Promise<Result> {
  const found = await byResult(read, key);
  if (!found) return (await trialResult(read, key)) ?? NOTHING;
  const { flow, signer, signers, usedAt } = found;
  const kind = outcomeOf(flow.state, signers);
  const subject = await subjectOf(read, flow);
  const contract = signedBy(subject, signer);
  const payable = paysContract(flow, signer, kind);
  const shown = signer.role === "otherParty" ? (flow.paper.otherDue ?? []) : flow.paper.due;
  // who leaves has nothing to pay
  const due = signer.role === "previousParty" ? [] : payable ? await dueBills(read, contract.id) : shown;
  const online = payable && due.length > 0 && !(await whyNoWay(read, contract.villageId));
  const file = kind === "done" ? await fileOf(read, flow) : undefined;
  return {
    kind,
    title: flow.paper.title,
    noun: nounOf(flow.docKind),
    contractNo: (subject.act?.actNo ?? contract.contractNo).slice(-6),
    room: contract.roomNames,
    term: `${contract.start} 至 ${contract.end}`,
    signedAt: signer.signedAt ? timeInZone(signer.signedAt, read.settings.TIME_ZONE).slice(0, 16) : "",
    reason: kind === "refused" ? signer.refuseReason : "",
    signers: signers.map((s) => ({
      role: ROLES[s.role][0],
      name: s.role === "enterprise" ? maskFirm(s.name) : signedName(maskName(s.name), s.last4Of),
      state:
        s.role === "enterprise" && s.state !== "signed" && kind === "sealing"
          ? OUTCOMES.sealing
          : SIGNER_STATES[s.state][0],
    })),
    due: kind === "refused" || kind === "ended" ? [] : due,
    dueTotal: kind === "refused" || kind === "ended" ? 0 : due.reduce((sum, d) => sum + d.amount, 0),
    online,
    payTo: kind === "done" && !online ? await payTo(read, contract.villageId) : [],
    fileHash: file?.fileHash.slice(0, 16) ?? "",
    fileState: file ? (usedAt === null ? "ready" : "fetched") : "none",
  };
}

/** A sample that was signed to try everything out, by a key of its result while that is good. */
const trialBy = (read: Pick<Read, "tx" | "now">, key: string) =>
  read.tx
    .selectFrom("signTrial as t")
    .innerJoin("seal as s", "s.id", "t.sealId")
    .innerJoin("lessor as l", "l.id", "s.lessorId")
    .leftJoin("storedFile as f", "f.id", "t.signedFileId")
    .select(["t.id", "t.name", "t.state", "t.reason", "t.endedAt", "t.fetchedAt", "l.name as lessor"])
    .select(["f.sha256", "f.name as fileName", "f.type", "f.storageKey"])
    .where("t.result", "=", hashOf(key))
    .where("t.resultUntil", ">", read.now.toISOString())
    .executeTakeFirst();

async function trialResult(read: Read, key: string): Promise<Result | undefined> {
  const trial = await trialBy(read, key);
  if (!trial) return undefined;
  const signed = trial.state === "signed";
  return {
    ...NOTHING,
    kind: signed ? "done" : "refused",
    title: "房屋租赁合同（试签样张）",
    noun: "合同",
    contractNo: "试签样张",
    room: "样张，没有合同效力",
    signedAt: timeInZone(trial.endedAt!, read.settings.TIME_ZONE).slice(0, 16),
    reason: trial.reason,
    signers: [
      {
        role: ROLES.party[0],
        name: maskName(trial.name),
        state: SIGNER_STATES[signed ? "signed" : "refused"][0],
      },
      {
        role: ROLES.enterprise[0],
        name: maskFirm(trial.lessor),
        state: SIGNER_STATES[signed ? "signed" : "waiting"][0],
      },
    ],
    fileHash: trial.sha256?.slice(0, 16) ?? "",
    fileState: !signed ? "none" : trial.fetchedAt === null ? "ready" : "fetched",
  };
}

/** The closed sample, once. */
export async function fetchedTrial(act: Act, key: string) {
  const trial = await trialBy(act, key);
  if (!trial?.storageKey) return undefined;
  const done = await act.tx
    .updateTable("signTrial")
    .set({ fetchedAt: act.now.toISOString() })
    .where("id", "=", trial.id)
    .where("fetchedAt", "is", null)
    .returning("id")
    .executeTakeFirst();
  if (!done) throw new Refusal("gone", FETCHED, 410);
  return { name: trial.fileName!, type: trial.type!, storageKey: trial.storageKey };
}
export const FETCHED = "文件已下载过，请联系管家获取";

/** A contract has come into force, and who signed it pays it. What a supplement makes due is among bills that were due before. */
const paysContract = (flow: Flow, { role }: Pick<Signer, "role">, kind: Result["kind"]) =>
  kind === "done" && flow.actId === null && role !== "previousParty";

/** A page on which what is due on signing is paid; the key of the result opens it. */
export async function payPageOf(act: Act, key: string): Promise<{ path: string }> {
  const found = await byResult(act, key);
  if (!found || !paysContract(found.flow, found.signer, outcomeOf(found.flow.state, found.signers)))
    throw new Refusal("notFound", "签署结果不存在或已失效", 404);
  const { id, villageId, partyId } = signedBy(await subjectOf(act, found.flow), found.signer);
  const billIds = (await dueBills(act, id)).map((b) => b.id);
  if (!billIds.length) throw new Refusal("notAllowed", "首期应付已付清");
  const { path } = await linkFor(act, { villageId, partyId: partyId!, billIds });
  return { path };
}

/** What is to be paid with the signing, less what earnest money has paid of it already. */
async function dueBills(read: Read, contractId: number) {
  const { rows } = await sql<{ id: number; title: string; dueOn: string; amount: number }>`
    select b.id, b.title, b.due_date "dueOn", b.outstanding amount from bill b join contract c on c.id = b.contract_id
    where c.id = ${contractId} and b.voided_at is null and b.outstanding > 0
      and b.due_date <= c.signed_on + coalesce((c.terms->'due'->>'firstDueDays')::int, 0)
    order by b.due_date, b.id`.execute(read.tx);
  return rows;
}

export async function fileOf(read: Pick<Read, "tx">, flow: Pick<Flow, "id">) {
  return read.tx
    .selectFrom("signFlow as w")
    .innerJoin("contractDocument as d", "d.id", "w.signedDocumentId")
    .innerJoin("storedFile as f", "f.id", "d.fileId")
    .select(["d.fileHash", "f.name", "f.type", "f.storageKey"])
    .where("w.id", "=", flow.id)
    .executeTakeFirst();
}

/**
 * The signings of a contract and of the acts on it, or of one act, with their evidence, the newest first. The caller has let the
 * reader in.
 */
export async function signingsOf(
  read: Read,
  of: { contractId: number } | { actId: number },
): Promise<z.input<typeof contractSignings.reply>> {
  const rows = await read.tx
    .selectFrom("signFlow as w")
    .leftJoin("operator as o", "o.id", "w.createdBy")
    .leftJoin("contractDocument as d", "d.id", "w.signedDocumentId")
    .leftJoin("signOutside as p", "p.flowId", "w.id")
    .select([
      "w.id",
      "w.endedAt",
      "w.failReason",
      "w.signedDocumentId",
      "o.realName",
      "d.fileHash",
      "p.problem",
    ])
    .where(({ eb, or }) =>
      "actId" in of
        ? eb("w.actId", "=", of.actId)
        : or([eb("w.contractId", "=", of.contractId), eb("w.otherContractId", "=", of.contractId)]),
    )
    .orderBy("w.id", "desc")
    .execute();
  return Promise.all(
    rows.map(async (row) => {
      const flow = (await flowById(read, row.id))!;
      const signers = await signersOf(read, row.id);
      return {
        id: flow.id,
        flowNo: flow.flowNo,
        docKind: flow.docKind,
        state: flow.state,
        startedAt: flow.createdAt,
        startedBy: row.realName ?? "",
        deadline: flow.deadline,
        endedAt: row.endedAt,
        failReason: row.failReason,
        provider: flow.provider as Provider,
        problem: row.problem ?? "",
        documentId: flow.documentId,
        documentHash: flow.documentHash,
        signedDocumentId: row.signedDocumentId,
        signedHash: row.fileHash ?? "",
        waitsForSeal: waitsForSeal(flow, signers),
        signers: signers.map((s) => ({
          id: s.id,
          role: s.role,
          name: signedName(s.name, s.last4Of),
          phone: s.phone && maskPhone(s.phone),
          state: s.state,
          refuseReason: s.refuseReason,
          evidence: {
            openedAt: s.evidence.openedAt ?? null,
            signedAt: s.signedAt,
            ip: s.evidence.ip ?? "",
            device: s.evidence.device ?? "",
            smsNo: s.evidence.smsNo ?? "",
            consent: s.evidence.consent ?? "",
          },
        })),
      };
    }),
  );
}

type Row = {
  id: number;
  contractId: number;
  kind: ContractKind;
  contractNo: string;
  docKind: SignedKind;
  actNo: string;
  villageName: string;
  roomNames: string;
  partyName: string;
  signedAt: string | null;
  waitsSince: string;
  flowNo: string;
};

/** Signings whose next act is the enterprise's seal, the longest waiting first. */
export const waiting = listOf(waitingSeals, {
  id: "w.id",
  from: sql`sign_flow w join contract c on c.id = w.contract_id`,
  village: "w.village_id",
  scope: () => awaitsSeal,
  where: { keyword: keyword(named("c.party_name", "c.room_names"), phrase("c.contract_no")) },
  sort: { signedAt: "w.updated_at" },
  order: "signedAt",
  way: "asc",
  columns: sql<Row>`w.id, c.id "contractId", c.kind, c.contract_no "contractNo", w.doc_kind "docKind", coalesce(a.act_no, '') "actNo", v.name "villageName",
    concat_ws('、', c.room_names, t.room_names) "roomNames", concat_ws('、', c.party_name, t.party_name) "partyName",
    p.signed_at "signedAt",
    coalesce(p.signed_at, w.created_at) "waitsSince", w.flow_no "flowNo"`,
  join: sql`join sign_flow w on w.id = page.id join contract c on c.id = w.contract_id join village v on v.id = w.village_id
    left join contract_act a on a.id = w.act_id left join contract t on t.id = w.other_contract_id
    left join lateral (select max(s.signed_at) signed_at from sign_signer s
      where s.flow_id = w.id and s.role <> 'enterprise') p on true`,
  rows: (rows, { now }) =>
    rows.map(({ waitsSince, ...row }) => ({
      ...row,
      waitedMinutes: Math.floor((now.getTime() - new Date(waitsSince).getTime()) / 60_000),
    })),
});
