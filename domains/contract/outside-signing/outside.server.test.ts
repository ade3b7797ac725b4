import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { aCompanyForm, aFirmShop, someRooms } from "../contract/firm.sample.ts";
import { amendActs, getChange } from "../amendment/amendment.contract.ts";
import { aForm, aRenter, aRoom, aShop, signed, submitted } from "../contract/contract.sample.ts";
import { contractBills, contractDocuments, getContract } from "../contract/detail.contract.ts";
import { readSignConfig, testSignProvider } from "../config/sign.contract.ts";
import {
  actSignings,
  cancelSigning,
  signedFile,
  signResult,
  startActSigning,
  startSigning,
  waitingSeals,
} from "../esign/esign.contract.ts";
import { identified, phoneOf, toSign } from "../esign/esign.sample.ts";
import { getChange as getMove } from "../moving/moving.contract.ts";
import { askSwapped, changes } from "../successor/successor.contract.ts";
import { APP, notified } from "./esign-cn.sample.ts";
import { NOW, outsideHouse, SITE } from "./outside.sample.ts";

const { house, esign, shop, as, query, account, ...at } = await outsideHouse();
const { goTo, later, write, contract, signing, start, tick, told, linksTo, presented, sign } = at;
const { pool } = house.database;

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
      await notified(house, esign.tells(flow, new Date(at.now().getTime() - 16 * 60_000))),
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

/** A year from 15 March of a tenant who has a certificate. */
async function lease(roomName: string, rent = 350_000) {
  goTo(NOW);
  const partyId = await aRenter(house, shop.villageId);
  await identified(house, partyId);
  const roomId = await aRoom(house, shop.building, roomName);
  const { id } = await signed(house, as, aForm({ ...shop, roomId, partyId }, { rent }), "2026-03-12");
  return { id, partyId, roomId };
}
const signings = (id: number) => house.did(actSignings, { as }, { params: { id } });
/** The preview is looked at and handed in; then it is sent to be signed. */
async function sent(calls: typeof amendActs | typeof changes, id: number) {
  const params = { id };
  const of = calls as typeof changes;
  const { rows } = await pool.query("select version from contract_act where id = $1", [id]);
  const { previewHash } = await house.did(of.preview, { as }, { params, body: {} });
  const body = { version: Number(rows[0].version), previewHash };
  const { version } = await house.did(of.submit, { as }, { params, body });
  const start = () => house.did(startActSigning, { as }, { params, body: { version, previewHash } });
  expect(await start()).toMatchObject({ state: "sending", links: [] });
  await house.deliver();
  return { flow: esign.newest(), start };
}

