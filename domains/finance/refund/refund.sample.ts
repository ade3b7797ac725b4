import { randomUUID } from "node:crypto";
import type { Call, Sent } from "../../../platform/kernel/call.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import type { AskedSource } from "./held.queries.ts";
import { getRefund, applyForRefund, refundRoutes } from "./refund.contract.ts";
import jobs from "./refund.job.ts";

export const APPLYING = ["108.query", "108.get", "108.add", "108.delete", "108.export"];
export const PAYING = ["244.query", "244.get", "244.edit", "#24401", "#24402"];

export type Asking = {
  source: AskedSource;
  sourceId: number;
  villageId: number;
  partyId: number;
  amount: number;
  [more: string]: unknown;
};

/** To a bank account of the customer's own. */
export const BANK = {
  route: "bank",
  payeeBank: "杭州滨江支行",
  payeeAccount: "6222020200011234567",
} as const;

/** What the drawer shows before anything is applied for. */
export const shownFor = (house: TestHouse, as: Person, { source, sourceId, villageId, amount }: Asking) =>
  house.did(refundRoutes, { as }, { query: { source, sourceId, villageId, amount } });

/** Applies as the drawer does: with the hash of what it showed. */
export async function applying(
  house: TestHouse,
  as: Person,
  given: Asking,
  shown = shownFor(house, as, given),
) {
  const body = { reason: "客户申请退款", ...BANK, previewHash: (await shown).hash, ...given };
  return house.ask(applyForRefund, { as, key: randomUUID() }, { body: body as never });
}

export const refundOf = (house: TestHouse, as: Person, id: number) =>
  house.did(getRefund, { as }, { params: { id } });

/** An act on a refund as it stands now. */
export async function onRefund<C extends Call>(
  house: TestHouse,
  as: Person,
  call: C,
  id: number,
  body: object = {},
) {
  const { version } = await refundOf(house, as, id);
  return house.ask(call, { as, key: randomUUID() }, {
    params: { id },
    body: { version, ...body },
  } as unknown as Sent<C> as never);
}

/** The minute's run that asks channels. */
export const askingChannels = (house: TestHouse) =>
  perform(
    house,
    jobs.find((j) => j.name === "refund.ask")!,
    {},
    randomUUID(),
  );
