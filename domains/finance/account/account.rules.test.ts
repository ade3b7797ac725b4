import { expect, test } from "vitest";
import { maskBank, maskPhone } from "../../../platform/kernel/texts/mask.ts";
import {
  KEY_RULES,
  hasField,
  isRate,
  keyState,
  maskedNumber,
  rateText,
  textTitle,
  wrongKeys,
  wrongOf,
} from "./account.rules.ts";
import { misplaced, placeText, terminalTable, unfit } from "./channel.rules.ts";

const said = (given: Parameters<typeof wrongOf>[0]) => wrongOf(given).map((w) => `${w.field} ${w.msg}`);

test("each kind demands its own numbers and nothing of the others", () => {
  expect(said({ kind: "wechat", mchId: "1600000001" })).toEqual([]);
  expect(said({ kind: "wechat", mchId: "16000", subMchId: "1" })).toEqual([
    "mchId 微信商户号为8-10位数字",
    "subMchId 微信商户号为8-10位数字",
  ]);
  expect(said({ kind: "alipay", mchId: "2088000000000001" })).toEqual([]);
  expect(said({ kind: "alipay", mchId: "1088000000000001" })).toEqual([
    "mchId 支付宝PID为2088开头的16位数字",
  ]);
  expect(said({ kind: "pos" })).toEqual(["mchId 请输入正确的商户号"]);
  expect(said({ kind: "cash", mchId: "?" })).toEqual([]);
});

test("a bank account has 6 to 30 digits and hyphens", () => {
  const bank = (bankAccountNo: string) =>
    said({
      kind: "bank",
      bankName: "滨江支行",
      accountName: "青禾公寓",
      statementMode: "claim",
      bankAccountNo,
    });
  for (const good of ["330016", "3300-1600-0001", "1".repeat(30)]) expect(bank(good)).toEqual([]);
  for (const bad of ["", "33001", "1".repeat(31), "33001600A", "-330016"])
    expect(bank(bad)).toEqual(["bankAccountNo 请输入正确的银行账号"]);
});

test("one AppID for each terminal", () => {
  const appId = "wx0123456789abcdef";
  const wechat = (...appIds: { terminal: "h5" | "app"; appId: string }[]) =>
    said({ kind: "wechat", mchId: "1600000001", appIds });
  expect(wechat({ terminal: "h5", appId }, { terminal: "app", appId: "" })).toEqual([]);
  expect(wechat({ terminal: "h5", appId: "abc" })).toEqual(["appIds AppID为wx开头的18位字母和数字"]);
  expect(wechat({ terminal: "h5", appId }, { terminal: "h5", appId })).toEqual([
    "appIds 同一终端只能填写一个AppID",
  ]);
});

test("a rate has four decimals of a percent and is at most 5%", () => {
  for (const rate of [0, 0.006, 0.003825, 0.05]) expect(isRate(rate), String(rate)).toBe(true);
  for (const rate of [-0.001, 0.0500001, 0.06, 0.0000001]) expect(isRate(rate), String(rate)).toBe(false);
});

test("the middle of a number is hidden", () => {
  expect(["1600000001", "2088000000000001", "330016", ""].map(maskedNumber)).toEqual([
    "160****0001",
    "2088****0001",
    "3****6",
    "",
  ]);
});

test("the first keys are complete, later ones replace; a certificate comes with its key", () => {
  const none = new Set<string>();
  expect(wrongKeys("wechat", {}, none).map((w) => w.field)).toEqual([
    "apiV3Key",
    "certSerialNo",
    "privateKey",
  ]);
  const all = new Set(["apiV3Key", "certSerialNo", "privateKey"]);
  expect(wrongKeys("wechat", { apiV3Key: "k" }, all)).toEqual([]);
  expect(wrongKeys("wechat", {}, all)[0]?.msg).toBe("请至少更换一项密钥");
  expect(wrongKeys("wechat", { certSerialNo: "s" }, all)).toEqual([
    { field: "privateKey", msg: "证书序列号与私钥文件须一起更换" },
  ]);
  expect(wrongKeys("alipay", { privateKey: "k" }, none)[0]?.msg).toBe("该类型账户没有私钥文件");
  expect([keyState("wechat", 3), keyState("wechat", 0), keyState("alipay", 1), keyState("cash", 0)]).toEqual([
    "set",
    "missing",
    "part",
    "none",
  ]);
});

