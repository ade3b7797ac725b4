import { beforeAll, describe, expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import signJobs from "../esign/esign.job.ts";
import { cancelSigning, resendSigning } from "../esign/esign.contract.ts";
import { phoneOf, toSign } from "../esign/esign.sample.ts";
import clockJobs from "../signing/clock.job.ts";
import { withdrawContract } from "../signing/signing.contract.ts";
import { APP, notified } from "./esign-cn.sample.ts";
import outsideJobs from "./outside.job.ts";
import { outsideHouse } from "./outside.sample.ts";

const { house, esign, shop, as, account, ...at } = await outsideHouse();
const { later, write, contract, signing, start, tick, told, linksTo, presented, sign } = at;
const { pool } = house.database;
beforeAll(async () => {
  await write({ ...account, secret: APP.secret });
});

describe("a provider that", () => {
  test("is out of order or cuts the line is tried again, and the party gets one link", async () => {
    const { id, partyId } = await toSign(house, shop);
    esign.answers(() => ({ status: 500 }));
    await start(id);
    await house.deliver();
    expect(await signing(id)).toMatchObject({
      state: "sending",
      problem: "e签宝没有响应，系统会自动重试",
    });
    // the flow is made, but the answer is lost
    let cut = true;
    esign.answers(async ({ path }) => {
      if (!path.endsWith("create-by-file") || !cut) return undefined;
      cut = false;
      return { hang: true };
    });
    later(2);
    await tick();
    expect(await signing(id)).toMatchObject({ state: "sending" });
    later(5);
    await tick();
    expect(await signing(id)).toMatchObject({ state: "signing", problem: "" });
    expect(await linksTo(partyId)).toEqual([`https://smlt.esign.cn/${esign.newest().id}`]);
    const uploads = esign.times(/file-upload-url/);
    later(30);
    await tick();
    expect(esign.times(/file-upload-url/), "the file is brought once").toBe(uploads);
  });

  test("is slow holds nothing up: what is cancelled meanwhile is taken back there", async () => {
    const { id, partyId } = await toSign(house, shop);
    let arrived = () => {};
    const here = new Promise<void>((done) => (arrived = done));
    let let_go = () => {};
    const waits = new Promise<void>((done) => (let_go = done));
    esign.answers(async ({ path }) => {
      if (!path.endsWith("create-by-file")) return undefined;
      arrived();
      await waits;
      return undefined;
    });
    await start(id);
    const working = house.deliver();
    await here;
    // while it thinks, the same signing is looked after by nobody else, and people go on
    const asked = esign.asked.length;
    await perform(house, outsideJobs[1]!, {}, "beside");
    expect(esign.asked.length).toBe(asked);
    const params = { id };
    expect((await house.did(cancelSigning, { as }, { params, body: { reason: "客户改主意" } })).state).toBe(
      "cancelled",
    );
    let_go();
    await working;
    await tick();
    expect(esign.newest().status).toBe(3);
    expect(await linksTo(partyId)).toEqual([]);
    expect((await contract(id)).state).toBe("signing");
  });

  test("refuses the document: the contract stays handed in, its clerk reads why and begins anew", async () => {
    const { id, contractNo } = await toSign(house, shop);
    esign.answers(({ path }) =>
      path.endsWith("create-by-file") ? { code: 1435002, message: "合同份额不足" } : undefined,
    );
    await start(id);
    await house.deliver();
    expect(await signing(id)).toMatchObject({ state: "failed", failReason: "e签宝：合同份额不足" });
    expect((await contract(id)).state).toBe("signing");
    expect(await told(id)).toEqual([`${contractNo} 电子签署未被受理`]);
    esign.answers();
    const again = await house.did(resendSigning, { as }, { params: { id } });
    expect(again.state).toBe("sending");
    await house.deliver();
    expect(await signing(id)).toMatchObject({ state: "signing", flowNo: again.flowNo });
  });

  test("answers nothing any more keeps the rooms for one day beyond the deadline, and no longer", async () => {
    const { id } = await presented();
    esign.answers(() => ({ status: 502 }));
    later(8 * 24 * 60 - 120);
    await perform(house, signJobs[0]!, {}, "links");
    await tick();
    await perform(house, clockJobs[0]!, {}, "deadline");
    expect((await contract(id)).state).toBe("signing");
    expect((await signing(id)).problem).toBe("e签宝没有响应，系统会自动重试");
    later(180);
    await perform(house, clockJobs[0]!, {}, "deadline");
    expect((await contract(id)).state).toBe("draft");
    expect((await signing(id)).state).toBe("expired");
  });
});

describe("a signing there that does not end well", () => {
  test("is refused by the party, with its reason", async () => {
    const { id, contractNo, flow } = await presented();
    esign.happens(flow, { status: 7, reason: "租金与约定不符" });
    await notified(house, esign.tells(flow));
    await house.deliver();
    expect(await signing(id)).toMatchObject({
      state: "refused",
      failReason: "租金与约定不符",
      signers: [{ state: "refused", refuseReason: "租金与约定不符" }, {}],
    });
    expect((await contract(id)).state).toBe("signing");
    expect(await told(id)).toEqual([`${contractNo} 客户拒绝签署`]);
  });

  test("runs out of time here, and is taken back there", async () => {
    const { id, flow } = await presented();
    later(72 * 60 + 11);
    await perform(house, signJobs[0]!, {}, "links");
    expect((await signing(id)).state, "whether it was signed in time is asked first").toBe("signing");
    await tick();
    expect(await signing(id)).toMatchObject({ state: "expired", failReason: "签署链接已过期" });
    expect(flow.status).toBe(3);
  });

  test("was signed in time although nobody told: it counts", async () => {
    const { id, flow } = await presented();
    sign(flow);
    later(72 * 60 + 11);
    await tick();
    expect((await contract(id)).state).toBe("effective");
  });

  test("is revoked or runs out there", async () => {
    const one = await presented();
    esign.happens(one.flow, { status: 3, reason: "发起方撤销" });
    const two = await presented();
    esign.happens(two.flow, { status: 5, reason: "过期" });
    later(11);
    await tick();
    expect(await signing(one.id)).toMatchObject({ state: "cancelled", failReason: "发起方撤销" });
    expect(await signing(two.id)).toMatchObject({ state: "expired", failReason: "过期" });
  });

  test("is withdrawn with its contract here, and taken back there within a minute", async () => {
    const { id, flow } = await presented();
    await house.did(withdrawContract, { as }, { params: { id }, body: { reason: "房型有误" } });
    await tick();
    expect((await contract(id)).state).toBe("draft");
    expect([flow.status, flow.reason]).toEqual([3, "签署已撤销"]);
  });

  test("was complete there before it was cancelled here: people hear of it, nothing comes into force", async () => {
    const { id, contractNo, flow } = await presented();
    sign(flow);
    await house.did(cancelSigning, { as }, { params: { id }, body: { reason: "改为线下" } });
    await house.deliver();
    expect((await contract(id)).state).toBe("signing");
    expect(await told(id)).toEqual([`${contractNo} 签署未生效`]);
    const asked = esign.asked.length;
    later(60);
    await tick();
    expect(esign.asked.length).toBe(asked);
  });

  test("was agreed to other bills: the contract is a draft again, and both are told", async () => {
    const { id, partyId, contractNo, flow } = await presented();
    await pool.query("update contract_room set monthly_rent = monthly_rent + 100 where contract_id = $1", [
      id,
    ]);
    sign(flow);
    await notified(house, esign.tells(flow));
    await house.deliver();
    expect((await contract(id)).state).toBe("draft");
    expect(await signing(id)).toMatchObject({
      state: "failed",
      failReason: "账单试算已变化，请核对后重新确认",
    });
    expect(await told(id)).toEqual([`${contractNo} 电子签署未能生效`]);
    const { rows } = await pool.query(
      "select count(*)::int n from outbox where recipient = $1 and body like '%未能生效%'",
      [await phoneOf(house, partyId)],
    );
    expect(rows).toEqual([{ n: 1 }]);
  });

  test("is sent once more: the same flow, a link again", async () => {
    const { id, partyId, flow } = await presented();
    const again = await house.did(resendSigning, { as }, { params: { id } });
    expect(again).toMatchObject({ state: "signing", links: [] });
    await house.deliver();
    expect(await linksTo(partyId)).toHaveLength(2);
    expect(esign.newest()).toBe(flow);
  });
});
