import fc from "fast-check";
import { expect, test } from "vitest";
import { maskBank, maskCertificate, maskName, maskPhone } from "./mask.ts";

test("personal data shows its ends only", () => {
  expect(maskPhone("13800138000")).toBe("138****8000");
  expect(maskPhone("13812341234")).toBe("138****1234");
  expect(maskCertificate("110101199001011234")).toBe("1101**********1234");
  expect(maskBank("6222020011112221234")).toBe("6222****1234");
  expect(maskName("张三")).toBe("张*");
  expect(maskName("欧阳小明")).toBe("欧*");
  expect(maskName("𠮷田")).toBe("𠮷*");
});

test("short values do not come out whole", () => {
  expect(maskCertificate("A12345")).toBe("A****5");
  expect(maskPhone("12345")).toBe("1***5");
  expect(maskBank("12")).toBe("**");
  expect(maskName("张")).toBe("张*");
  expect([maskPhone(""), maskCertificate(""), maskBank(""), maskName("")]).toEqual(["", "", "", ""]);
});

test("at least three characters stay hidden from five on", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{5,30}$/), (value) => {
      for (const masked of [maskPhone(value), maskCertificate(value), maskBank(value)])
        expect(masked.replaceAll("*", "").length).toBeLessThanOrEqual(Math.min(8, value.length - 3));
    }),
  );
});
