import { beforeAll, expect, test } from "vitest";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { type Person, testHouse } from "../../../platform/server/process/house.sample.ts";
import { addLead } from "../../customer/lead/lead.contract.ts";
import { followLead, loseLead } from "../../customer/lead/acts.contract.ts";
import { addPush, getPush, submitPush } from "../../customer/push/push.contract.ts";
import pushJobs from "../../customer/push/push.job.ts";
import { anonymiseRenter } from "../../customer/renter/acts.contract.ts";
import { aRenter, anIdNumber } from "../../customer/renter/renter.sample.ts";
import { sendLog } from "../../customer/send-log/send-log.contract.ts";
import { addViewing, cancelViewing } from "../../customer/viewing/viewing.contract.ts";
import { aLease } from "../../listing/occupancy/occupancy.sample.ts";
import { aBuilding, aFlat, aVillage } from "../../listing/village/village.sample.ts";
import jobs from "./occupant.job.ts";

const PERMITS = [
  ...[
    "16.query",
    "16.get",
    "16.edit",
    "16.delete",
    "#1603",
    "15.query",
    "15.get",
    "15.add",
    "15.edit",
    "#1502",
  ],
  ...["18.query", "18.get", "18.add", "18.edit"],
];
const house = await testHouse();
const { pool } = house.database;
const [PHONE, EMAIL, NAME] = ["13655556677", "song.yt@example.com", "宋雨桐"];
let village: number, room: number, clerk: Person;
const certNo = anIdNumber();

beforeAll(async () => {
  house.setClock("2026-11-20T10:00:00+08:00");
  village = await aVillage(house);
  room = (await aFlat(house, await aBuilding(house, village), { name: "1201" })).roomIds[0]!;
  clerk = await house.person({ permits: PERMITS, villages: [village], name: "周敏" });
});

/** Every column of every table in which one of these stands. */
async function whereIs(...texts: string[]): Promise<string[]> {
  const like = texts.map((text) => `%${text}%`);
  const { rows: tables } = await pool.query<{ name: string }>(
    "select table_name name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ key: string }>(
      `select distinct e.key from "${name}" t, jsonb_each_text(to_jsonb(t)) e
       where t::text like any($1) and e.value like any($1) order by 1`,
      [like],
    );
    found.push(...rows.map(({ key }) => `${name}.${key}`));
  }
  return found;
}

