import { randomBytes } from "node:crypto";
import { Refusal } from "../../../platform/kernel/refusal.ts";
import type { Act, Read } from "../../../platform/server/pipeline/act.ts";
import { hashOf } from "../../../platform/server/pipeline/session.ts";
import { isLive, isLocked, LAST4, OPEN_TRIES, SAID, saidOf, wrongTry } from "./esign.rules.ts";
import { type Flow, flowById, type Signer, signersOf } from "./flow.queries.ts";
import { isOpen, type Subject, subjectOf } from "./subject.service.ts";

type KeyKind = "link" | "device" | "result";

/** A code of 128 random bits, of which only the hash is kept. */
export async function issueKey(act: Act, signerId: number, kind: KeyKind, expiresAt: Date): Promise<string> {
  const key = randomBytes(16).toString("base64url");
  await act.tx
    .insertInto("signKey")
    .values({
      hash: hashOf(key),
      signerId,
      kind,
      expiresAt: expiresAt.toISOString(),
      createdAt: act.now.toISOString(),
    })
    .execute();
  return key;
}

/** Links of a signing lead nowhere from now on, and devices that were let in are strangers again. */
export async function revokeKeys(act: Act, flowId: number): Promise<void> {
  await act.tx
    .updateTable("signKey")
    .set({ revokedAt: act.now.toISOString() })
    .where("kind", "<>", "result")
    .where("revokedAt", "is", null)
    .where("signerId", "in", (eb) => eb.selectFrom("signSigner").select("id").where("flowId", "=", flowId))
    .execute();
}

const keyRow = (read: Pick<Read, "tx">, token: string, kind: KeyKind) =>
  read.tx
    .selectFrom("signKey as k")
    .innerJoin("signSigner as s", "s.id", "k.signerId")
    .select(["k.signerId", "k.expiresAt", "k.revokedAt", "k.usedAt", "s.flowId"])
    .where("k.hash", "=", hashOf(token))
    .where("k.kind", "=", kind)
    .executeTakeFirst();

export type Opened = { flow: Flow; signer: Signer; signers: Signer[]; subject: Subject };

const gone = (sentence: string) => new Refusal("gone", sentence, 410);

/**
 * What a link leads to. A link whose signer has signed leads to the result; of one that leads nowhere any more it is said why. With
 * `lock` contract, act and signing are held, in this order.
 */
export async function byLink(read: Read, token: string, lock = false): Promise<Opened> {
  const key = await keyRow(read, token, "link");
  const first = key && (await flowById(read, key.flowId));
  if (!key || !first) throw new Refusal("notFound", SAID.unknown, 404);
  const subject = await subjectOf(read, first, lock);
  const flow = lock ? (await flowById(read, first.id, true))! : first;
  const signers = await signersOf(read, flow.id);
  const signer = signers.find((s) => s.id === key.signerId)!;
  if (signer.state === "signed") return { flow, signer, signers, subject };
  if (flow.state === "refused") throw gone(SAID.refused);
  if (!isLive(flow.state)) {
    if (await hasNewer(read, flow)) throw gone(saidOf(flow.docKind, SAID.changed));
    throw gone(flow.state === "expired" ? SAID.expired : SAID.revoked);
  }
  if (key.revokedAt !== null || !isOpen(subject)) throw gone(SAID.revoked);
  if (new Date(key.expiresAt) <= read.now || new Date(flow.deadline) <= read.now) throw gone(SAID.expired);
  return { flow, signer, signers, subject };
}

const hasNewer = async (read: Pick<Read, "tx">, flow: Flow) =>
  (await read.tx
    .selectFrom("signFlow")
    .select("id")
    .where("contractId", "=", flow.contractId)
    .where("actId", flow.actId === null ? "is" : "=", flow.actId)
    .where("id", ">", flow.id)
    .executeTakeFirst()) !== undefined;

/** The same on a device that has named the last four characters. */
export async function byDevice(read: Read, token: string, device: string, lock = false): Promise<Opened> {
  const opened = await byLink(read, token, lock);
  const key = await keyRow(read, device, "device");
  const known =
    key?.signerId === opened.signer.id && key.revokedAt === null && new Date(key.expiresAt) > read.now;
  if (!known) throw new Refusal("unopened", SAID.unopened, 403);
  return opened;
}

