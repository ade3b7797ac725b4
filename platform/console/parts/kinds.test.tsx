import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { lookOf, Money, textOf } from "./kinds.tsx";

const html = (node: React.ReactNode) => renderToStaticMarkup(<>{node}</>);

test("amounts have two decimals and commas, negative ones are red, nothing is grey, unknown is a dash", () => {
  expect(html(<Money fen={1_234_567} />)).toBe('<span class="" data-whole="true">12,345.67</span>');
  expect(html(<Money fen={-18_600} />)).toBe('<span class="neg" data-whole="true">−186.00</span>');
  expect(html(<Money fen={0} strong />)).toBe('<span class="dim" data-whole="true">0.00</span>');
  expect(html(<Money fen={300} strong />)).toBe('<b class="" data-whole="true">3.00</b>');
  expect(html(<Money fen={null} />)).toContain("—");
});

test("each kind reads as people write it", () => {
  expect(textOf({ title: "", kind: "percent" }, 0.9517)).toBe("95.17%");
  expect(textOf({ title: "", kind: "number", unit: "天" }, 1234.5)).toBe("1,234.5天");
  expect(textOf({ title: "", kind: "flag" }, false)).toBe("否");
  expect(textOf({ title: "", kind: "instant" }, "2026-11-20T01:05:07Z")).toBe("2026-11-20 09:05");
  expect(
    textOf({ title: "", kind: "tags", words: { a: ["争议", "red"], b: ["结算中", "blue"] } }, ["a", "b"]),
  ).toBe("争议、结算中");
  expect(textOf({ title: "", kind: "day" }, "")).toBe("—");
  expect(html(lookOf({ title: "", kind: "instant" }, "2026-11-20T01:05:07Z"))).toContain(
    'title="2026-11-20 09:05:07"',
  );
});

test("a state shows its word in its colour, an unknown one its code", () => {
  const meta = { title: "", kind: "status" as const, words: { paid: ["已付", "green"] as const } };
  expect(html(lookOf(meta, "paid"))).toBe('<span class="tag s-green tag--dot">已付</span>');
  expect(html(lookOf(meta, "odd"))).toBe('<span class="tag s-grey tag--dot">odd</span>');
});
