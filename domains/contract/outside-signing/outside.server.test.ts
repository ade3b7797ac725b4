import { createHash } from "node:crypto";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { aCompanyForm, aFirmShop, someRooms } from "../contract/firm.sample.ts";
import { aShop, submitted } from "../contract/contract.sample.ts";
import { contractBills, contractDocuments, getContract } from "../contract/detail.contract.ts";
import { readSignConfig, testSignProvider, writeSignConfig } from "../config/sign.contract.ts";
import {
  cancelSigning,
  contractSignings,
  resendSigning,
  signedFile,
  signResult,
  startSigning,
  waitingSeals,
} from "../esign/esign.contract.ts";
import { phoneOf, toSign } from "../esign/esign.sample.ts";
import signJobs from "../esign/esign.job.ts";
import clockJobs from "../signing/clock.job.ts";
import { withdrawContract } from "../signing/signing.contract.ts";
import { anEsign, APP, type Esign, notified } from "./esign-cn.sample.ts";
import outsideJobs from "./outside.job.ts";

const NOW = "2026-03-12T10:00:00+08:00";
const SITE = "https://console.example.com";
let clock = new Date(NOW);
const esign = await anEsign(() => clock);
afterAll(() => esign.close());
const house = await testHouse({ settings: { PUBLIC_URL: SITE } });
const { pool } = house.database;
const later = (minutes: number) => {
  clock = new Date(clock.getTime() + minutes * 60_000);
  house.setClock(clock.toISOString());
};
beforeEach(() => {
  clock = new Date(NOW);
  house.setClock(NOW);
  esign.answers();
});

const shop = await aShop(house, { permits: ["95.query", "95.edit"] });
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

describe("settings", () => {
  test("an application is set with its secret, which never comes back and is logged without its value", async () => {
    const missing = await write({ provider: "esign", appId: APP.appId });
    expect([missing.status, missing.body.fields]).toEqual([
      400,
      [{ field: "secret", msg: "请输入应用密钥" }],
    ]);
    const unnamed = await write({ provider: "esign", appId: "", secret: APP.secret });
    expect(unnamed.body.fields).toEqual([{ field: "appId", msg: "请输入应用ID" }]);
    expect((await write({ ...account, secret: APP.secret })).status).toBe(200);
    const settings = await house.ask(readSignConfig, { as }, { query });
    expect(settings.body.data).toMatchObject({ ...account, secretSet: "set", source: "village" });
    expect(settings.raw.toString()).not.toContain(APP.secret);
    const { rows } = await pool.query<{ secret: Buffer }>("select secret from sign_provider");
    expect(rows.map((r) => house.cipher.open(r.secret))).toEqual([APP.secret]);
    const { rows: logs } = await pool.query(
      "select to_jsonb(b) row from business_log b union all select to_jsonb(o) from operation_log o",
    );
    expect(JSON.stringify(logs)).not.toContain(APP.secret);
    expect(JSON.stringify(logs)).toContain("设置应用密钥");
    // another address is not told what was meant for this one
    const moved = await write({ ...account, endpoint: "https://elsewhere.example.com" });
    expect(moved.body.fields).toEqual([{ field: "secret", msg: "更换应用或地址须同时填写应用密钥" }]);
  });

  test("the test says what the provider answers", async () => {
    const test = () => house.did(testSignProvider, { as }, { query });
    expect(await test()).toEqual({ ok: true, said: "连接成功，e签宝已受理该应用的请求" });
    expect(esign.asked.at(-1)).toMatchObject({ path: "/v3/files/file-upload-url", signedRight: true });
    esign.answers(() => ({ status: 401, code: 401, message: "无效的应用" }));
    expect(await test()).toEqual({ ok: false, said: "e签宝：无效的应用" });
    esign.answers(() => ({ status: 503 }));
    expect(await test()).toEqual({ ok: false, said: "e签宝没有响应，请核对接口地址后重试" });
    const reader = await house.person({ permits: ["95.query"], villages: [shop.villageId] });
    expect((await house.ask(testSignProvider, { as: reader }, { query })).status).toBe(403);
    const stranger = await house.person({ permits: ["95.edit"] });
    expect((await house.ask(testSignProvider, { as: stranger }, { query })).status).toBe(404);
  });

  test("without an application nothing can be begun, and its sentence says where it is set", async () => {
    const other = await aShop(house, { permits: ["95.query", "95.edit"] });
    await pool.query(
      "insert into contract_config (enterprise_id, village_id, provider) values ($1, $2, 'esign')",
      [house.enterpriseId, other.villageId],
    );
    const { id } = await toSign(house, other);
    const refused = await house.ask(startSigning, { as: other.clerk }, { params: { id } });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      "未设置e签宝的应用ID和密钥，请在“合同配置”的签署设置中设置后再发起电子签署",
    ]);
  });
});

