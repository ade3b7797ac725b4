import { sql } from "kysely";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { placesIn } from "../../../platform/server/pdf/pdf-append.ts";
import { bytesOfFile } from "../../system/file/file.service.ts";
import { recordById } from "../contract/record.queries.ts";
import { partyFacts } from "../contract/facts.queries.ts";
import { inPlaces, MINUTE_MS } from "../esign/esign.rules.ts";
import { type Flow, flowById, type Signer, signersOf } from "../esign/flow.queries.ts";
import { signBy } from "../esign/flow.service.ts";
import { numberOf, signedBy, type Subject, subjectOf } from "../esign/subject.service.ts";
import { type EsignFlow, type EsignParty, orderOf } from "../provider/tsign.service.ts";
import { CALLBACK_PATH } from "./outside.contract.ts";

/** A signing that this server sees to for now. */
export type Doing = {
  flow: Flow;
  accountId: number;
  fileId: string | null;
  linkDue: boolean;
  /** As which signers there the parties sign. */
  orders: number[];
  tries: number;
  /** When it was claimed, and for when it had been put down. */
  now: Date;
  nextAt: string | null;
};

/** Longer than everything that is sent in one step may take. */
const CLAIM_MINUTES = 5;
const later = (act: Act, minutes: number) => new Date(act.now.getTime() + minutes * MINUTE_MS).toISOString();

/** Takes a signing on, unless another server has or nothing is left to do. */
export async function claim(act: Act, flowId: number): Promise<Doing | undefined> {
  const row = await act.tx
    .updateTable("signOutside")
    .set({ busyUntil: later(act, CLAIM_MINUTES) })
    .where("flowId", "=", flowId)
    .where("over", "=", false)
    .where((eb) => eb.or([eb("busyUntil", "is", null), eb("busyUntil", "<=", act.now.toISOString())]))
    .returning(["accountId", "fileId", "linkDue", "tries", "nextAt"])
    .executeTakeFirst();
  if (!row) return undefined;
  const flow = (await flowById(act, flowId))!;
  const parties = (await signersOf(act, flowId)).filter((s) => s.role !== "enterprise");
  const orders = parties.map((_, i) => orderOf(i, flow.signOrder === "enterpriseFirst"));
  return { ...row, flow, orders, now: act.now };
}

/** Puts it down until later; what was asked for meanwhile stays due. */
export async function release(
  act: Act,
  { flow, nextAt }: Doing,
  { minutes, ...said }: { minutes: number | null; problem: string; tries: number },
): Promise<void> {
  const next = minutes === null ? null : later(act, minutes);
  await act.tx
    .updateTable("signOutside")
    .set((eb) => ({
      ...said,
      problem: said.problem.slice(0, 300),
      busyUntil: null,
      nextAt: eb
        .case()
        .when("over", "=", true)
        .then(null)
        .when(sql<boolean>`next_at is distinct from ${nextAt}`)
        .then(eb.ref("nextAt"))
        .else(next)
        .end(),
    }))
    .where("flowId", "=", flow.id)
    .execute();
}

/** Those that are due; what has ended here is taken back there without waiting. */
export async function dueFlows(act: Pick<Act, "tx" | "now">, most = 200): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select o.flow_id id from sign_outside o join sign_flow w on w.id = o.flow_id
    where o.next_at is not null and (o.next_at <= ${act.now.toISOString()} or w.ended_at is not null and o.tries = 0)
    order by o.next_at limit ${most}`.execute(act.tx);
  return rows.map((row) => row.id);
}

/** The middle of a seal and of a handwriting, seen from the place that the paper names. */
const SEAL = { x: 115, y: 25 };
const HAND = { x: 90, y: 32 };
/** Where a paper names none: the lower right of the last page. */
const CORNER = { x: 450, y: 130 };

/** The firm that somebody signs for; nothing of who signs for himself. */
export async function firmOf(
  read: Pick<Read, "tx">,
  subject: Subject,
  signer: Pick<Signer, "role" | "last4Of">,
): Promise<EsignParty["firm"]> {
  if (signer.last4Of !== "creditCode") return null;
  const contract = signedBy(subject, signer);
  const { partyId } =
    signer.role === "previousParty" ? (await recordById(read, contract.previousId!))! : contract;
  const { name, creditCode } = (await partyFacts(read, [partyId!])).get(partyId!)!;
  return { name, creditCode: creditCode! };
}

/** What is presented at the provider. */
export async function presentation(
  act: Act,
  { flow, accountId }: Doing,
): Promise<{ fileName: string; bytes: Buffer; flow: Omit<EsignFlow, "fileId" | "fileName"> }> {
  const subject = await subjectOf(act, flow);
  const signers = (await signersOf(act, flow.id)).filter((s) => s.role !== "enterprise");
  const { fileId } = await act.tx
    .selectFrom("contractDocument")
    .select("fileId")
    .where("id", "=", flow.documentId)
    .executeTakeFirstOrThrow();
  const bytes = await bytesOfFile(act, fileId);
  const places = await placesIn(bytes);
  const at = (name: string, middle: { x: number; y: number }) => {
    const place = places.get(name);
    return place && { page: place.page + 1, x: place.x + middle.x, y: place.y + middle.y };
  };
  const parties: EsignParty[] = [];
  const placed = inPlaces(signers);
  for (const { name, phone, ...signer } of signers)
    parties.push({
      ...{ name, phone, place: at(`signature-${placed.findIndex((s) => s.id === signer.id) + 1}`, HAND) },
      firm: await firmOf(act, subject, signer),
    });
  const number = numberOf(subject);
  const { PUBLIC_URL } = act.settings;
  return {
    fileName: `${flow.paper.title}_${number}.pdf`,
    bytes,
    flow: {
      flowNo: flow.flowNo,
      title: `${flow.paper.title} ${number}`,
      // the rooms are held as long; our own deadline lies before it and can be put off
      deadline: signBy(subject, flow),
      // without an address of ours nothing can be told, and it is asked for
      notifyUrl: PUBLIC_URL && `${PUBLIC_URL.replace(/\/$/, "")}${CALLBACK_PATH}/esign?account=${accountId}`,
      parties,
      sealPlace: at("signature-0", SEAL) ?? { page: flow.pages, ...CORNER },
      enterpriseFirst: flow.signOrder === "enterpriseFirst",
    },
  };
}
