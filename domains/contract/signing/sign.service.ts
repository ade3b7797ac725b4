import { dayInZone, type Day } from "../../../platform/kernel/day.ts";
import { invalid, Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { becomeContract } from "../../customer/reservation/reservation.service.ts";
import { leaseHeld } from "../../listing/occupancy/occupancy.service.ts";
import { tell } from "../../system/message/message.service.ts";
import { attachFiles } from "../../system/file/file.service.ts";
import { archiveSigned } from "../archive/archive.service.ts";
import { type Waiting, propose } from "../../approval/examine/propose.service.ts";
import { governing } from "../../approval/examine/registry.service.ts";
import { type ContractRecord, contractRecord, nextOf } from "../contract/record.queries.ts";
import { endSignings, refuseSigned } from "../act/signing.service.ts";
import { offersGone } from "../activity/use.service.ts";
import { checkedFees } from "../contract/contract.queries.ts";
import { forbidText, listedIn } from "../contract/facts.queries.ts";
import { signSettingsOf } from "../config/sign.service.ts";
import { permitOf } from "../terms/kind.rules.ts";
import { refuseOverCredit } from "../preview/credit.service.ts";
import { agree, weighStored } from "../preview/preview.service.ts";
import type { ScheduleInput } from "../schedule/terms.rules.ts";
import { scheduleErrors } from "../terms/check.rules.ts";
import { rentOn } from "../terms/terms.rules.ts";
import { firstCharges } from "../succession/succession.rules.ts";
import { enterAfter, isSuccessor, takeFrom } from "../succession/succession.service.ts";
import { putInForce } from "./force.service.ts";
import { alone, backToDraft, type Moved, type Submitted } from "./submit.service.ts";

export type OfflineSigning = {
  id: number;
  /** Scans of the signed paper, uploaded by the same person and not yet hung on anything. */
  fileIds: readonly number[];
  previewHash: string;
};

/**
 * Both sides have signed the paper: the contract comes into force, or waits where the village wants the paper approved. In one
 * transaction the hold becomes the lease and every bill of the term exists, or nothing at all has happened. Two contracts that swap
 * their rooms are signed together.
 */
export async function signOffline(
  act: Act,
  signings: readonly OfflineSigning[],
  signedOn: Day,
): Promise<Submitted & { bills: number }> {
  const both = signings.length > 1;
  const weighed: Agreed[] = [];
  let needsApproval = false;
  for (const { id, previewHash } of signings) {
    const contract = await contractRecord(act, id, true);
    await nextOf(act, "sign", contract, { both });
    if (signedOn > act.today) throw invalid({ field: "signedOn", msg: "签署日期不能晚于今天" });
    const drafted = dayInZone(new Date(contract.createdAt), act.settings.TIME_ZONE);
    if (signedOn < drafted) throw invalid({ field: "signedOn", msg: `签署日期不能早于起草日 ${drafted}` });
    const { offlineAllowed, offlineNeedsApproval } = await signSettingsOf(act, contract);
    if (!offlineAllowed) throw new Refusal("notAllowed", "该门店不允许线下签署，请发起电子签署", 409);
    needsApproval ||= offlineNeedsApproval;
    await refuseSigned(act, alone(id), "承租方已电子签署，等待盖章，不能改为线下签署");
    const agreed = await stillAgreed(act, contract, previewHash);
    weighed.push(agreed);
    const gone = await goneOffers(act, agreed);
    if (!gone) continue;
    await backToDraft(act, contract, "退回草稿", `${gone}，退回草稿，释放房间`);
    await tellSigner(act, contract, gone);
    throw new Refusal("quotaUsed", gone, 409, { keeps: true });
  }
  for (const [i, { contract }] of weighed.entries()) await attachScans(act, contract, signings[i]!.fileIds);
  const papers = signings.map((signing) => ({ ...signing, signedOn, by: act.who.operatorId })) as [
    Paper,
    ...Paper[],
  ];
  const [{ contract }] = weighed as [Agreed];
  const waiting = needsApproval && (await proposePaper(act, contract, papers));
  for (const { id } of signings)
    await endSignings(act, alone(id), "cancelled", waiting ? "线下签署审批中" : "已改为线下签署");
  if (waiting) {
    const { id, state, version } = contract;
    return { id, state, version, bills: 0, examineNo: waiting.examineNo };
  }
  const done: Awaited<ReturnType<typeof signNow>>[] = [];
  for (const [i, agreed] of weighed.entries()) done.push(await signNow(act, agreed, papers[i]!));
  return { ...done[0]!, bills: done.reduce((sum, d) => sum + d.bills, 0), examineNo: null };
}

/** The paper, and who brought it. */
export type Paper = OfflineSigning & { signedOn: Day; by: number };
/** What waits for approval: one paper, or those of two contracts that swap their rooms. */
export type Proposed = Omit<Paper, "id"> & { other?: Paper };
export const PAPER = "offlineSign";

/** The setting asks for an approval: where nobody is named who gives it, nothing is signed. */
async function proposePaper(
  act: Act,
  contract: ContractRecord,
  [{ id, ...paper }, other]: readonly [Paper, ...Paper[]],
): Promise<Waiting | undefined> {
  const { villageId } = contract;
  const payload: Proposed = { ...paper, ...(other && { other }) };
  if (!(await governing(act, PAPER, [villageId])).has(villageId))
    throw new Refusal("notAllowed", "该门店的线下签署需要审批，请先在审批配置中设置“线下签署”的流程", 409);
  const reason = `线下签署 ${contract.contractNo}，签署日期 ${paper.signedOn}`;
  const { waiting } = await propose(act, PAPER, [
    { recordId: id, villageId, payload, reason, fileIds: paper.fileIds },
  ]);
  return waiting[0];
}

export async function signNow(
  act: Act,
  weighed: Agreed,
  { fileIds, signedOn, by }: Omit<Paper, "id">,
): Promise<Moved & { bills: number }> {
  const { contract } = weighed;
  const [documentId] = await keepScans(act, contract.id, fileIds, by);
  const done = await comeIntoForce(act, weighed, { signMode: "offline", signedOn });
  // the original on paper waits for its shelf
  await archiveSigned(act, [
    {
      contractId: contract.id,
      documentId: documentId!,
      docKind: `${contract.kind}Contract`,
      medium: "paper",
    },
  ]);
  return done;
}

export type Agreed = ReturnType<typeof weighStored>;

/** The contract as it was handed in, with the bills that both agreed to; refuses where they, or the black list, have changed since. */
export async function stillAgreed(act: Act, contract: ContractRecord, previewHash: string): Promise<Agreed> {
  const weighed = weighStored(act, contract);
  const listed = await listedSince(act, contract);
  if (listed) throw new Refusal("blackListed", `${listed}。请撤回后由有权限的人重新提交`, 409);
  await refuseUnbillable(act, contract, weighed.input);
  await refuseOverCredit(act, { ...weighed, creditReason: contract.creditReason });
  agree(weighed, previewHash);
  return weighed;
}

/** Whom the black list forbids to sign with, unless who may let it be when it was handed in. */
export async function listedSince(read: Read, contract: ContractRecord): Promise<string | undefined> {
  if (contract.blackListForbids) return undefined;
  const worst = (await listedIn(read, contract)).find((hit) => hit.level === "forbid");
  return worst && forbidText(worst);
}

/** Why an offer of the contract cannot be used any more, or nothing. */
export const goneOffers = (act: Act, { contract, plan }: Agreed): Promise<string | undefined> =>
  offersGone(act, { ...contract, partyId: contract.partyId! }, plan);

/** The hold becomes the lease, the bills come into being, and whatever was reserved becomes this contract. */
export async function comeIntoForce(
  act: Act,
  { contract, input, plan }: Agreed,
  how: { signMode: "electronic" | "offline"; signedOn: Day },
): Promise<Moved & { bills: number }> {
  const { id } = contract;
  const after = isSuccessor(contract) ? contract : undefined;
  const previous = after && (await enterAfter(act, after));
  await leaseHeld(act, id);
  const moved = await act.tx
    .updateTable("contract")
    .set({
      state: "effective",
      ...how,
      signDeadline: null,
      currentRent: rentOn(input, act.today),
      version: contract.version + 1,
      updatedAt: act.now,
      updatedBy: act.who.operatorId || null,
    })
    .where("id", "=", id)
    .returning(["id", "state", "version"])
    .executeTakeFirstOrThrow();
  const bills = await putInForce(act, [
    {
      ...contract,
      partyId: contract.partyId!,
      start: contract.start!,
      end: contract.end!,
      roomIds: contract.rooms.map((r) => r.roomId),
      plan,
      signedOn: how.signedOn,
    },
  ]);
  await becomeContract(act, contract);
  if (after && previous)
    await takeFrom(act, after, previous, firstCharges(plan.totals.atSigning, plan.bills));
  return { ...moved, bills };
}

/** Who signs it hears that it is a draft again, and why. */
async function tellSigner(act: Act, contract: ContractRecord, why: string): Promise<void> {
  if (!contract.signerId) return;
  await tell(act, {
    to: [contract.signerId],
    type: 3,
    title: `合同 ${contract.contractNo} 已退回草稿`,
    content: `${contract.partyName}的合同 ${contract.contractNo} 签署时${why}，已退回草稿，请修改优惠后重新提交。`,
    bizType: "contract",
    bizId: contract.id,
    villageId: contract.villageId,
    facts: [
      ["客户", contract.partyName],
      ["房间", contract.roomNames],
      ["原因", why],
    ],
  });
}

/** A contract handed in before a rule was made stricter may hold terms that cannot be billed: it is mended as a draft. */
async function refuseUnbillable(act: Act, contract: ContractRecord, input: ScheduleInput): Promise<void> {
  const { terms, enterpriseId } = contract;
  const { errors } = await checkedFees(act, enterpriseId, terms.fees);
  const [wrong] = [...scheduleErrors(terms, input), ...errors];
  if (wrong)
    throw new Refusal("notAllowed", `合同条款无法出账：${wrong.msg}。请撤回合同，修改后重新提交`, 409);
}

/** The scans hang on the contract from now on. */
async function attachScans(act: Act, contract: ContractRecord, fileIds: readonly number[]): Promise<void> {
  await attachFiles(act, fileIds, {
    targetKind: "contract",
    targetId: contract.id,
    villageId: contract.villageId,
    needs: permitOf(contract.kind, "get"),
  });
  const files = await scansOf(act, fileIds);
  const odd = files.some((f) => !["application/pdf", "image/jpeg", "image/png"].includes(f.type));
  if (odd) throw invalid({ field: "fileIds", msg: "扫描件只能是pdf、jpg或png文件" });
}

const scansOf = (act: Act, fileIds: readonly number[]) =>
  act.tx
    .selectFrom("storedFile")
    .select(["id", "type", "sha256"])
    .where("id", "in", [...fileIds])
    .orderBy("id")
    .execute();

/** What they were on that day is kept as a hash. Answers the documents. */
async function keepScans(
  act: Act,
  contractId: number,
  fileIds: readonly number[],
  by: number,
): Promise<number[]> {
  const files = await scansOf(act, fileIds);
  const documents = await act.tx
    .insertInto("contractDocument")
    .values(
      files.map((f) => ({
        contractId,
        kind: "signed",
        fileId: f.id,
        fileHash: f.sha256,
        createdBy: by,
        createdAt: act.now,
      })),
    )
    .returning("id")
    .execute();
  await act.tx
    .updateTable("contract")
    .set({ signedFileHash: files[0]!.sha256 })
    .where("id", "=", contractId)
    .execute();
  return documents.map((d) => d.id);
}