/** The signing of a result's key, while it is good; nothing for every other key. */
export async function byResult(read: Read, token: string) {
  const key = await keyRow(read, token, "result");
  if (!key || new Date(key.expiresAt) <= read.now) return undefined;
  const flow = (await flowById(read, key.flowId))!;
  const signers = await signersOf(read, flow.id);
  return { flow, signers, signer: signers.find((s) => s.id === key.signerId)!, usedAt: key.usedAt };
}

/** Marks a result's file as fetched; false where it was before. */
export async function fetchedOnce(act: Act, token: string): Promise<boolean> {
  const done = await act.tx
    .updateTable("signKey")
    .set({ usedAt: act.now.toISOString() })
    .where("hash", "=", hashOf(token))
    .where("kind", "=", "result")
    .where("usedAt", "is", null)
    .returning("signerId")
    .executeTakeFirst();
  return done !== undefined;
}

/** A link whose tenant names the last four characters with everything that he sends. */
/** What is tried at a link: its last four characters, or the code of a text message. */
type Tried = "open" | "code";
const TOO_MANY: Record<Tried, string> = { open: SAID.tooManyOpens, code: SAID.tooManyCodes };

/** `lockedFor`: what was tried too often, or "both", where a link is tried for both. */
type Lock = { lockedUntil: string | null; lockedFor?: string };
export type Knocked = Lock & { last4: string; last4Of: keyof typeof LAST4; openTries: number };
/** Keeps what was counted. */
type Keep = (set: object, locked: boolean) => Promise<unknown>;

export function refuseLocked(act: Act, { lockedUntil, lockedFor }: Lock, what: Tried): void {
  const until = lockedUntil ? new Date(lockedUntil).getTime() : null;
  if ([what, "both", undefined].includes(lockedFor) && isLocked(until, act.now.getTime()))
    throw new Refusal("locked", TOO_MANY[what], 423);
}

/** What a further lock is for: one that still runs for the other thing that is tried goes on with it. */
export const lockedWith = (
  act: Pick<Act, "now">,
  { lockedUntil, lockedFor }: Required<Lock>,
  what: Tried,
): string => {
  const until = lockedUntil ? new Date(lockedUntil).getTime() : null;
  return isLocked(until, act.now.getTime()) && lockedFor !== what ? "both" : what;
};

/** Counts a wrong try and says so; the count stays although the call is refused. */
async function refuseWrong(
  act: Act,
  {
    what,
    before,
    most,
    field,
    said,
  }: { what: Tried; before: number; most: number; field: string; said: string },
  keep: Keep,
): Promise<never> {
  const { tries, lockedUntil } = wrongTry(before, most, act.now.getTime());
  const locked = lockedUntil !== null;
  const counted = what === "open" ? { openTries: tries } : { smsTries: tries };
  await keep({ ...counted, ...(locked && { lockedUntil: new Date(lockedUntil).toISOString() }) }, locked);
  if (locked) throw new Refusal("locked", TOO_MANY[what], 423, { keeps: true });
  const msg = `${said}，还可尝试${most - tries}次`;
  throw new Refusal("wrong", msg, 400, { fields: [{ field, msg }], keeps: true });
}

/** Refuses who cannot name the last four characters. */
export async function refuseStranger(act: Act, link: Knocked, typed: string, keep: Keep): Promise<void> {
  refuseLocked(act, link, "open");
  if (typed === link.last4) return;
  const said = `${LAST4[link.last4Of]}后四位不正确`;
  await refuseWrong(
    act,
    { what: "open", before: link.openTries, most: OPEN_TRIES, field: "last4", said },
    keep,
  );
}

/** Refuses whoever sent another code than the one of the text message, with so many tries allowed. */
export const refuseCode = (act: Act, { smsTries: before }: { smsTries: number }, most: number, keep: Keep) =>
  refuseWrong(act, { what: "code", before, most, field: "captcha", said: "短信验证码错误或已失效" }, keep);
