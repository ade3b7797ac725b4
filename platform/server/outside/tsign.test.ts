import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { isTsigned, md5Of, tsignHeaders, tsignSealOf } from "./tsign.ts";

const app = { appId: "7438990001", secret: "cfbcbb11112e1195655cd70caf3094b8" };
const NOW = new Date("2024-10-21T13:51:16+08:00");

test("a request is signed over method, accept, MD5, type, date and address, a line each", () => {
  const body = '{"signFlowTitle":"房屋租赁合同"}';
  const path = "/v3/sign-flow/create-by-file";
  const headers = tsignHeaders(app, { method: "POST", path, body, at: NOW });
  const md5 = createHash("md5").update(Buffer.from(body, "utf8")).digest("base64");
  const message = `POST\n*/*\n${md5}\napplication/json; charset=UTF-8\n\n${path}`;
  expect(headers).toEqual({
    accept: "*/*",
    "content-type": "application/json; charset=UTF-8",
    "content-md5": md5,
    "x-tsign-open-app-id": "7438990001",
    "x-tsign-open-auth-mode": "Signature",
    "x-tsign-open-ca-timestamp": String(NOW.getTime()),
    "x-tsign-open-ca-signature": createHmac("sha256", app.secret).update(message).digest("base64"),
  });
  expect(JSON.stringify(headers)).not.toContain(app.secret);
});

test("a request without a body has no MD5, and signs an empty line for it", () => {
  const path = "/v3/sign-flow/2bf5e92/detail";
  const headers = tsignHeaders(app, { method: "GET", path, body: "", at: NOW });
  expect(headers).not.toHaveProperty("content-md5");
  expect(headers["x-tsign-open-ca-signature"]).toBe(
    createHmac("sha256", app.secret)
      .update(`GET\n*/*\n\napplication/json; charset=UTF-8\n\n${path}`)
      .digest("base64"),
  );
  // RFC 1321
  expect(md5Of("abc")).toBe(Buffer.from("900150983cd24fb0d6963f7d28e17f72", "hex").toString("base64"));
});

// the notification of the provider's documentation, its signature worked out once with openssl
const BODY =
  '{"action":"SIGN_MISSON_COMPLETE","timestamp":1729489875359,"signFlowId":"903f7ebee9411105b7f01d0b97a5ebf5","customBizNum":"自定义编码001","signOrder":1,"operateTime":1729489875000,"signResult":2,"resultDescription":"签署完成","organization":{"orgId":"eb75d38e61111c8e964aa308edaa7904","orgName":"霁林测试有限公司"}}';
const SIGNATURE = "dc0cfb435856611a73fd8faf1331caa318af2b76d372ed90c5616dc8e7031585";
const QUERY = { orderNo: "001", belong: "pinjie" };
const sealed = (change: Record<string, string> = {}) =>
  tsignSealOf(
    (name) =>
      ({
        "x-tsign-open-app-id": app.appId,
        "x-tsign-open-timestamp": "1729489875363",
        "x-tsign-open-signature": SIGNATURE,
        ...change,
      })[name],
  );

test("a notification counts only with the right signature, whole, fresh and of this application", () => {
  const sent = { query: QUERY, body: BODY };
  expect(isTsigned(app, sealed(), sent, NOW)).toBe(true);
  expect(isTsigned(app, sealed({ "x-tsign-open-signature": SIGNATURE.toUpperCase() }), sent, NOW)).toBe(true);
  expect(isTsigned(app, sealed(), { ...sent, body: BODY.replace("完成", "拒绝") }, NOW)).toBe(false);
  expect(isTsigned(app, sealed(), { ...sent, query: { ...QUERY, orderNo: "002" } }, NOW)).toBe(false);
  expect(isTsigned(app, sealed({ "x-tsign-open-signature": "" }), sent, NOW)).toBe(false);
  expect(isTsigned(app, sealed({ "x-tsign-open-timestamp": "1729489875364" }), sent, NOW)).toBe(false);
  expect(isTsigned(app, sealed({ "x-tsign-open-timestamp": "soon" }), sent, NOW)).toBe(false);
  expect(isTsigned({ ...app, appId: "7438990002" }, sealed(), sent, NOW)).toBe(false);
  expect(isTsigned({ ...app, secret: "another secret" }, sealed(), sent, NOW)).toBe(false);
  expect(isTsigned(app, sealed(), sent, new Date(NOW.getTime() + 16 * 60_000))).toBe(false);
  expect(isTsigned(app, sealed(), sent, new Date(NOW.getTime() - 16 * 60_000))).toBe(false);
});
