import { expect, test } from "vitest";
import { HOME, entrance, ownPath } from "../../console/session/guard.ts";

const FOREIGN = [
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  " //evil.example",
  "https:evil.example",
  "https://evil.example",
  "HTTPS://evil.example",
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,x",
  "evil.example",
  "./evil",
  "%2f%2fevil.example",
  "@evil.example",
];

test.each(FOREIGN)("%j is no address of ours, plain or encoded once or twice", (target) => {
  expect(ownPath(target)).toBeUndefined();
  for (const written of [encodeURIComponent(target), encodeURIComponent(encodeURIComponent(target))]) {
    const search = `?redirect=${written}`;
    const { go } = entrance(
      { menus: [], redirects: [], screens: [] },
      { pathname: "/user/login", search },
      true,
    ) as {
      go: string;
    };
    expect(go).toBe(HOME);
  }
});

test("whatever is taken stays on this host below /sams/", () => {
  for (const target of [
    "/a",
    "/a?b=//evil.example",
    "/a#//evil",
    "/%2f%2fevil.example",
    "/%5cevil.example",
    "/.//evil.example",
  ]) {
    const own = ownPath(target);
    expect(own).toBe(target);
    expect(new URL(`/sams${own}`, "https://console.example").host).toBe("console.example");
  }
});