/** A tenant of long ago, of whom every part of the house keeps something. */
async function somebody(): Promise<number> {
  const typed = { name: NAME, phone: PHONE, email: EMAIL, certNo, remark: `备用 ${PHONE}` };
  const id = await aRenter(house, village, typed);
  const lease = await aLease(house, {
    villageId: village,
    roomId: room,
    partyId: id,
    start: "2020-01-01",
    leaveDate: "2020-12-31",
    state: "ended",
  });
  const lead = await house.did(
    addLead,
    { as: clerk },
    {
      body: { name: NAME, phone: PHONE, source: "walkIn", villageIds: [village], remark: `微信同 ${PHONE}` },
    },
  );
  const params = { id: lead.id };
  await house.did(
    followLead,
    { as: clerk },
    { params, body: { kind: "call", content: `致电 ${PHONE}，${NAME}下周来看房` } },
  );
  const viewing = await house.did(
    addViewing,
    { as: clerk },
    {
      body: {
        leadId: lead.id,
        villageId: village,
        roomIds: [room],
        at: "2026-11-21T02:00:00.000Z",
        assigneeId: clerk.operatorId,
        remark: `到店前打 ${PHONE}`,
      },
    },
  );
  await house.did(
    cancelViewing,
    { as: clerk },
    { params: { id: viewing.id }, body: { reason: "客户改期", version: 1 } },
  );
  const { id: push } = await house.did(
    addPush,
    { as: clerk },
    {
      body: {
        title: "停水通知",
        category: "notice",
        channels: ["sms", "email"],
        body: "{姓名}您好，周六停水。",
        kind: "renter",
        villageIds: [village],
        ids: [id],
      },
    },
  );
  const { version } = await house.did(getPush, { as: clerk }, { params: { id: push } });
  await house.did(submitPush, { as: clerk }, { params: { id: push }, body: { version } });
  for (const [name, data] of [
    ["push.due", {}],
    ["push.send", { id: push }],
  ] as const)
    await perform(
      house,
      pushJobs.find((j) => j.name === name)!,
      data,
      name,
    );
  // an enquiry without a record of its own, from before; pages that were sent; whom the contract names
  await pool.query(
    `insert into lead (number, enterprise_id, name, phone, source, village_ids, state, lost_reason, lost_note)
     select 'KY-old', enterprise_id, $2, $3, 'walkIn', array[$1::bigint], 'lost', '价格', '打过 ' || $3 from village where id = $1`,
    [village, NAME, PHONE],
  );
  await pool.query(
    `insert into contract_occupant (contract_id, renter_id, name, phone, cert_type, cert_no_cipher, cert_no_masked, from_date, to_date)
     values ($1, $2, $3, $4, 'idCard', '\\x00', '3301**********6677', '2020-01-01', '2020-12-31'),
       ($1, null, '宋雨晨', '13655556678', null, null, null, '2020-01-01', '2020-12-31')`,
    [lease.id, id, NAME, PHONE],
  );
  await pool.query(
    `insert into self_link (contract_id, village_id, hash, expires_at, name, phone, last4, last4_of)
     values ($1, $2, '\\x01', '2020-06-01', $3, $4, '6677', 'certificate')`,
    [lease.id, village, NAME, PHONE],
  );
  await pool.query(
    `insert into pay_link (village_id, party_id, hash, phone, expires_at, created_at)
     values ($1, $2, '\\x01', $3, '2020-06-08', '2020-06-01')`,
    [village, id, PHONE],
  );
  await pool.query(
    `insert into black_list (enterprise_id, name, phone, level, reason, active, party_id, removed_at)
     select enterprise_id, $2, $3, 'warn', '拖欠', false, $4, '2021-01-01' from village where id = $1`,
    [village, NAME, PHONE, id],
  );
  return id;
}

test("of whoever is made anonymous, phone and name stand nowhere but in the contract and the logs", async () => {
  const id = await somebody();
  const before = await whereIs(PHONE);
  expect(before).toEqual(
    expect.arrayContaining([
      ...["black_list.phone", "contract_occupant.phone", "lead.phone", "lead.lost_note", "lead.remark"],
      ...["lead_event.content", "outbox.recipient", "party.phone", "pay_link.phone", "self_link.phone"],
      ...["renter.remark", "viewing.phone", "viewing.remark"],
    ]),
  );
  const body = { version: 1, reason: "到期清理" };
  const ask = () => house.ask(anonymiseRenter, { as: clerk }, { params: { id }, body });
  const { rows } = await pool.query<{ id: number; version: number }>(
    "select id::int, version from lead where renter_id = $1",
    [id],
  );
  // who asks again is dealt with: first the lead comes to its end
  expect((await ask()).body.message).toMatch(/^该租客有未结束的客源 KY\S+，不能匿名化$/);
  await house.did(
    loseLead,
    { as: clerk },
    {
      params: { id: rows[0]!.id },
      body: { version: rows[0]!.version, lostReason: "价格过高", lostNote: PHONE },
    },
  );
  const done = await ask();
  expect([done.status, done.body.message]).toEqual([200, "ok"]);
  await perform(house, jobs[0]!, { ids: [id] }, "anonymised");
  expect(await whereIs(PHONE, EMAIL, "13655556678")).toEqual([]);
  expect(await whereIs(NAME)).toEqual(["business_log.summary", "operation_log.input"]);
  const log = await house.did(sendLog, { as: clerk }, { query: {} });
  expect(log.list.map((m) => [m.channel, m.state])).toEqual([
    ["email", "delivered"],
    ["sms", "delivered"],
  ]);
}, 60_000);
