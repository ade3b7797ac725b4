import { forbidden, notFound, stale } from "../../../platform/kernel/refusal.ts";
import { theRow } from "../../../platform/server/database/row.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { seen } from "../../../platform/server/pipeline/scope.ts";
import { actById } from "../act/act.queries.ts";
import { contractRecord, recordById } from "../contract/record.queries.ts";
import { cancel, resend, resendAct, start, startAct, type Started } from "./flow.service.ts";
import { documentOf, subjectOf } from "./subject.service.ts";

/** An act whose document the caller may send or look at, with the contract that it leads to and is signed with. */
export async function actAdmitted(read: Read, id: number, what: "send" | "get") {
  const record = seen(read.who, await actById(read, id));
  const document = documentOf(record.kind);
  if (!document) throw notFound();
  const { kind } = (await recordById(read, record.contractId))!;
  if (!read.who.permits.has(document[what](kind))) throw forbidden();
  const { resultContractId: nextId } = await theRow(read, "contractAct", ["resultContractId"], { id });
  return { contractId: record.contractId, nextId };
}

/** The document of an act is presented as its preview was shown. */
export async function startOf(
  act: Act,
  id: number,
  { version, previewHash }: { version: number; previewHash: string },
): Promise<Started> {
  const { contractId, nextId } = await actAdmitted(act, id, "send");
  await contractRecord(act, nextId ?? contractId, true);
  const subject = await subjectOf(act, { contractId, actId: id });
  if (subject.act!.version !== version) throw stale();
  return nextId === null ? startAct(act, subject, previewHash) : start(act, nextId, previewHash);
}

export async function resendOf(act: Act, id: number): Promise<Started> {
  const { contractId, nextId } = await actAdmitted(act, id, "send");
  if (nextId !== null) return resend(act, nextId);
  return resendAct(act, await subjectOf(act, { contractId, actId: id }, true));
}

export async function cancelOf(act: Act, id: number, reason: string) {
  const { contractId, nextId } = await actAdmitted(act, id, "send");
  if (nextId !== null)
    return cancel(act, { contract: await contractRecord(act, nextId, true), act: null }, reason);
  return cancel(act, await subjectOf(act, { contractId, actId: id }, true), reason);
}
