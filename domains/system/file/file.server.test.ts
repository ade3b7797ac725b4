import { describe, expect, test } from "vitest";
import { nobody } from "../../../platform/server/pipeline/act.ts";
import { twoVillages } from "../../access/operator/operator.sample.ts";
import { testHouse } from "../../../platform/server/process/house.sample.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import { perform } from "../../../platform/server/jobs/jobs.ts";
import { getFile } from "./file.contract.ts";
import jobs from "./file.job.ts";
import { aJpeg, aPdf, aPng, aWorkbook, aZip, sendFile } from "./file.sample.ts";
import { attachFile, filesOf, type Carrier } from "./file.service.ts";

const house = await testHouse();
const clerk = await house.person();
const colleague = await house.person();
const download = (id: number, as = clerk) => house.ask(getFile, { as }, { params: { id } });
const upload = (name: string, bytes: Buffer, purpose = "image2M") =>
  sendFile(house, clerk, { name, bytes }, purpose);
const attach = (id: number, to: Carrier, operatorId = clerk.operatorId) =>
  house.database.db.transaction().execute((tx) => {
    const who = { ...nobody, operatorId, enterpriseId: house.enterpriseId };
    return attachFile(actOf(house, tx, who, { requestId: "test", ip: "", userAgent: "" }), id, to);
  });

const plainZip = await aZip({ "a.txt": "x" });
const macros = await aWorkbook({ "xl/vbaProject.bin": "x" });
const bomb = await aWorkbook({ "xl/a.xml": Buffer.alloc(2 ** 26) });
const climber = await aWorkbook({ "../../etc/passwd": "x" });

describe("an upload", () => {
  test("needs somebody signed in", async () => {
    const answer = await sendFile(house, undefined, { name: "a.png", bytes: aPng() });
    expect(answer.status).toBe(401);
  });

  test("comes back byte for byte, harmlessly", async () => {
    const bytes = aPng();
    const { body } = await upload("房间 1203.png", bytes);
    expect(body.data).toMatchObject({ name: "房间 1203.png", type: "image/png", size: bytes.length });
    const got = await download(body.data.id);
    expect(got.raw).toEqual(bytes);
    expect(got.headers).toMatchObject({
      "content-type": "image/png",
      "content-disposition": `inline; filename*=UTF-8''${encodeURIComponent("房间 1203.png")}`,
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("sandbox"),
    });
  });

  test("that is a sheet of many stores is fetched through its import alone", async () => {
    const { body } = await upload("退款.png", aPng());
    const to = { targetKind: "refundImport", targetId: 1, villageId: null, needs: "#10801" } as Carrier;
    await attach(body.data.id, to);
    const other = await house.person({ permits: ["#10801"] });
    expect((await download(body.data.id, other)).status).toBe(404);
    expect((await download(body.data.id)).status).toBe(404);
  });

  test.each([
    ["a page", "a.png", Buffer.from("<html><script>alert(1)</script>"), "image10M", "请上传图片"],
    [
      "a drawing",
      "a.svg",
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      "image10M",
      "请上传图片",
    ],
    ["a program", "photo.png", Buffer.from("4d5a90000300", "hex"), "image10M", "请上传图片"],
    ["a picture named as a page", "a.html", aPng(), "image10M", "请上传图片"],
    ["a picture cut short", "a.png", aPng().subarray(0, 40), "image10M", "请上传图片"],
    [
      "a JPEG without a picture",
      "a.jpg",
      Buffer.from("ffd8ffe000104a464946", "hex"),
      "image10M",
      "请上传图片",
    ],
    [
      "a picture of a gigapixel",
      "a.png",
      aPng({ width: 40_000, height: 40_000 }),
      "image10M",
      "图片尺寸过大，请缩小后再上传",
    ],
    [
      "a picture above the cap",
      "a.png",
      Buffer.concat([aPng(), Buffer.alloc(2 ** 21)]),
      "image2M",
      "图片大小不能超过2M",
    ],
    ["a PDF where a picture belongs", "a.pdf", aPdf(), "image10M", "请上传图片"],
    ["text as a PDF", "a.pdf", Buffer.from("hello"), "paper10M", "请上传图片或PDF文件"],
    ["a zip as a workbook", "a.xlsx", plainZip, "sheet10M", "请上传xlsx文件"],
    ["a workbook with macros", "a.xlsx", macros, "sheet10M", "请上传xlsx文件"],
    ["a bomb", "a.xlsx", bomb, "sheet10M", "请上传xlsx文件"],
    ["a climber", "a.xlsx", climber, "sheet10M", "请上传xlsx文件"],
    ["bytes as a table", "a.csv", Buffer.from([1, 0, 2]), "table30M", "请上传xlsx或csv文件"],
  ])("refuses %s", async (_what, name, bytes, purpose, sentence) => {
    const { status, body } = await upload(name, bytes, purpose);
    expect(status).toBe(400);
    expect(body).toMatchObject({ message: sentence, fields: [{ field: "file", msg: sentence }] });
  });

  test("a lying directory does not hide a bomb", async () => {
    const lying = Buffer.from(bomb);
    lying.writeUInt32LE(10, lying.lastIndexOf(Buffer.from("504b0102", "hex")) + 24);
    expect((await upload("a.xlsx", lying, "sheet10M")).status).toBe(400);
  });

  test("accepts papers, workbooks and tables where they belong", async () => {
    expect((await upload("a.pdf", aPdf(), "paper10M")).body.data.type).toBe("application/pdf");
    expect((await upload("a.xlsx", await aWorkbook(), "sheet10M")).status).toBe(200);
    const gbk = Buffer.from("bdbbd2d7cab1bce42c312e30300a", "hex");
    expect((await upload("流水.csv", gbk, "table30M")).status).toBe(200);
  });

  test("keeps no path, control mark or turned direction of a name", async () => {
    const { body } = await upload("..\\..\\a\u0007Set-Cookie: x\u202egpj.png", aPng());
    expect(body.data.name).toBe("aSet-Cookie_ xgpj.png");
    const got = await download(body.data.id);
    expect(got.headers["set-cookie"]).toBeUndefined();
  });

  test("loses the place a photo was taken, and what hangs behind it, but stays upright", async () => {
    const { body } = await upload("a.JPEG", aJpeg({ behind: "<script>alert(1)</script>" }));
    const { raw } = await download(body.data.id);
    const text = raw.toString("latin1");
    expect(text).not.toContain("30.2741N");
    expect(text).not.toContain("script");
    expect(text).toContain("Exif");
    expect(raw.readUInt16BE(2 + 28), "turned by 90 degrees").toBe(6);
    expect(raw.subarray(-2).toString("hex")).toBe("ffd9");
    const note = await upload("b.png", aPng({ text: "30.2741N" }));
    expect((await download(note.body.data.id)).raw.toString("latin1")).not.toContain("30.2741N");
  });

  test("above 30M is refused before it is read whole", async () => {
    const { status, body } = await upload("a.png", Buffer.alloc(31 * 2 ** 20), "image30M");
    expect(status).toBe(413);
    expect(body.message).toBe("文件大小不能超过30M");
  });
});

