import { sql } from "kysely";
import { invalid, notFound, Refusal } from "../../../platform/kernel/refusal.ts";
import { canonicalNumber } from "../../../platform/kernel/texts/certificate.ts";
import { maskCertificate } from "../../../platform/kernel/texts/mask.ts";
import { revise, stamp } from "../../../platform/server/database/versioned.ts";
import { type Act, entryOn, type LogEntry } from "../../../platform/server/pipeline/act.ts";
import { anyOf, inScope } from "../../../platform/server/pipeline/scope.ts";
import { filesOf, attachFiles } from "../../system/file/file.service.ts";
import type { ApplicationInput } from "./application.contract.ts";
import { type Application, lockApplication } from "./application.queries.ts";
import {
  APPLICATION_MOVES,
  type ApplicationState,
  expiryOf,
  KEPT,
  MOST_DOCUMENTS,
  MOST_OPEN,
  TOO_MANY,
} from "./application.rules.ts";

export type Made = { id: number; applyNo: string };
type Source = "h5" | "miniProgram" | "portal" | "staff";

export const applicationNote = (
  of: Pick<Application, "id" | "applyNo" | "villageId">,
  action: string,
  more: string | Pick<LogEntry, "summary" | "before" | "after">,
): LogEntry => entryOn("leaseApplication", of, of.applyNo, action, more);

