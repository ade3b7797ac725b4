import { afterAll, beforeEach } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aShop } from "../contract/contract.sample.ts";
import { getContract } from "../contract/detail.contract.ts";
import { readSignConfig, writeSignConfig } from "../config/sign.contract.ts";
import { contractSignings, startSigning } from "../esign/esign.contract.ts";
import { phoneOf, toSign } from "../esign/esign.sample.ts";
import { anEsign, APP, type Esign } from "./esign-cn.sample.ts";
import outsideJobs from "./outside.job.ts";

export const NOW = "2026-03-12T10:00:00+08:00";
export const SITE = "https://console.example.com";

/** A store that may sign at a provider on this machine. Call it at the top of a test file; every test begins at NOW. */
export async function outsideHouse() {
  let clock = new Date(NOW);
  const esign = await anEsign(() => clock);
  afterAll(() => esign.close());
  const house = await testHouse({ settings: { PUBLIC_URL: SITE } });
  const { pool } = house.database;
  const goTo = (at: string) => {
    clock = new Date(at);
    house.setClock(at);
  };
  const later = (minutes: number) => goTo(new Date(clock.getTime() + minutes * 60_000).toISOString());
  beforeEach(() => {
    goTo(NOW);
    esign.answers();
  });

  const shop = await aShop(house, {
    permits: ["95.query", "95.edit", "#903", "96.query", "96.get", "96.add", "96.edit", "#9601", "#9602"],
  });
  const as = shop.clerk;
  const query = { villageId: shop.villageId };
  const account = { provider: "esign" as const, appId: APP.appId, endpoint: esign.endpoint };
  const write = async (change: object, at = query, by = as) => {
    const settings = await house.did(readSignConfig, { as: by }, { query: at });
    return house.ask(writeSignConfig, { as: by }, { query: at, body: { ...settings, ...change } });
  };
  const contract = (id: number) => house.did(getContract, { as }, { params: { id } });
  const signing = async (id: number) => (await house.did(contractSignings, { as }, { params: { id } }))[0]!;
  const start = (id: number) => house.did(startSigning, { as }, { params: { id } });
  /** The minute has passed: what is due is done. */
  const tick = async () => {
    await perform(house, outsideJobs[1]!, {}, "tick");
    await house.deliver();
  };
  const told = async (id: number) =>
    (
      await pool.query<{ title: string }>(
        "select title from message where biz_type = 'contract' and biz_id = $1 order by id",
        [id],
      )
    ).rows.map((m) => m.title);
  const linksTo = async (partyId: number) =>
    (
      await pool.query<{ link: string }>(
        "select params->>'link' link from outbox where recipient = $1 and params ? 'link' order by id",
        [await phoneOf(house, partyId)],
      )
    ).rows.map((row) => row.link);
  /** A contract whose link the party has. */
  async function presented() {
    const made = await toSign(house, shop);
    await start(made.id);
    await house.deliver();
    return { ...made, flow: esign.newest() };
  }
  const sign = (flow: ReturnType<Esign["newest"]>) => esign.happens(flow, { partySigned: true, status: 2 });
  return {
    ...{ house, esign, shop, as, query, account },
    ...{ goTo, later, write, contract, signing, start, tick, told, linksTo, presented, sign },
    now: () => clock,
  };
}