test("the nightly purge leaves what a record refers to, and takes the rest", async () => {
  const { pool } = house.database;
  const [held, loose] = [await upload("a.png", aPng()), await upload("b.png", aPng({ width: 3 }))];
  await pool.query(
    `insert into asset_dic (enterprise_id, name, category, unit, price, picture_file_id)
     values ($1, '双人沙发', 'furniture', '件', 1, $2)`,
    [house.enterpriseId, held.body.data.id],
  );
  await pool.query("update stored_file set created_at = now() - interval '9 days' where id = any($1)", [
    [held.body.data.id, loose.body.data.id],
  ]);
  await perform(house, jobs[0]!, {}, "purge");
  expect((await download(held.body.data.id)).status).toBe(200);
  expect((await download(loose.body.data.id)).status).toBe(404);
});

describe("a file", () => {
  test("that is loose belongs to who uploaded it, and nobody else can take it", async () => {
    const { id } = (await upload("a.png", aPng())).body.data;
    expect((await download(id, colleague)).status).toBe(404);
    const to = { targetKind: "room", targetId: 7 };
    await expect(attach(id, to, colleague.operatorId)).rejects.toMatchObject({ status: 404 });
    await attach(id, to);
    expect((await download(id, colleague)).status).toBe(200);
    await attach(id, to);
    await expect(attach(id, { targetKind: "room", targetId: 8 })).rejects.toMatchObject({ status: 404 });
  });

  test("of a record is for who may see the record", async () => {
    const { db } = house.database;
    const [here, there] = await twoVillages(house);
    const { id } = (await upload("a.pdf", aPdf(), "paper10M")).body.data;
    await attach(id, { targetKind: "contract", targetId: 3, villageId: here, needs: ["9.get", "11.get"] });
    const may = await house.person({ permits: ["11.get"], villages: [here] });
    const lacks = await house.person({ permits: ["9.query"], villages: [here] });
    const away = await house.person({ permits: ["9.get"], villages: [there] });
    expect((await download(id, may)).headers["content-disposition"]).toMatch(/^attachment;/);
    expect((await download(id, lacks)).status).toBe(403);
    expect((await download(id, away)).status).toBe(404);
    expect((await download(id, clerk)).status, "uploading gives no lasting right").toBe(404);
    const read = actOf(house, db, nobody, { requestId: "", ip: "", userAgent: "" });
    expect((await filesOf(read, "contract", [3, 4])).get(3)).toMatchObject([{ id, name: "a.pdf" }]);
  });

  test("that no record took is gone after two days, with its bytes", async () => {
    const loose = (await upload("a.png", aPng())).body.data.id;
    const taken = (await upload("b.png", aPng())).body.data.id;
    await attach(taken, { targetKind: "room", targetId: 9 });
    house.setClock(new Date(Date.now() + 3 * 86_400_000).toISOString());
    await perform(house, jobs[0]!, {}, "purge");
    house.setClock(undefined);
    expect((await download(loose)).status).toBe(404);
    expect((await download(taken)).status).toBe(200);
  });
});
