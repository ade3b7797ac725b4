import { expect, test } from "vitest";
import { house } from "../../../screens.ts";
import { ROUTES } from "../specification/routes.ts";

const routes = new Map(ROUTES.map(([path, codes, kind, title]) => [path, { codes, kind, title }]));
/** What the specification leaves open: the first set-up of a production house, and the embedded till and the bills on a payer's phone. */
const OWN = new Set(["/setup", "/cashier", "/pay"]);
const fixed = house.screens.filter((s) => !OWN.has(s.path));

test("every screen is a route of the specification, with its title, its codes and its kind", () => {
  for (const { path, title, codes, kind } of fixed) {
    const route = routes.get(path);
    expect(route, path).toBeDefined();
    expect(title, path).toBe(route!.title);
    expect(kind === "public", path).toBe(route!.codes === "public");
    expect(codes, path).toEqual(typeof route!.codes === "string" ? [] : route!.codes);
    if (route!.kind === "subpage" || route!.kind === "hidden") expect(kind, path).toBe(route!.kind);
  }
});

test("every menu is one of the specification, with its title and its code, in its order", () => {
  expect(house.menus.map(({ path, title, code }) => [path, [code], "menu", title])).toEqual(
    ROUTES.filter(([, , kind]) => kind === "menu").map(([path, codes, kind, title]) => [
      path,
      codes,
      kind,
      title,
    ]),
  );
});

test("every page without a log-in is there, and no other page is open to strangers", () => {
  const open = ROUTES.filter(
    ([path, codes, kind]) => codes === "public" && kind === "page" && path !== "/404",
  );
  expect(fixed.filter((s) => s.kind === "public").map((s) => s.path)).toEqual(
    expect.arrayContaining(open.map(([path]) => path)),
  );
  expect(fixed.filter((s) => s.kind === "public")).toHaveLength(open.length);
});

test("the addresses that lead elsewhere lead there", () => {
  expect(house.redirects).toEqual(
    expect.arrayContaining([
      { from: "/portal", to: "/portal/login" },
      { from: "/user/resetPassword", to: "/user/recover" },
      { from: "/workbench/overview", to: "/workbench/overview2" },
    ]),
  );
});
