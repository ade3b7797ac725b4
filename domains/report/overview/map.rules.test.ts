import { expect, test } from "vitest";
import { fillOf, labelsOf, layOut, middleOf, radiusOf, widthOf } from "./map.rules.ts";

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

test("words stand beside their spot and never over each other; where there is no room they wait", () => {
  const spot = (x: number, y: number) => ({ x, y, r: 10, width: 80 });
  expect(labelsOf([spot(100, 100)], BOX)).toEqual([{ x: 115, y: 104, anchor: "start" }]);
  // at the right edge they stand on the left
  expect(labelsOf([spot(560, 100)], BOX)).toEqual([{ x: 545, y: 104, anchor: "end" }]);
  const [a, b] = labelsOf([spot(100, 100), spot(130, 100)], BOX);
  expect([a?.anchor, b?.anchor]).toEqual(["end", "start"]);
  const crowd = labelsOf(
    Array.from({ length: 40 }, (_, i) => spot(280 + (i % 8) * 4, 140 + Math.floor(i / 8) * 4)),
    BOX,
  );
  expect(crowd.filter((label) => label === undefined).length).toBeGreaterThan(30);
});

test("the middle of a city's stores, and how broad its words are", () => {
  expect(middleOf([HANGZHOU, { lng: 120.4, lat: 30.4 }])).toEqual({
    lng: expect.closeTo(120.3),
    lat: expect.closeTo(30.3),
  });
  expect(widthOf("杭州 93.0%")).toBe(2 * 12.5 + 6 * 7);
});
