import { expect, test } from "vitest";
import { brand as standard } from "../../../brands/default.ts";
import { ASSET_CAPS, assetRefusal, brandSchema, readBrand } from "./brand.ts";
import { contrast, inkOn } from "./colour.ts";

const said = (change: object) =>
  brandSchema.safeParse({ ...standard, ...change }).error?.issues.map((i) => i.message);
const svg = (body: string) =>
  new TextEncoder().encode(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${body}</svg>\n`);

test("words on the theme colour are white or #141414, whichever contrasts more", () => {
  expect(contrast("#5587FF", "#FFFFFF")).toBeCloseTo(3.34, 2);
  expect(contrast("#000000", "#FFFFFF")).toBeCloseTo(21, 5);
  expect([inkOn("#5587FF"), inkOn("#E7AA4D"), inkOn("#A8232B")]).toEqual(["#141414", "#141414", "#FFFFFF"]);
});

test("a colour on which neither reaches 4.5 is refused", () => {
  expect(said({ themeColor: "#777777" })).toEqual([
    "主题色上的文字不够清晰（对比度：白色 4.48，深色 4.11，至少 4.5）",
  ]);
  expect(said({ themeColor: "#757575" })).toBeUndefined();
  for (const themeColor of ["blue", "#12345", "#GGGGGG"])
    expect(said({ themeColor })).toContain("主题色格式须为 #RRGGBB");
});

test("fields outside their bounds and unknown fields are refused", () => {
  expect(said({ key: "A1" })).toEqual(["品牌编码为3到20位小写字母和数字"]);
  expect(said({ productTitle: "字" })).toEqual(["产品标题长度为2到20个字"]);
  expect(said({ footerText: "" })).toEqual(["页脚长度为1到100个字"]);
  expect(said({ logo: "../secret.svg" })).toEqual(["标志文件名不正确"]);
  expect(said({ apiBase: "http://api.example" })).toEqual(["接口地址须为 https 地址"]);
  expect(said({ apiBase: "https://me:pw@api.example" })).toEqual(["接口地址须为 https 地址"]);
  expect(said({ passwordHashTimes: 3 })).toEqual(["密码摘要次数为1或2"]);
  expect(said({ helpPhone: "电话" })).toEqual(["手机号或座机格式不正确"]);
  expect(said({ colour: "#000000" })).toHaveLength(1);
});

test("what a file leaves out has its default, and a wrong file says each wrong field", () => {
  const { key, productTitle, loginTitle, logo, favicon, background, footerText, themeColor, mode } = standard;
  const least = { key, productTitle, loginTitle, logo, favicon, background, footerText, themeColor, mode };
  expect(readBrand(least)).toEqual(standard);
  expect(() => readBrand({ ...least, key: "", mode: "grey" })).toThrow(/key: .*\nmode: 请选择主题/);
});

test("pictures are judged by content, size and safety", () => {
  expect(assetRefusal("logo", "a.svg", svg("<path d='M0 0h9'/>"))).toBeUndefined();
  expect(assetRefusal("logo", "a.png", svg(""))).toBe("请上传图片");
  expect(assetRefusal("logo", "a.svg", new TextEncoder().encode("<html></html>"))).toBe("请上传图片");
  expect(assetRefusal("favicon", "a.svg", new Uint8Array(ASSET_CAPS.favicon + 1))).toBe(
    "图片大小不能超过200K",
  );
  expect(assetRefusal("logo", "a.svg", new Uint8Array(ASSET_CAPS.logo + 1))).toBe("图片大小不能超过2M");
  for (const body of [
    "<script>alert(1)</script>",
    "<rect onload='alert(1)'/>",
    "<image href='https://else.example/a.png'/>",
    "<use xlink:href='//else.example#a'/>",
    "<rect fill='url(https://else.example/a)'/>",
    "<foreignObject/>",
  ])
    expect(assetRefusal("logo", "a.svg", svg(body)), body).toBe("图片含有脚本或外部链接");
  expect(assetRefusal("logo", "a.svg", svg("<rect fill='url(#s)'/><use href='#a'/>"))).toBeUndefined();
});
