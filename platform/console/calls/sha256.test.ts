import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sha256 } from "./sha256.ts";

test("agrees with the library, over every length around a block and with Chinese", () => {
  for (const text of ["", "abc", "密码Aa1!", ...Array.from({ length: 140 }, (_, n) => "x".repeat(n))])
    expect(sha256(text)).toBe(createHash("sha256").update(text).digest("hex"));
});
