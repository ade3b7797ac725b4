import { sql } from "kysely";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { hashOf } from "../../../platform/server/pipeline/session.ts";
import { actRecord } from "../act/act.queries.ts";
import { type Last4Of, SAID as SIGNING } from "../esign/esign.rules.ts";
import type { Evidence, ShownBlock } from "../esign/flow.queries.ts";
import { recordById } from "../contract/record.queries.ts";
import { type LinkState, SAID } from "./link.rules.ts";

/** A sheet before its tenant. */
export type SheetLink = {
  id: number;
  actId: number;
  contractId: number;
  enterpriseId: number;
  villageId: number;
  enterprise: string;
  fileId: number;
  documentHash: string;
  paper: ShownBlock[];
  net: number;
  name: string;
  phone: string;
  last4: string;
  last4Of: Last4Of;
  state: LinkState;
  deadline: string;
  openTries: number;
  smsTries: number;
  lockedUntil: string | null;
  lockedFor: string;
  codesSent: number;
  codeSentAt: string | null;
  codeOutboxId: number | null;
  evidence: Evidence;
  createdBy: number | null;
};

async function linkOf(read: Pick<Read, "tx">, token: string, lock: boolean): Promise<SheetLink | undefined> {
  const { rows } = await sql<SheetLink>`
    select l.id, l.act_id "actId", a.contract_id "contractId", l.enterprise_id "enterpriseId", l.village_id "villageId",
      e.name enterprise, l.file_id "fileId", l.document_hash "documentHash", l.paper, l.net, l.name, l.phone, l.last4,
      l.last4_of "last4Of", l.state, l.deadline, l.open_tries "openTries", l.sms_tries "smsTries",
      l.locked_until "lockedUntil", l.locked_for "lockedFor", l.codes_sent "codesSent", l.code_sent_at "codeSentAt",
      l.code_outbox_id "codeOutboxId", l.evidence, l.created_by "createdBy"
    from settlement_link l join contract_act a on a.id = l.act_id join enterprise e on e.id = l.enterprise_id
    where l.hash = ${hashOf(token)} ${lock ? sql`for update of l` : sql``}`.execute(read.tx);
  return rows[0];
}

const gone = (state: "revoked" | "agreed" | "objected" | "expired") => new Refusal("gone", SAID[state], 410);

/**
 * The sheet that a link leads to; of one that leads nowhere any more it is said why. With `lock` contract, act and link are held,
 * in the order in which the clerk's steps hold them.
 */
export async function byLink(read: Read, token: string, lock = false): Promise<SheetLink> {
  const seen = await linkOf(read, token, false);
  if (!seen) throw new Refusal("notFound", SAID.unknown, 404);
  if (lock) {
    await recordById(read, seen.contractId, true);
    await sql`select from contract_act where id = ${seen.actId} for no key update`.execute(read.tx);
  }
  const link = lock ? (await linkOf(read, token, true))! : seen;
  if (link.state === "agreed" || link.state === "objected" || link.state === "revoked")
    throw gone(link.state);
  if (new Date(link.deadline) <= read.now) throw gone("expired");
  return link;
}

/** The same on a device that has named the last four characters. */
export async function byDevice(read: Read, token: string, device: string, lock = false): Promise<SheetLink> {
  const link = await byLink(read, token, lock);
  const known = await read.tx
    .selectFrom("settlementDevice")
    .select("linkId")
    .where("hash", "=", hashOf(device))
    .where("linkId", "=", link.id)
    .where("expiresAt", ">", read.now.toISOString())
    .executeTakeFirst();
  if (!known) throw new Refusal("unopened", SIGNING.unopened, 403);
  return link;
}

/** Every link of a settlement in scope, with what proves the answer. */
export async function linksOf(read: Read, actId: number) {
  await actRecord(read, actId, "settle");
  const rows = await read.tx
    .selectFrom("settlementLink as l")
    .leftJoin("operator as o", "o.id", "l.createdBy")
    .select([
      "l.id",
      "l.state",
      "l.name",
      "l.phone",
      "l.net",
      "l.createdAt",
      "l.deadline",
      "l.endedAt",
      "l.reason",
    ])
    .select(["l.evidence", "l.documentHash", "o.realName"])
    .where("l.actId", "=", actId)
    .orderBy("l.id", "desc")
    .execute();
  return rows.map(({ evidence, phone, createdAt, realName, ...row }) => {
    const proof = evidence as Evidence;
    return {
      ...row,
      state: row.state as LinkState,
      phone: maskPhone(phone),
      sentAt: createdAt,
      sentBy: realName ?? "",
      openedAt: proof.openedAt ?? null,
      ip: proof.ip ?? "",
      device: proof.device ?? "",
      smsNo: proof.smsNo ?? "",
    };
  });
}
