import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { issueDue } from "../../finance/bill-acts/change.service.ts";
import { take } from "../../finance/flow/flow.sample.ts";
import { acting } from "../../listing/village/village.sample.ts";
import { readContractConfig, writeContractConfig } from "../config/config.contract.ts";
import { LAST4 } from "../esign/esign.sample.ts";
import { renewals } from "../successor/successor.contract.ts";
import { R, WAYS, aSuccession } from "../successor/successor.sample.ts";
import {
  chooseOffer,
  getRenewal,
  handInRenewal,
  listRenewals,
  sendOffer,
  weighRenewals,
} from "./renewal.contract.ts";

const house = await testHouse();
const { shop, as, pool, accounts, lease, renew, preview, handIn, confirm } = await aSuccession(house);
const boss = await house.person({ permits: ["95.query", "95.edit"], villages: [shop.villageId] });
const query = { villageId: shop.villageId };
const WHY = "欠费 31,500.00 元，结清后方可续租";

async function setRule(renewNeedsPaid: boolean) {
  const { version, ...config } = await house.did(readContractConfig, { as: boss }, { query });
  const body = { ...config, renewNeedsPaid, version } as never;
  await house.did(writeContractConfig, { as: boss }, { query, body });
}
/** A lease near its end of which three quarters of 10,500.00 each were never paid. */
async function owing() {
  const old = await lease({ start: "2025-03-15", lateFeeDailyRate: "0" });
  await house.database.db
    .updateTable("renter")
    .set({ certType: "idCard", certNoMasked: `310***********${LAST4}`, verify: "verified" })
    .where("id", "=", old.partyId)
    .execute();
  house.setClock("2026-02-20T10:00:00+08:00");
  await acting(house, (act) => issueDue(act));
  return { ...old, ask: { contractId: old.id, end: "2027-03-14" } };
}
async function pays(contractId: number, partyId: number) {
  const { rows } = await pool.query<{ id: string; outstanding: string }>(
    "select id, outstanding from bill where contract_id = $1 and outstanding > 0",
    [contractId],
  );
  await take(house, shop as never, accounts, partyId, {
    amount: rows.reduce((sum, b) => sum + Number(b.outstanding), 0),
    paidAt: "2026-02-20T09:00:00+08:00",
    bills: rows.map((b) => Number(b.id)),
    channel: "cash",
  });
}

test("without the rule arrears stay on the contract before; with it nothing is asked for, offered or handed in", async () => {
  const { id, partyId, ask } = await owing();
  expect((await renew(ask)).actNo).toMatch(/^XZ/);

  await setRule(true);
  const other = await owing();
  const asked = await house.ask(renewals.ask, { as }, { body: { rents: [], ...WAYS, ...other.ask } });
  expect([asked.status, asked.body.message]).toEqual([409, WHY]);
  const rows = [{ ...WAYS, rents: [], ...other.ask }];
  expect((await house.did(weighRenewals, { as }, { body: { rows } })).rows).toMatchObject([{ refusal: WHY }]);
  const given = await house.ask(
    handInRenewal,
    { as, key: randomUUID() },
    { body: { ...WAYS, rents: [], ...other.ask, previewHash: "0".repeat(64) } },
  );
  expect([given.status, given.body.message]).toEqual([409, WHY]);
  const choices = [{ months: 12, monthlyRent: 350_000 }];
  const offer = await house.ask(sendOffer, { as }, { body: { contractId: other.id, choices } });
  expect(offer.body.message).toBe(WHY);
  const { list } = await house.did(listRenewals, { as }, { query: { tab: "due" } });
  expect(list.find((r) => r.id === other.id)).toMatchObject({ needsPaid: true, overdue: 3_150_000 });

  await pays(other.id, other.partyId);
  expect((await renew(other.ask)).actNo).toMatch(/^XZ/);
  await pays(id, partyId);
});

test("what was drawn before the rule is not handed in, and what was handed in not signed, while something is overdue", async () => {
  await setRule(false);
  const [drawn, handed, offered] = [await owing(), await owing(), await owing()];
  const one = await renew(drawn.ask);
  const two = await renew(handed.ask);
  await handIn(R, two.id);
  const choices = [{ months: 12, monthlyRent: 350_000 }];
  const { path } = await house.did(sendOffer, { as }, { body: { contractId: offered.id, choices } });

  await setRule(true);
  const shown = await preview(R, one.id);
  expect(shown.obstacles).toEqual([{ code: "notAllowed", msg: WHY }]);
  const submitted = await house.ask(
    renewals.submit,
    { as, key: randomUUID() },
    { params: { id: one.id }, body: { version: one.version, previewHash: shown.previewHash } },
  );
  expect([submitted.status, submitted.body.message]).toEqual([409, WHY]);
  expect((await preview(R, two.id)).obstacles).toEqual([{ code: "notAllowed", msg: WHY }]);
  const signed = await confirm(R, two.id, "2026-02-20");
  expect([signed.status, signed.body.message]).toEqual([409, WHY]);
  await house.did(
    chooseOffer,
    {},
    { params: { token: path.split("/").at(-1)! }, body: { last4: LAST4, choice: 0 } },
  );
  const { offers, actId } = await house.did(getRenewal, { as }, { params: { id: offered.id } });
  expect([actId, offers[0]!.answer]).toEqual([null, WHY]);

  await pays(handed.id, handed.partyId);
  expect((await confirm(R, two.id, "2026-02-20")).body).toMatchObject({ data: { state: "done" } });
});