describe("a contract that is signed at the provider", () => {
  test("is presented after the commit, signed there, and comes into force with the file as it was closed", async () => {
    const { id, contractNo, partyId } = await toSign(house, shop);
    const before = esign.asked.length;
    const begun = await start(id);
    expect(begun).toMatchObject({ state: "sending", links: [] });
    expect(esign.asked.length, "nothing is sent within the act").toBe(before);
    await house.deliver();
    expect(
      esign.asked
        .slice(before)
        .map((a) => [`${a.method} ${a.path.replace(/\w+\d{8}/, ":id")}`, a.signedRight]),
    ).toEqual([
      ["POST /v3/files/file-upload-url", true],
      ["GET /v3/files/:id", true],
      ["POST /v3/sign-flow/create-by-file", true],
      ["POST /v3/sign-flow/:id/sign-url", true],
    ]);
    const flow = esign.newest();
    const phone = await phoneOf(house, partyId);
    const documents = await house.did(contractDocuments, { as }, { params: { id } });
    const shown = createHash("sha256").update(esign.files.get(flow.fileId)!.bytes!).digest("hex");
    expect(shown).toBe(documents.find((d) => d.kind === "draft")!.fileHash);
    expect(flow.sent).toMatchObject({
      signFlowConfig: {
        autoStart: true,
        autoFinish: true,
        noticeConfig: { noticeTypes: "" },
        notifyUrl: expect.stringMatching(
          /^https:\/\/console\.example\.com\/contract\/api\/v3\/esign\/callback\/esign\?account=\d+$/,
        ) as string,
      },
      signers: [
        {
          signerType: 0,
          signConfig: { signOrder: 1 },
          psnSignerInfo: { psnAccount: phone, psnInfo: { psnName: "张三" } },
          signFields: [{ normalSignFieldConfig: { autoSign: false } }],
        },
        {
          signerType: 1,
          signConfig: { signOrder: 2 },
          signFields: [{ customBizNum: begun.flowNo, normalSignFieldConfig: { autoSign: true } }],
        },
      ],
    });
    expect(await linksTo(partyId)).toEqual([`https://smlt.esign.cn/${flow.id}`]);
    expect(await signing(id)).toMatchObject({ state: "signing", provider: "esign", waitsForSeal: false });

    // the party has signed, the seal is on its way
    esign.happens(flow, { partySigned: true });
    expect((await notified(house, esign.tells(flow))).json()).toMatchObject({
      data: { code: "200", msg: "success" },
    });
    await house.deliver();
    const half = await signing(id);
    expect(half.signers[0]).toMatchObject({ state: "signed", evidence: { ip: "218.1.2.3" } });
    expect(half).toMatchObject({ state: "signing", waitsForSeal: false });
    expect((await house.did(waitingSeals, { as }, { query: {} })).list).toEqual([]);
    const late = await house.ask(cancelSigning, { as }, { params: { id }, body: { reason: "不签了" } });
    expect(late.body.message).toBe("承租方已签署，不能撤销");

    sign(flow);
    const notice = esign.tells(flow);
    expect((await notified(house, notice)).statusCode).toBe(200);
    expect((await notified(house, notice)).statusCode).toBe(200);
    await house.deliver();
    expect(await contract(id)).toMatchObject({ state: "effective", signedOn: "2026-03-12" });
    expect(await house.did(contractBills, { as }, { params: { id } })).toHaveLength(5);
    const sha = createHash("sha256").update(esign.closedFile(flow.id)).digest("hex");
    const { rows } = await pool.query(
      "select signed_file_hash hash, (select count(*)::int from contract_archive a where a.contract_id = c.id) archived from contract c where id = $1",
      [id],
    );
    expect(rows).toEqual([{ hash: sha, archived: 1 }]);
    // told a third time after all of it: nothing is asked, nothing happens
    const asked = esign.asked.length;
    expect((await notified(house, notice)).statusCode).toBe(200);
    await house.deliver();
    later(60);
    await tick();
    expect(esign.asked.length).toBe(asked);
    expect(await told(id)).toEqual([`${contractNo} 电子签署已完成`]);

    // the page that the signer returns to
    house.setClock(NOW);
    const { redirectConfig } = esign.asked.findLast((a) => a.path.endsWith(`${flow.id}/sign-url`))!.body as {
      redirectConfig: { redirectUrl: string };
    };
    const back = new URL(redirectConfig.redirectUrl);
    expect(`${back.origin}${back.pathname}`).toBe(`${SITE}/sams/signsuccess`);
    const key = back.searchParams.get("key")!;
    expect(await house.did(signResult, {}, { query: { key } })).toMatchObject({
      kind: "done",
      dueTotal: 1_400_000,
      fileHash: sha.slice(0, 16),
    });
    const file = await house.ask(signedFile, {}, { query: { key } });
    expect(createHash("sha256").update(file.raw).digest("hex")).toBe(sha);
    later(31);
    expect((await house.did(signResult, {}, { query: { key } })).kind).toBe("none");
  });

  test("is not believed for a notification: it is forged, or the provider itself says otherwise", async () => {
    const { id, flow } = await presented();
    const notice = esign.tells({ ...flow, status: 2 });
    const forged = [
      await notified(house, notice, { "x-tsign-open-signature": "00".repeat(32) }),
      await notified(house, notice, { "x-tsign-open-app-id": "7438990002" }),
      await notified(house, { ...notice, body: notice.body.replace("完成", "成了") }),
      await notified(house, esign.tells(flow, new Date(clock.getTime() - 16 * 60_000))),
    ];
    expect(forged.map((r) => r.statusCode)).toEqual([401, 401, 401, 401]);
    const elsewhere = await notified(house, { ...notice, url: notice.url.replace(/=\d+$/, "=999999") });
    expect(elsewhere.statusCode).toBe(404);
    await house.deliver();
    // signed, but not true: the flow is asked for
    expect((await notified(house, notice)).statusCode).toBe(200);
    await house.deliver();
    expect((await contract(id)).state).toBe("signing");
    expect(await signing(id)).toMatchObject({ state: "signing" });
    // of a flow that is not known here, such as one whose answer was lost
    expect((await notified(house, esign.tells({ ...flow, id: "flow99999999" }))).statusCode).toBe(200);
  });

  test("whose notification is lost is asked for within ten minutes", async () => {
    const { id, flow } = await presented();
    sign(flow);
    later(9);
    await tick();
    expect((await contract(id)).state).toBe("signing");
    later(2);
    await tick();
    expect((await contract(id)).state).toBe("effective");
  });

  test("of a company is signed by whom one talks to there, after the seal where the enterprise is first", async () => {
    const firm = await aFirmShop(house, { village: "企业外签店" });
    await pool.query(
      "insert into contract_config (enterprise_id, village_id, provider, sign_order) values ($1, $2, 'esign', 'enterpriseFirst')",
      [house.enterpriseId, firm.villageId],
    );
    await pool.query(
      "insert into sign_provider (enterprise_id, village_id, provider, endpoint, app_id, secret) values ($1, null, 'esign', $2, $3, $4)",
      [house.enterpriseId, esign.endpoint, APP.appId, house.cipher.seal(APP.secret)],
    );
    const form = aCompanyForm(firm, await someRooms(house, firm, ["W1", "W2"]), { start: "2026-03-15" });
    const { id } = await submitted(house, firm.clerk, form);
    await house.did(startSigning, { as: firm.clerk }, { params: { id } });
    await house.deliver();
    const flow = esign.newest();
    const { rows } = await pool.query<{ name: string; code: string }>(
      "select p.name, f.credit_code code from party p join firm f on f.id = p.id where p.id = $1",
      [firm.companyId],
    );
    expect(flow.sent["signers"]).toMatchObject([
      {
        signerType: 1,
        signConfig: { signOrder: 2 },
        orgSignerInfo: {
          orgName: rows[0]!.name,
          orgInfo: { orgIDCardNum: rows[0]!.code, orgIDCardType: "CRED_ORG_USCC" },
          transactorInfo: { psnAccount: expect.stringMatching(/^1\d{10}$/) as string },
        },
      },
      { signerType: 1, signConfig: { signOrder: 1 } },
    ]);
    sign(flow);
    await notified(house, esign.tells(flow));
    await house.deliver();
    expect((await house.did(getContract, { as: firm.clerk }, { params: { id } })).state).toBe("effective");
  });
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

test("the application stays the same while something is signed with it", async () => {
  await presented();
  const moved = await write({ ...account, appId: "7438990009", secret: APP.secret });
  expect([moved.status, moved.body.message]).toEqual([
    409,
    expect.stringMatching(/^该应用有 \d+ 份合同正在e签宝签署，完成或撤销后才能更换应用$/) as string,
  ]);
  expect((await write({ ...account, secret: "another secret of the same" })).status).toBe(200);
  expect((await write({ provider: "embedded" })).status).toBe(200);
});
