import { deflateRawSync, inflateRawSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { twoVillages } from "../../../domains/access/operator/operator.sample.ts";
import { getFile } from "../../../domains/system/file/file.contract.ts";
import { aPng, aWorkbook, sendFile } from "../../../domains/system/file/file.sample.ts";
import { openTicket } from "../../../domains/system/ticket/ticket.contract.ts";
import type { Call } from "../../kernel/call.ts";
import { testHouse } from "../../server/process/house.sample.ts";
import { readWorkbook } from "../../server/sheets/workbook-reader.ts";

/** Files as attackers send them, to every call that takes one. What each kind of upload refuses is in file.server.test.ts. */
const house = await testHouse();
const root = await house.person({ superType: "0" });
const uploads = house.served.map((s) => s.call).filter((c) => c.upload);
let villageId: number;
beforeAll(async () => void ([villageId] = await twoVillages(house)));

/**
 * A phone sends through the address that a desk has opened for it. What is no file of the kind is refused before anybody looks
 * for the record that it is for.
 */
async function addressOf(c: Call): Promise<string> {
  if (!c.path.includes(":token")) return c.path.replace(":id", "1");
  const body = { purpose: "image10M" as const, maxFiles: 9 };
  const { token } = await house.did(openTicket, { as: root }, { body });
  return c.path.replace(":token", token);
}

async function send(c: Call, name: string, bytes: Buffer) {
  const form = new FormData();
  form.set("villageId", String(villageId));
  form.set("takenOn", "2026-11-20");
  form.append("file", new Blob([new Uint8Array(bytes)]), name);
  const body = new Response(form);
  return house.app.inject({
    method: c.method,
    url: await addressOf(c),
    headers: { authorization: root.token, "content-type": body.headers.get("content-type")! },
    payload: Buffer.from(await body.arrayBuffer()),
  });
}
const sheetOf = (xml: string, head = "") => ({
  "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  "xl/workbook.xml": `<workbook xmlns:r="r"><sheets><sheet name="甲" r:id="r1"/></sheets></workbook>`,
  "xl/worksheets/sheet1.xml": `${head}<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${xml}</t></is></c></row></sheetData></worksheet>`,
});

test.each([
  ["a page", "a.html", Buffer.from("<html><script>alert(1)</script></html>")],
  [
    "a drawing with a script",
    "a.svg",
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
  ],
  ["a program called a picture", "photo.jpg", Buffer.from(`4d5a9000${"00".repeat(60)}`, "hex")],
  ["a program called a workbook", "a.xlsx", Buffer.from(`4d5a9000${"00".repeat(60)}`, "hex")],
  ["a script for a shell", "a.png", Buffer.from("#!/bin/sh\nid")],
])("%s is taken nowhere", async (_what, name, bytes) => {
  for (const c of uploads) {
    const answer = await send(c, name, bytes);
    const told = `${c.path}: ${answer.statusCode} ${answer.body.slice(0, 200)}`;
    // an import may keep a wrong file to say what is wrong with it, but it makes nothing of it
    if (answer.statusCode === 200) expect(answer.json().data.errorCount ?? 1, told).toBeGreaterThan(0);
    else expect(answer.statusCode, told).toBe(400);
  }
});

describe("a page inside of a picture", () => {
  const page = "<html><script>alert(document.cookie)</script></html>";

  test("behind its end or in a note of it is not kept, and the picture is shown as a picture alone", async () => {
    for (const bytes of [Buffer.concat([aPng(), Buffer.from(page)]), aPng({ text: page })]) {
      const { status, body } = await sendFile(
        house,
        root,
        { name: "a.png", bytes, type: "text/html" },
        "image2M",
      );
      expect(status).toBe(200);
      const got = await house.ask(getFile, { as: root }, { params: { id: body.data.id } });
      expect(got.raw.toString("latin1")).not.toContain("script");
      expect(got.headers).toMatchObject({
        "content-type": "image/png",
        "x-content-type-options": "nosniff",
        "content-security-policy": expect.stringContaining("sandbox"),
      });
    }
  });

  test.each([
    'a"\r\nset-cookie: x=1\r\n.png',
    "a\u0000.png",
    "../../../etc/cron.d/x.png",
    "a.php%00.png",
    '";filename="b.html.png',
    `${"长".repeat(300)}.png`,
    "CON.png",
  ])("under the name %j comes back harmlessly", async (name) => {
    const { status, body } = await sendFile(house, root, { name, bytes: aPng() }, "image2M");
    if (status !== 200) return expect(status).toBe(400);
    expect(body.data.name).not.toMatch(/[/\\\r\n\u0000]/);
    const got = await house.ask(getFile, { as: root }, { params: { id: body.data.id } });
    expect(got.headers["set-cookie"]).toBeUndefined();
    expect(got.headers["content-disposition"]).toMatch(/^inline; filename\*=UTF-8''[\w%.!~*()'-]+$/);
  });
});

describe("a workbook", () => {
  test("that asks for a file or an address gets nothing: entities of its own are never followed", async () => {
    const head = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b SYSTEM "http://127.0.0.1:1/">]>`;
    const bytes = await aWorkbook(sheetOf("甲&a;乙&b;", head));
    const sheets = await readWorkbook(bytes).catch(() => undefined);
    const rows = sheets ? await Array.fromAsync(sheets[0]!.rows()).catch(() => []) : [];
    expect(JSON.stringify(rows.map((r) => [...r.cells.values()]))).not.toMatch(/root:|bin\/sh/);
    for (const c of uploads) {
      const answer = await send(c, "a.xlsx", bytes);
      expect(answer.statusCode, c.path).toBeLessThan(500);
      expect(answer.body).not.toContain("root:");
    }
  }, 60_000);

  test("whose entities grow a billionfold does not", async () => {
    const lol = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join("");
    const head = `<!DOCTYPE x [<!ENTITY l0 "lol">${lol}]>`;
    const through = async (bytes: Buffer): Promise<number> => {
      const spent = work();
      for (const c of uploads) expect((await send(c, "a.xlsx", bytes)).statusCode, c.path).toBeLessThan(500);
      return spent();
    };
    const plain = await through(await aWorkbook(sheetOf("甲")));
    expect(await through(await aWorkbook(sheetOf("&l9;", head)))).toBeLessThan(3 * plain);
  }, 120_000);

  test("of 4 MB that unfolds to 4 GB is refused in little time and memory by every call that reads one", async () => {
    // 256 MB of nothing, packed once; the same bytes stand sixteen times
    const packed = deflateRawSync(Buffer.alloc(2 ** 28), { level: 9 });
    const bytes = bomb(packed, 16);
    expect(bytes.length).toBeLessThan(8 * 2 ** 20);
    const unpacking = work();
    inflateRawSync(packed);
    const once = unpacking();
    const before = process.memoryUsage().rss;
    for (const c of uploads) {
      const spent = work();
      const answer = await send(c, "a.xlsx", bytes);
      expect(answer.statusCode, `${c.path}: ${answer.body.slice(0, 200)}`).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode, c.path).toBeLessThan(500);
      // a quarter of what unpacking all of it takes
      expect(spent(), c.path).toBeLessThan(4 * once);
    }
    expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(300);
  }, 120_000);
});

/** Seconds that this process has worked since: what else the machine does takes none of them. */
function work(): () => number {
  const began = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1e6;
  };
}

/** A zip whose entries all hold the same packed bytes, and whose directory says they are small. */
function bomb(packed: Buffer, times: number): Buffer {
  const names = [
    "[Content_Types].xml",
    "xl/workbook.xml",
    ...Array.from({ length: times }, (_, i) => `xl/worksheets/sheet${i}.xml`),
  ];
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [i, name] of names.entries()) {
    const content = i < 2 ? deflateRawSync(Buffer.from("<x/>")) : packed;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(8, 8);
    local.writeUInt32LE(content.length, 18);
    local.writeUInt32LE(100, 22);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(content.length, 20);
    entry.writeUInt32LE(100, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    parts.push(local, Buffer.from(name), content);
    directory.push(entry, Buffer.from(name));
    at += 30 + name.length + content.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, list, end]);
}