describe("the document of an act that is signed at the provider", () => {
  const cheaper = {
    effectiveOn: "2026-08-01",
    reason: "协商降租",
    rises: [{ fromDate: "2026-08-01", rent: 330_000 }],
  };
  async function amending(room: string) {
    const { id, partyId } = await lease(room);
    goTo("2026-07-20T10:00:00+08:00");
    const act = await house.did(amendActs.ask, { as }, { body: { contractId: id, ...cheaper } as never });
    const detail = () => house.did(getChange, { as }, { params: { id: act.id } });
    return { id, partyId, actId: act.id, detail };
  }

  test("a supplement is carried out as it was shown once everybody has signed, and kept as it was closed", async () => {
    const { id, partyId, actId, detail } = await amending("X1");
    const { flow } = await sent(amendActs, actId);
    const { actNo } = await detail();
    expect(flow.sent["signFlowConfig"]).toMatchObject({ signFlowTitle: `租赁合同补充协议 ${actNo}` });
    expect(await linksTo(partyId)).toEqual([`https://smlt.esign.cn/${flow.id}`]);
    sign(flow);
    await notified(house, esign.tells(flow, new Date("2026-07-20T02:00:00Z")));
    await house.deliver();
    expect(await detail()).toMatchObject({ state: "done", agreedHow: "page", signing: false });
    expect((await contract(id)).terms.steps).toMatchObject([{ fromDate: "2026-08-01", resultRent: 330_000 }]);
    const sha = createHash("sha256").update(esign.closedFile(flow.id)).digest("hex");
    expect((await signings(actId))[0]).toMatchObject({ provider: "esign", state: "done", signedHash: sha });
  });

  test("a supplement that is refused waits; one that nobody signs in time is worked on again and taken back there", async () => {
    const { actId, detail } = await amending("X2");
    const { flow, start } = await sent(amendActs, actId);
    esign.happens(flow, { status: 7, reason: "租金太高" });
    goTo("2026-07-20T10:11:00+08:00");
    await tick();
    expect((await signings(actId))[0]).toMatchObject({ state: "refused", failReason: "租金太高" });
    expect(await detail()).toMatchObject({ state: "signing", signing: false });
    await start();
    await house.deliver();
    const again = esign.newest();
    goTo("2026-07-28T10:12:00+08:00");
    await tick();
    expect((await signings(actId))[0]).toMatchObject({ state: "expired", failReason: "签署期限已过" });
    expect(await detail()).toMatchObject({ state: "handling", agreed: false });
    expect(again.status, "revoked there").toBe(3);
  });

  test("转租: the new tenant has a link once the one before has signed", async () => {
    const before = await lease("X3", 320_000);
    const partyId = await aRenter(house, shop.villageId, { name: "李四" });
    await identified(house, partyId);
    goTo("2026-04-10T10:00:00+08:00");
    const body = {
      ...{ contractId: before.id, kind: "tenant", effectiveOn: "2026-04-11", partyId, deposit: "carry" },
      ...{ credit: "carry", arrearsReason: "账单随转租作废", reason: "转租" },
    };
    const asked = await house.did(changes.ask, { as }, { body: body as never });
    const { flow } = await sent(changes, asked.id);
    const signers = flow.sent["signers"] as { signConfig: { signOrder: number }; psnSignerInfo?: object }[];
    expect(signers.map((s) => [s.signConfig.signOrder, "psnSignerInfo" in s])).toEqual([
      [1, true],
      [2, true],
      [3, false],
    ]);
    expect([(await linksTo(before.partyId)).length, (await linksTo(partyId)).length]).toEqual([1, 0]);
    esign.happens(flow, { partySigned: 1 });
    goTo("2026-04-10T10:11:00+08:00");
    await tick();
    expect((await signings(asked.id))[0]!.signers.map((s) => [s.role, s.state])).toEqual([
      ["previousParty", "signed"],
      ["party", "sent"],
      ["enterprise", "waiting"],
    ]);
    expect([(await linksTo(before.partyId)).length, (await linksTo(partyId)).length]).toEqual([1, 1]);
    sign(flow);
    goTo("2026-04-10T10:22:00+08:00");
    await tick();
    expect((await house.did(getMove, { as }, { params: { id: asked.id } })).state).toBe("done");
    expect((await contract(asked.contractId)).state).toBe("effective");
  });

  test("对调: both sign one after the other, and both contracts come into force with the file", async () => {
    const [one, two] = [await lease("X4"), await lease("X5")];
    goTo("2026-04-10T10:00:00+08:00");
    const body = {
      ...{ contractId: one.id, otherId: two.id, effectiveOn: "2026-04-11", monthlyRent: 350_000 },
      ...{ otherRent: 350_000, deposit: "carry", credit: "carry", reason: "对调" },
    };
    const asked = await house.did(askSwapped, { as }, { body: body as never });
    const { flow } = await sent(changes, asked.id);
    esign.happens(flow, { partySigned: 1 });
    goTo("2026-04-10T10:11:00+08:00");
    await tick();
    expect([(await linksTo(one.partyId)).length, (await linksTo(two.partyId)).length]).toEqual([1, 1]);
    sign(flow);
    goTo("2026-04-10T10:22:00+08:00");
    await tick();
    const { nextId, pairedId } = await house.did(getMove, { as }, { params: { id: asked.id } });
    const other = await house.did(getMove, { as }, { params: { id: pairedId! } });
    expect([await contract(nextId!), await contract(other.nextId!)]).toMatchObject([
      { state: "effective", signMode: "electronic" },
      { state: "effective", signMode: "electronic" },
    ]);
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