test("a place takes the account of its pay type, while it is enabled", () => {
  expect(unfit("wechat", { kind: "wechat", enabled: true })).toBeUndefined();
  expect(unfit("wechat", { kind: "alipay", enabled: true })).toBe("账户类型与支付方式“微信”不符");
  expect(unfit("bankTransfer", { kind: "bank", enabled: false })).toBe("该账户已停用");
  expect(misplaced("h5", "cash")).toBe("H5不支持现金");
  for (const { terminal, payTypes } of terminalTable())
    for (const { payType, kinds } of payTypes) {
      expect(misplaced(terminal, payType)).toBeUndefined();
      expect(kinds.map((kind) => unfit(payType, { kind, enabled: true }))).toEqual([undefined]);
    }
});

test("names of a bank account have 2 to 50 characters; what its form calls a number", () => {
  const bank = (bankName: string, accountName = "青禾公寓", statementMode = "claim") =>
    said({ kind: "bank", bankName, accountName, statementMode, bankAccountNo: "330016" });
  for (const good of ["支行", "行".repeat(50)]) expect([bank(good), bank("支行", good)]).toEqual([[], []]);
  for (const bad of ["行", "行".repeat(51)])
    expect([bank(bad), bank("支行", bad)]).toEqual([
      ["bankName 开户行长度为2到50个字"],
      ["accountName 户名长度为2到50个字"],
    ]);
  expect(bank("支行", "青禾公寓", "")).toEqual(["statementMode 请选择对账方式"]);
  expect([textTitle("alipay"), textTitle("wechat"), textTitle(undefined)]).toEqual([
    "支付宝PID",
    "商户号",
    "商户号",
  ]);
  expect([hasField("wechat", "appIds"), hasField("wechat", "mchId"), hasField("cash", "fee")]).toEqual([
    true,
    true,
    false,
  ]);
  expect([hasField("bank", "mchId"), hasField(undefined, "mchId")]).toEqual([false, false]);
});

test("a number of eleven places is hidden like a phone, of twelve like a card; a rate as people read it", () => {
  expect([maskedNumber("12345678901"), maskedNumber("123456789012")]).toEqual([
    maskPhone("12345678901"),
    maskBank("123456789012"),
  ]);
  expect([rateText(0.006), rateText(0.0038), rateText(0)]).toEqual(["0.6%", "0.38%", "0%"]);
});

test("a place is named with its purpose where that is not everything", () => {
  const at = { terminal: "counter", payType: "wechat" } as const;
  expect(placeText(at)).toBe(placeText({ ...at, purpose: "all" }));
  expect(placeText({ ...at, purpose: "deposit" })).toBe(`${placeText(at)}·押金`);
});

test("keys that go together, and files that look like what they are", () => {
  const body = "MIIE".repeat(60);
  const pem = (what: string) => `-----BEGIN ${what}-----\n${body}\n-----END ${what}-----\n`;
  expect(KEY_RULES.privateKey(pem("PRIVATE KEY"))).toBeUndefined();
  expect(KEY_RULES.privateKey(pem("RSA PRIVATE KEY"))).toBeUndefined();
  expect(KEY_RULES.privateKey(pem("CERTIFICATE"))).toBe("请选择PEM格式的私钥文件");
  expect([body, pem("PRIVATE KEY")].map((key) => KEY_RULES.appPrivateKey(key))).toEqual([
    undefined,
    undefined,
  ]);
  expect(KEY_RULES.appPrivateKey("abc")).toBe("应用私钥格式不正确");
  const all = new Set(["apiV3Key", "certSerialNo", "privateKey"] as const);
  const fields = (given: Record<string, string>) => wrongKeys("wechat", given, all).map((w) => w.field);
  expect(fields({ wechatKeyId: "PUB_KEY_ID_12345678" })).toEqual(["wechatPublicKey"]);
  expect(fields({ wechatPublicKey: "x" })).toEqual(["wechatKeyId"]);
  expect(fields({ certSerialNo: "A" })).toEqual(["privateKey"]);
  expect(fields({ privateKey: "A" })).toEqual(["certSerialNo"]);
});