/** Requests of one phone are made one after the other, so that two of them cannot pass the same check. */
export async function notAgain(
  act: Act,
  of: { enterpriseId: number; phone: string; roomIds: readonly number[] },
  source: Source,
  own = 0,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`leaseApplication ${of.phone}`}, 0))`.execute(
    act.tx,
  );
  const { rows } = await sql<{ applyNo: string; state: ApplicationState; same: boolean }>`
    select apply_no "applyNo", state, room_ids && ${of.roomIds as number[]}::bigint[] same
    from lease_application where phone = ${of.phone} and enterprise_id = ${of.enterpriseId}
      and state in ('submitted', 'approved') and id <> ${own} order by id`.execute(act.tx);
  const again = rows.find((row) => row.same);
  if (source === "staff") {
    if (again) throw new Refusal("conflict", `该手机号已申请该房间（${again.applyNo}），请勿重复登记`);
    return;
  }
  if (again || rows.filter((row) => row.state === "submitted").length >= MOST_OPEN)
    throw new Refusal("conflict", TOO_MANY);
}

/** Rooms and product must be of the store; none of them is gone. */
export async function placesOf(
  act: Act,
  { villageId, roomIds, productId }: Pick<ApplicationInput, "villageId" | "roomIds" | "productId">,
): Promise<{ enterpriseId: number }> {
  const village = await act.tx
    .selectFrom("village")
    .select(["enterpriseId", "state"])
    .where("id", "=", villageId)
    .executeTakeFirstOrThrow(notFound);
  if (village.state === "closed") throw new Refusal("notAllowed", "门店已停业，不能申请");
  if (roomIds.length) {
    const { rows } = await sql<{ id: number }>`select id from room where id = ${anyOf(roomIds)}
      and village_id = ${villageId} and not_retired(retired_day, ${act.today}::date)`.execute(act.tx);
    if (rows.length < roomIds.length) throw invalid({ field: "roomIds", msg: "请选择该门店的房间" });
  }
  if (productId) {
    const product = await act.tx
      .selectFrom("product")
      .select("villageIds")
      .where("id", "=", productId)
      .where("enterpriseId", "=", village.enterpriseId)
      .where("enabled", "=", true)
      .executeTakeFirst();
    if (!product || (product.villageIds.length && !product.villageIds.includes(villageId)))
      throw invalid({ field: "productId", msg: "请选择该门店的产品" });
  }
  return village;
}

/** What the typed numbers are kept as; a person has a certificate, a firm its credit code. */
const numbersOf = (
  act: Act,
  input: Pick<ApplicationInput, "partyType" | "certType" | "certNo" | "creditCode">,
) => {
  const certNo = input.partyType === "renter" && input.certNo ? canonicalNumber(input.certNo) : null;
  const creditCode =
    input.partyType !== "renter" && input.creditCode ? canonicalNumber(input.creditCode) : null;
  return {
    creditCode,
    ...(certNo && {
      certType: input.certType ?? null,
      certNoCipher: act.cipher.seal(certNo),
      certNoMasked: maskCertificate(certNo),
      certNoHash: act.cipher.hash(certNo),
    }),
  };
};

/** The live lead of a phone, which the request belongs to. */
async function leadOf(act: Act, enterpriseId: number, phone: string): Promise<number | null> {
  const row = await act.tx
    .selectFrom("lead")
    .select("id")
    .where("enterpriseId", "=", enterpriseId)
    .where("phone", "=", phone)
    .where("state", "not in", ["signed", "lost"])
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Writes a request down. The caller has looked at the scope. */
export async function createApplication(
  act: Act,
  input: Omit<ApplicationInput, "fileIds">,
  source: Source,
): Promise<Made & { villageId: number }> {
  if (input.wantStart < act.today) throw invalid({ field: "wantStart", msg: "起租日不能早于今天" });
  const { enterpriseId } = await placesOf(act, input);
  await notAgain(act, { ...input, enterpriseId }, source);
  const [applyNo] = await act.numbers("ZL");
  const { id } = await act.tx
    .insertInto("leaseApplication")
    .values({
      applyNo: applyNo!,
      enterpriseId,
      villageId: input.villageId,
      roomIds: input.roomIds,
      productId: input.productId ?? null,
      partyType: input.partyType,
      name: input.name,
      firmName: input.partyType === "renter" ? "" : input.firmName,
      phone: input.phone,
      ...numbersOf(act, input),
      occupants: input.occupants,
      wantStart: input.wantStart,
      wantMonths: input.wantMonths,
      budget: input.budget ?? null,
      source,
      remark: input.remark,
      leadId: await leadOf(act, enterpriseId, input.phone),
      expiresOn: expiryOf(act.today),
      createdAt: act.now,
      createdBy: act.who.operatorId || null,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const made = { id, applyNo: applyNo!, villageId: input.villageId };
  await act.note(
    applicationNote(
      made,
      "提交",
      `${input.name} 申请 ${input.wantStart} 起租，租期 ${input.wantMonths} 个月`,
    ),
  );
  return made;
}

async function keepDocuments(act: Act, of: { id: number; villageId: number }, fileIds: readonly number[]) {
  await attachFiles(act, fileIds, {
    targetKind: "leaseApplication",
    targetId: of.id,
    villageId: of.villageId,
    needs: "236.get",
  });
  const files = (await filesOf(act, "leaseApplication", [of.id])).get(of.id) ?? [];
  if (files.length > MOST_DOCUMENTS) throw invalid({ field: "fileIds", msg: `材料最多${MOST_DOCUMENTS}个` });
  if (files.some((f) => !["application/pdf", "image/jpeg", "image/png"].includes(f.type)))
    throw invalid({ field: "fileIds", msg: "材料只能是pdf、jpg或png文件" });
}

/** At the front desk. */
export async function registerApplication(act: Act, { fileIds, ...input }: ApplicationInput): Promise<Made> {
  inScope(act.who, input.villageId);
  const { id, applyNo, villageId } = await createApplication(act, input, "staff");
  await keepDocuments(act, { id, villageId }, fileIds);
  return { id, applyNo };
}

/** What a room is kept by: for whom, which, and over which term. */
const keptBy = ({
  partyType,
  phone,
  villageId,
  roomIds,
  wantStart,
  wantMonths,
}: Pick<Application, "partyType" | "phone" | "villageId" | "roomIds" | "wantStart" | "wantMonths">): string =>
  JSON.stringify([partyType, phone, villageId, roomIds, wantStart, wantMonths]);

type Edit = Omit<ApplicationInput, "phone"> & { phone?: string | undefined; version: number };
export async function changeApplication(act: Act, id: number, edit: Edit): Promise<void> {
  const before = await lockApplication(act, id, edit.version);
  APPLICATION_MOVES.next("edit", before);
  inScope(act.who, edit.villageId);
  if (edit.wantStart < act.today && edit.wantStart !== before.wantStart)
    throw invalid({ field: "wantStart", msg: "起租日不能早于今天" });
  const phone = edit.phone ?? before.phone;
  if (before.held && keptBy({ ...edit, phone }) !== keptBy(before)) throw new Refusal("notAllowed", KEPT);
  const { enterpriseId } = await placesOf(act, edit);
  if (enterpriseId !== before.enterpriseId) throw notFound();
  await notAgain(act, { enterpriseId, phone, roomIds: edit.roomIds }, "staff", id);
  const { id: _, version } = before;
  await revise(
    act,
    "leaseApplication",
    { id, version },
    {
      villageId: edit.villageId,
      roomIds: edit.roomIds,
      productId: edit.productId ?? null,
      partyType: edit.partyType,
      name: edit.name,
      firmName: edit.partyType === "renter" ? "" : edit.firmName,
      phone,
      ...(edit.partyType === "renter"
        ? {}
        : { certType: null, certNoCipher: null, certNoMasked: null, certNoHash: null }),
      ...numbersOf(act, edit),
      occupants: edit.occupants,
      wantStart: edit.wantStart,
      wantMonths: edit.wantMonths,
      budget: edit.budget ?? null,
      remark: edit.remark,
      ...(phone !== before.phone && { leadId: await leadOf(act, enterpriseId, phone) }),
      ...stamp(act),
    },
  );
  await keepDocuments(act, { id, villageId: edit.villageId }, edit.fileIds);
  await act.note(
    applicationNote({ ...before, villageId: edit.villageId }, "修改", `修改租赁申请 ${before.applyNo}`),
  );
}
