import { expect, test } from "vitest";
import { fillOf, layOut, radiusOf } from "./map.rules.ts";

const BOX = { width: 600, height: 300, margin: 24 };
const HANGZHOU = { lng: 120.2, lat: 30.2 };
const BEIJING = { lng: 116.4, lat: 39.9 };
const SHANGHAI = { lng: 121.4, lat: 31.2 };

test("north is up, east is right, and everything lies within the margins", () => {
  const [hangzhou, beijing, shanghai] = layOut([HANGZHOU, BEIJING, SHANGHAI], BOX) as [
    { x: number; y: number },
    { x: number; y: number },
    { x: number; y: number },
  ];
  expect(beijing.y).toBeLessThan(shanghai.y);
  expect(shanghai.y).toBeLessThan(hangzhou.y);
  expect(beijing.x).toBeLessThan(hangzhou.x);
  expect(hangzhou.x).toBeLessThan(shanghai.x);
  for (const { x, y } of [hangzhou, beijing, shanghai]) {
    expect(x).toBeGreaterThanOrEqual(24);
    expect(x).toBeLessThanOrEqual(576);
    expect(y).toBeGreaterThanOrEqual(24);
    expect(y).toBeLessThanOrEqual(276);
  }
});

test("one store stands in the middle; stores at one address stand beside each other", () => {
  expect(layOut([HANGZHOU], BOX)).toEqual([{ x: 300, y: 150 }]);
  const spots = layOut(
    Array.from({ length: 20 }, () => HANGZHOU),
    BOX,
  );
  for (const [i, a] of spots.entries())
    for (const b of spots.slice(i + 1)) expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan(25);
  expect(layOut([], BOX)).toEqual([]);
});

test("a degree of longitude is drawn shorter than one of latitude", () => {
  const [a, b, c] = layOut([HANGZHOU, { lng: 121.2, lat: 30.2 }, { lng: 120.2, lat: 31.2 }], BOX) as [
    { x: number; y: number },
    { x: number; y: number },
    { x: number; y: number },
  ];
  expect((b.x - a.x) / (a.y - c.y)).toBeCloseTo(Math.cos((30.7 * Math.PI) / 180), 5);
});

test("a store is as large as its rooms, and has the colour of its rate", () => {
  expect([radiusOf(100, 100), radiusOf(25, 100), radiusOf(0, 0)]).toEqual([14, 10, 6]);
  expect([1, 0.95, 0.9499, 0.9, 0.85, 0.1].map(fillOf)).toEqual([
    "green",
    "green",
    "gold",
    "gold",
    "orange",
    "red",
  ]);
});
