import { describe, expect, test } from "vitest";
import { testHouse, type Person } from "../../../platform/server/process/house.sample.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { nobody } from "../../../platform/server/pipeline/act.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import { getFile } from "../file/file.contract.ts";
import { aPdf, aPng } from "../file/file.sample.ts";
import { attachFiles } from "../file/file.service.ts";
import type { PurposeName } from "../file/purposes.rules.ts";
import { endTicket, openTicket, readTicket } from "./ticket.contract.ts";
import jobs from "./ticket.job.ts";
import { sendByPhone } from "./ticket.sample.ts";

const house = await testHouse();
const clerk = await house.person();
const stranger = await house.person();
const { pool } = house.database;
const GONE = "链接已失效，请重新扫码";
const EXE = Buffer.from("4d5a90000300", "hex");

const open = async (maxFiles = 9, purpose: PurposeName = "paper10M", as: Person = clerk) =>
  (await house.did(openTicket, { as }, { body: { purpose, maxFiles, title: "付款凭证" } })).token;
const desk = (token: string, as = clerk) => house.ask(readTicket, { as }, { params: { token } });
const phone = (token: string) => house.ask(readTicket, {}, { params: { token } });
const end = (token: string, as?: Person) => house.ask(endTicket, as ? { as } : {}, { params: { token } });
const photo = (token: string, name = "IMG_1.png") => sendByPhone(house, token, { name, bytes: aPng() });
const later = (minutes: number) => house.setClock(new Date(Date.now() + minutes * 60_000).toISOString());

describe("what comes by phone", () => {
  test("three photos stand on the desk and belong to whoever opened the link", async () => {
    const token = await open();
    for (const name of ["1.png", "2.png", "3.png"]) expect((await photo(token, name)).status).toBe(200);
    const { body } = await desk(token);
    expect(body.data).toMatchObject({ state: "open", title: "付款凭证" });
    expect(body.data.files.map((f) => f.name)).toEqual(["1.png", "2.png", "3.png"]);
    const id = body.data.files[0]!.id;
    expect((await house.ask(getFile, { as: clerk }, { params: { id } })).raw).toEqual(aPng());
    expect((await house.ask(getFile, { as: stranger }, { params: { id } })).status).toBe(404);
    const act = actOf(
      house,
      house.database.db,
      { ...nobody, operatorId: clerk.operatorId, enterpriseId: house.enterpriseId },
      { requestId: "test", ip: "", userAgent: "" },
    );
    await attachFiles(act, [id], { targetKind: "room", targetId: 7 });
    expect((await house.ask(getFile, { as: stranger }, { params: { id } })).status).toBe(200);
  });

  test("is judged by its content and by what the field takes", async () => {
    const pictures = await open(9, "image2M");
    const refused = await sendByPhone(house, pictures, { name: "photo.jpg", bytes: EXE });
    expect(refused).toMatchObject({ status: 400, body: { message: "请上传图片" } });
    expect((await sendByPhone(house, pictures, { name: "a.pdf", bytes: aPdf() })).body.message).toBe(
      "请上传图片",
    );
    const large = Buffer.concat([aPng(), Buffer.alloc(2 ** 21)]);
    expect((await sendByPhone(house, pictures, { name: "a.png", bytes: large })).body.message).toBe(
      "图片大小不能超过2M",
    );
    expect((await phone(pictures)).body.data.files).toEqual([]);
    const papers = await open(9, "paper10M");
    expect((await sendByPhone(house, papers, { name: "a.pdf", bytes: aPdf() })).status).toBe(200);
  });

  test("never exceeds what the field has room for, also of two at once", async () => {
    const token = await open(2);
    const sent = await Promise.all([photo(token), photo(token), photo(token)]);
    expect(sent.map((s) => s.status).toSorted()).toEqual([200, 200, 410]);
    expect((await phone(token)).body.data.files).toHaveLength(2);
  });

  test("of two links stays apart", async () => {
    const [one, other] = [await open(), await open()];
    await photo(one, "one.png");
    await photo(other, "other.png");
    expect((await desk(one)).body.data.files.map((f) => f.name)).toEqual(["one.png"]);
    expect((await desk(other)).body.data.files.map((f) => f.name)).toEqual(["other.png"]);
  });

  test("and was saved with nothing is gone after a day, with its bytes; what was saved stays", async () => {
    const token = await open();
    const loose = (await photo(token)).body.data.id;
    const kept = (await photo(token)).body.data.id;
    await pool.query("update stored_file set target_kind = 'room', target_id = 1 where id = $1", [kept]);
    later(23 * 60);
    await perform(house, jobs[0]!, {}, "purge");
    house.setClock(undefined);
    expect((await house.ask(getFile, { as: clerk }, { params: { id: loose } })).status).toBe(200);
    later(25 * 60);
    await perform(house, jobs[0]!, {}, "purge");
    house.setClock(undefined);
    expect((await house.ask(getFile, { as: clerk }, { params: { id: loose } })).status).toBe(404);
    expect((await house.ask(getFile, { as: clerk }, { params: { id: kept } })).status).toBe(200);
    expect((await desk(token)).status).toBe(410);
  });
});

