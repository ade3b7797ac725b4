import { expect, test } from "vitest";
import { z } from "zod";
import { addVersion } from "../../../domains/system/version/version.contract.ts";
import { villages } from "../../../domains/listing/village/village.contract.ts";
import { testHouse } from "../process/house.sample.ts";
import { masked } from "../pipeline/operation-log.ts";
import { unstorableIn } from "../pipeline/storable.ts";

/** Requests that no browser sends: each is refused with a sentence, and a write leaves its line in the log. */
const house = await testHouse();
const root = await house.person({ superType: "0", name: "平台管理员" });
const note = {
  releaseTime: "2026-11-20 10:00:00",
  version: "v1",
  type: "新功能",
  module: "消息",
  content: "上线",
};

async function sent(payload: string | object, type = "application/json", token = root.token) {
  const headers = { authorization: token, "content-type": type };
  const answer = await house.app.inject({ method: "POST", url: addVersion.path, headers, payload });
  const { rows } = await house.database.pool.query(
    "select operator_name, outcome, http_status, input from operation_log where request_id = $1",
    [answer.headers["x-request-id"]],
  );
  return { status: answer.statusCode, body: answer.json(), line: rows[0] };
}
const refused = (status: number) => ({
  status,
  line: { operator_name: "平台管理员", outcome: "refused", http_status: status },
});

test.each([
  ["NUL", "a\0b"],
  ["half a character", "a\ud83d"],
])("a text with %s is refused where it stands, and logged without it", async (_what, text) => {
  const answer = await sent({ ...note, module: text });
  expect(answer).toMatchObject(refused(400));
  expect(answer.body.fields).toEqual([{ field: "module", msg: "含有无法保存的字符，请删除后重试" }]);
  expect(answer.line.input.body.module).toMatch(/^a\ufffd/);
});

test("so is such a name of a field, and one deep inside", async () => {
  expect(await sent({ ...note, "a\0": 1 })).toMatchObject(refused(400));
  expect(await sent(`{"content":${"[".repeat(50_000)}${"]".repeat(50_000)}}`)).toMatchObject(refused(400));
  expect(unstorableIn({ a: [{ b: ["x", "\udc00"] }] })).toBe("a.0.b.1");
  expect(unstorableIn({ a: "😀", b: [null, 1, undefined, true] })).toBeUndefined();
});

test("a filter with such a text is refused, an address with it names nothing", async () => {
  const get = (url: string) => house.app.inject({ url, headers: { authorization: root.token } });
  for (const text of ["%00", "a%00b"]) {
    const answer = await get(`${villages.path}?keyword=${text}`);
    expect(answer.json()).toMatchObject({ code: 400, fields: [{ field: "keyword" }] });
  }
  expect((await get("/system/api/v3/file/%00")).statusCode).toBe(404);
});

test.each([
  ["no JSON", "{", "application/json", 400],
  ["empty", "", "application/json", 400],
  ["a prototype", '{"__proto__":{"a":1}}', "application/json", 400],
  ["no known type", "x", "application/x-java", 415],
  ["too large", JSON.stringify({ content: "a".repeat(2 ** 21) }), "application/json", 413],
])("a body that is %s is refused and logged with who sent it", async (_what, payload, type, status) => {
  expect(await sent(payload, type)).toMatchObject(refused(status));
});

test("who is not signed in learns nothing about the body", async () => {
  expect(await sent("{", "application/json", "x".repeat(43))).toMatchObject({
    status: 401,
    line: { operator_name: "系统", outcome: "refused", http_status: 401 },
  });
});

test("a long text is cut between characters, so that its line can be written", () => {
  expect(masked(`${"上".repeat(299)}😀线`)).toBe(`${"上".repeat(299)}\ufffd…`);
});

test("no version is larger than the column that keeps it", () => {
  const larger = house.served.flatMap(({ call }) =>
    [call.query, call.body].flatMap((schema) => {
      const version =
        schema instanceof z.ZodObject ? (schema.shape["version"] as z.ZodType | undefined) : undefined;
      return version?.safeParse(1).success && version.safeParse(2 ** 31).success ? [call.path] : [];
    }),
  );
  expect(larger).toEqual([]);
});
