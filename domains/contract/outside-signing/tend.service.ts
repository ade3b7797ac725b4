import { Refusal } from "../../../platform/kernel/refusal.ts";
import { mayPass, Unavailable } from "../../../platform/server/outside/transient.ts";
import { nobody, type Act } from "../../../platform/server/pipeline/act.ts";
import { actOf, type House } from "../../../platform/server/pipeline/pipeline.ts";
import { isLive } from "../esign/esign.rules.ts";
import { asSigner } from "../esign/flow.queries.ts";
import { retryMinutes, toldOf } from "../provider/provider.rules.ts";
import { accountById, clientOf } from "../provider/provider.service.ts";
import type { EsignClient } from "../provider/tsign.service.ts";
import { follow, notTaken, signedTooLate } from "./follow.service.ts";
import { claim, type Doing, presentation, release } from "./outside.queries.ts";
import { linkSent, linkTo, over, taken, uploaded } from "./present.service.ts";

const REQUEST = { requestId: "", ip: "", userAgent: "job" };
/** A provider that tells nothing is asked so often; one that has yet to set the seal sooner. */
const ASK_MINUTES = 10;
const SEAL_MINUTES = 1;

/**
 * Sees to one signing at its provider: presents it, asks how it stands, takes it back. Whatever is sent is sent between transactions,
 * never inside of one, and each step is written down, so that the next run goes on where this one was cut off. One server at a
 * time does it.
 */
export async function tend(house: House, flowId: number): Promise<void> {
  const inside = <T>(work: (act: Act) => Promise<T>): Promise<T> =>
    house.database.db.transaction().execute(async (tx) => work(actOf(house, tx, nobody, REQUEST)));
  const doing = await inside((act) => claim(act, flowId));
  if (!doing) return;
  const client = await inside(async (act) => clientOf(act, (await accountById(act, doing.accountId))!));
  const asIts = <T>(work: (act: Act) => Promise<T>): Promise<T> =>
    inside((act) => work(asSigner(act, doing.flow)));
  try {
    const minutes = await step(asIts, client, doing);
    await inside((act) => release(act, doing, { minutes, problem: "", tries: 0 }));
  } catch (error) {
    const passes = error instanceof Refusal || mayPass(error);
    const said = error instanceof Refusal ? error.message : "e签宝没有响应，系统会自动重试";
    const tries = doing.tries + 1;
    await inside((act) => release(act, doing, { minutes: retryMinutes(tries), problem: said, tries }));
    if (!passes) throw error;
  }
}

type AsIts = <T>(work: (act: Act) => Promise<T>) => Promise<T>;

/** What is next; answers the minutes until it is looked after again, null when nothing is left to do. */
async function step(asIts: AsIts, client: EsignClient, doing: Doing): Promise<number | null> {
  const { flow } = doing;
  if (!isLive(flow.state)) return takeBack(asIts, client, doing);
  if (!flow.externalId || doing.linkDue) {
    await present(asIts, client, doing);
    return ASK_MINUTES;
  }
  const detail = await client.detail(flow.externalId);
  const told = toldOf(detail, doing.orders, doing.now.getTime());
  const file = told.state === "done" ? await client.download(flow.externalId, doing.fileId!) : undefined;
  const { state, linkDue } = await asIts((act) => follow(act, flow.id, told, file));
  if (told.state !== "open") return null;
  // its time was up: what has ended here ends there
  if (!isLive(state)) return takeBack(asIts, client, doing);
  if (linkDue) await present(asIts, client, doing);
  return told.parties.every(Boolean) ? SEAL_MINUTES : ASK_MINUTES;
}

/** Brings the file there, presents it to its signers and sends the link to whose turn it is. */
async function present(asIts: AsIts, client: EsignClient, doing: Doing): Promise<void> {
  const { flow } = doing;
  try {
    let { externalId } = flow;
    if (!externalId) {
      const sent = await asIts((act) => presentation(act, doing));
      const fileId = doing.fileId ?? (await client.upload(sent.fileName, sent.bytes));
      if (!doing.fileId) await asIts((act) => uploaded(act, flow.id, fileId));
      if (!(await client.isReady(fileId))) throw new Unavailable("e签宝 is still reading the file");
      externalId = await client.create({ ...sent.flow, fileId, fileName: sent.fileName });
      const id = externalId;
      await asIts((act) => taken(act, flow.id, id));
    }
    const to = await asIts((act) => linkTo(act, flow.id));
    if (!to) return;
    const url = await client.signUrl(externalId, to);
    await asIts((act) => linkSent(act, flow.id, url));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // what it refuses today it refuses tomorrow: the clerk hears why and begins anew
    await asIts((act) => notTaken(act, flow.id, error.message));
  }
}

/** What has ended here ends there, too. Where everybody has signed there meanwhile, somebody has to know. */
async function takeBack(asIts: AsIts, client: EsignClient, doing: Doing): Promise<null> {
  const { flow } = doing;
  if (flow.externalId) {
    try {
      await client.revoke(flow.externalId, "签署已撤销");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const told = toldOf(await client.detail(flow.externalId), doing.orders, doing.now.getTime());
      if (told.state === "open") throw error;
      if (told.state === "done") await asIts((act) => signedTooLate(act, flow.id));
    }
  }
  await asIts((act) => over(act, flow.id));
  return null;
}
