import { sql } from "kysely";
import { nobody, type Read } from "../../../platform/server/pipeline/act.ts";
import { live } from "../act/signing.service.ts";
import type { Block, Run } from "../../system/paper/block.rules.ts";
import type { SignerRole } from "../config/sign.rules.ts";
import type { FlowState, Last4Of, SignedKind, SignerState } from "./esign.rules.ts";

/** A grid keeps its cells apart from the rows of tables, which are texts. */
export type ShownBlock =
  | Exclude<Block, { kind: "grid" }>
  | { kind: "grid"; cells: readonly (readonly Run[])[] };

/** What was presented beside the file: the same text to be read on a phone, what matters in it, what is due on signing. */
export type Presented = {
  title: string;
  blocks: ShownBlock[];
  facts: { title: string; value: string }[];
  due: { title: string; dueOn: string; amount: number }[];
  /** Of who swaps rooms with the first. */
  otherDue?: { title: string; dueOn: string; amount: number }[];
};

/** A signing as the acts on it need it. */
export type Flow = {
  id: number;
  flowNo: string;
  contractId: number;
  /** The act whose supplement is presented; null where it is the contract. */
  actId: number | null;
  /** 对调: the contract that is presented with it. */
  otherId: number | null;
  /** The stores of that contract and of the one before: a tenant may move from store to store. */
  besides: number[];
  docKind: SignedKind;
  enterpriseId: number;
  villageId: number;
  provider: string;
  externalId: string | null;
  signOrder: string;
  /** The seal that closes the file: chosen on handing in, or set where the enterprise signs first. */
  sealId: number | null;
  state: FlowState;
  deadline: string;
  /** Of an act: until then it may be closed. */
  closesAt: string | null;
  documentId: number;
  documentHash: string;
  pages: number;
  paper: Presented;
  previewHash: string;
  linkHours: number;
  smsMinutes: number;
  smsTries: number;
  handwriting: boolean;
  readSeconds: number;
  timestampUrl: string;
  createdAt: string;
  createdBy: number | null;
  enterprise: string;
};

export type Evidence = {
  openedAt?: string;
  signedAt?: string;
  ip?: string;
  device?: string;
  smsNo?: string;
  consent?: string;
  documentHash?: string;
};

export type Signer = {
  id: number;
  flowId: number;
  seq: number;
  role: SignerRole;
  name: string;
  phone: string;
  last4: string;
  last4Of: "" | Last4Of;
  state: SignerState;
  openTries: number;
  smsTries: number;
  lockedUntil: string | null;
  lockedFor: string;
  codesSent: number;
  codeSentAt: string | null;
  codeOutboxId: number | null;
  evidence: Evidence;
  handwritingFileId: number | null;
  operatorId: number | null;
  refuseReason: string;
  signedAt: string | null;
};

/** A signing by its number; locked where something is done with it, so that of two at once the second sees the first. */
export async function flowById(read: Pick<Read, "tx">, id: number, lock = false): Promise<Flow | undefined> {
  const { rows } = await sql<Flow>`
    select w.id, w.flow_no "flowNo", w.contract_id "contractId", w.act_id "actId",
      w.other_contract_id "otherId", array(select o.village_id from contract o
        where o.id in (w.other_contract_id, (select previous_id from contract where id = w.contract_id))) besides,
      w.doc_kind "docKind", w.closes_at "closesAt", w.enterprise_id "enterpriseId",
      w.village_id "villageId", w.provider, w.external_id "externalId", w.sign_order "signOrder", w.seal_id "sealId", w.state, w.deadline,
      w.document_id "documentId", w.document_hash "documentHash", w.pages, w.paper, w.preview_hash "previewHash",
      w.link_hours "linkHours", w.sms_minutes "smsMinutes", w.sms_tries "smsTries", w.handwriting,
      w.read_seconds "readSeconds", w.timestamp_url "timestampUrl", w.created_at "createdAt",
      w.created_by "createdBy", e.name enterprise
    from sign_flow w join enterprise e on e.id = w.enterprise_id
    where w.id = ${id} ${lock ? sql`for update of w` : sql``}`.execute(read.tx);
  return rows[0];
}

/** The signing of a contract or of an act that is under way. */
export async function liveFlow(read: Pick<Read, "tx">, of: Pick<Flow, "contractId" | "actId">, lock = false) {
  const row = await live(read, of).executeTakeFirst();
  return row && flowById(read, row.id, lock);
}

export const signersOf = async (read: Pick<Read, "tx">, flowId: number): Promise<Signer[]> =>
  (await read.tx
    .selectFrom("signSigner")
    .selectAll()
    .where("flowId", "=", flowId)
    .orderBy("seq")
    .execute()) as unknown as Signer[];

/**
 * Who has no login acts for the enterprise of the signing, in its stores alone; rows are stamped with whoever started it.
 */
export const asSigner = <R extends Read>(
  act: R,
  flow: Pick<Flow, "createdBy" | "enterpriseId" | "villageId"> & Partial<Pick<Flow, "besides">>,
): R => ({
  ...act,
  who: {
    ...nobody,
    operatorId: flow.createdBy ?? 0,
    enterpriseId: flow.enterpriseId,
    villages: [flow.villageId, ...(flow.besides ?? [])],
  },
});

export const lockOf = ({ lockedUntil }: Pick<Signer, "lockedUntil">): number | null =>
  lockedUntil === null ? null : new Date(lockedUntil).getTime();