describe("a link", () => {
  const refusedTo = async (token: string) => {
    expect((await phone(token)).body).toMatchObject({ code: 410, message: GONE });
    expect((await photo(token)).body.message).toBe(GONE);
    expect((await end(token)).body.message).toBe(GONE);
  };

  test("is over when the phone is finished; the desk still hears of what came", async () => {
    const token = await open();
    await photo(token, "last.png");
    expect((await end(token)).body.data.files).toHaveLength(1);
    await refusedTo(token);
    expect((await desk(token)).body.data).toMatchObject({ state: "done", files: [{ name: "last.png" }] });
  });

  test("is over when the desk closes its dialog, which hears of the last that came", async () => {
    const token = await open();
    await photo(token);
    expect((await end(token, clerk)).body.data.files).toHaveLength(1);
    await refusedTo(token);
  });

  test("is over after 30 minutes", async () => {
    const token = await open();
    later(29);
    expect((await phone(token)).body.data.secondsLeft).toBeLessThanOrEqual(60);
    later(31);
    await refusedTo(token);
    expect((await desk(token)).body.data.state).toBe("expired");
    house.setClock(undefined);
  });

  test("is over when its operator signs out or may no longer come in", async () => {
    const leaving = await house.person();
    const token = await open(9, "image10M", leaving);
    await pool.query("update login_session set ended_at = now() where operator_id = $1", [
      leaving.operatorId,
    ]);
    await refusedTo(token);
    const disabled = await house.person();
    const other = await open(9, "image10M", disabled);
    await pool.query("update operator set state = 'disabled' where id = $1", [disabled.operatorId]);
    await refusedTo(other);
  });

  test("is nothing to another operator", async () => {
    const token = await open();
    expect((await desk(token, stranger)).body).toMatchObject({ code: 410, message: GONE });
    expect((await end(token, stranger)).status).toBe(410);
    expect((await phone(token)).status).toBe(200);
  });

  test("is made only for what a phone can send, and never guessed", async () => {
    const body = { purpose: "sheet10M", maxFiles: 1 } as const;
    const { status, body: answer } = await house.ask(openTicket, { as: clerk }, { body });
    expect(status).toBe(400);
    expect(answer).toMatchObject({ message: "上传用途不正确" });
    expect((await phone("x".repeat(43))).body.message).toBe(GONE);
    expect((await phone("%00'--")).body.message).toBe(GONE);
  });

  test("is not on the server and in no log; what came through it is put on its owner", async () => {
    const token = await open();
    await photo(token);
    await phone(`${token}x`);
    await end(token);
    const { rows } = await pool.query<{ text: string }>(
      `select t::text as text from upload_ticket t union all select l::text from operation_log l`,
    );
    expect(rows.filter((row) => row.text.includes(token))).toEqual([]);
    const { rows: lines } = await pool.query(
      "select operator_id, path, outcome from operation_log where summary = '手机上传文件' order by id desc limit 1",
    );
    expect(lines).toEqual([
      { operator_id: clerk.operatorId, path: "/system/api/v3/upload/ticket/***", outcome: "ok" },
    ]);
  });
});
