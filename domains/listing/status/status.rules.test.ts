import { describe, expect, test } from "vitest";
import { arrange, linesBetween, neighbour, spotsOf, type Geometry } from "../board/arrange.rules.ts";
import { compareDays, daysShown } from "../board/board.rules.ts";
import { figuresOf, finds, sieveOf, tally, chosenCount, type Counts } from "../board/sieve.rules.ts";
import { bitsOf, flagsOf } from "./status.rules.ts";
import { tileHtml, tileName } from "../board/tile.rules.ts";
import { aTile, aTower } from "../board/tile.sample.ts";

const DAY = "2026-11-20";
const board = { day: DAY, buildings: [aTower], products: [] };
const geometry: Geometry = { width: 600, tileWidth: 93, tileHeight: 52, gap: 4, label: 40, unitGap: 16 };
const arrears = bitsOf({ arrears: true });

describe("the legend", () => {
  const tiles = [
    aTile(),
    aTile({ condition: "dirty" }),
    aTile({ occupancy: "occupied", counts: 3, flags: arrears, arrearsFen: 100 }),
    aTile({ occupancy: "expiring", counts: 3, until: "2026-11-28" }),
  ];

  test("counts an axis without its own choice, and the others with it", () => {
    const { shown, occ, cond, flag } = tally(tiles, sieveOf(new URLSearchParams("occ=vacant")), DAY);
    expect(shown).toHaveLength(2);
    expect([occ.vacant, occ.occupied, occ.expiring]).toEqual([2, 1, 1]);
    expect([cond.rentable, cond.dirty]).toEqual([1, 1]);
    expect(flag.arrears).toBe(0);
  });

  test("takes choices of one row as alternatives and rows as narrowing", () => {
    const both = tally(tiles, sieveOf(new URLSearchParams("occ=vacant,occupied&flag=arrears")), DAY);
    expect(both.shown.map((t) => t.occupancy)).toEqual(["occupied"]);
    expect(
      tally(tiles, sieveOf(new URLSearchParams("endsWithin=10")), DAY).shown.map((t) => t.occupancy),
    ).toEqual(["expiring"]);
    expect(tally(tiles, sieveOf(new URLSearchParams("vacantFrom=19")), DAY).shown).toHaveLength(2);
    expect(tally(tiles, sieveOf(new URLSearchParams("vacantFrom=20")), DAY).shown).toHaveLength(0);
    const { shown } = tally(tiles, sieveOf(new URLSearchParams("empty=1")), DAY);
    const { base, let: taken } = figuresOf(tiles, DAY);
    expect(shown).toHaveLength(base - taken);
    expect(figuresOf(shown, DAY)).toMatchObject({ base: shown.length, let: 0 });
  });

  test("leaves a word alone that is none, in whichever row", () => {
    const mistyped = sieveOf(new URLSearchParams("occ=toString&cond=clean&flag=waiting,arrears"));
    expect([mistyped.occ, mistyped.cond, mistyped.flag]).toEqual([[], [], ["arrears"]]);
    expect(tally(tiles, sieveOf(new URLSearchParams("flag=waiting")), DAY).shown).toHaveLength(4);
  });

  test("a choice of status leaves the figures alone, a choice of place does not", () => {
    const stock = (search: string) => tally(tiles, sieveOf(new URLSearchParams(search)), DAY).stock.length;
    for (const search of ["", "occ=vacant", "empty=1&cond=dirty", "vacantFrom=20", "endsWithin=10"])
      expect([search, stock(search)]).toEqual([search, 4]);
    expect(stock("kinds=shop&occ=vacant")).toBe(0);
  });

  test("the figures count rooms, those that are let, and who owes", () => {
    expect(figuresOf(tiles, DAY)).toEqual({
      total: 4,
      base: 4,
      let: 2,
      vacancy: 0.5,
      arrearsRooms: 1,
      arrearsFen: 100,
      endsThisMonth: 1,
    });
    expect(figuresOf([], DAY).vacancy).toBeNull();
  });
});

describe("arranging", () => {
  const floor = (n: number, units: number[]) => units.map((unitId) => aTile({ floorId: n, unitId }));

  test("floors stand from the top down, units in columns of their own", () => {
    const tiles = [...floor(1, [1, 2]), ...floor(2, [1, 1, 2])];
    const { lines, height } = arrange(board, tiles, { group: "building", folded: new Set(), geometry });
    expect(lines.map((l) => (l.kind === "head" ? l.section.title : l.label))).toEqual(["1 号楼", "2F", "1F"]);
    const rows = lines.flatMap((l) => (l.kind === "tiles" ? [l.tiles.map((p) => p.x)] : []));
    expect(rows).toEqual([
      [40, 137, 250],
      [40, 250],
    ]);
    expect(height).toBe(44 + 2 * 56);
  });

  test("a floor wider than the page goes on in the next line without a label", () => {
    const { lines } = arrange(board, floor(3, [1, 1, 1, 1, 1, 1, 1]), {
      group: "building",
      folded: new Set(),
      geometry,
    });
    expect(lines.map((l) => (l.kind === "tiles" ? [l.label, l.tiles.length] : "head"))).toEqual([
      "head",
      ["3F", 5],
      ["", 2],
    ]);
  });

  test("a folded building keeps its head alone", () => {
    const { lines, height } = arrange(board, floor(3, [1]), {
      group: "building",
      folded: new Set(["b1"]),
      geometry,
    });
    expect([lines.length, height]).toEqual([1, 44]);
  });

  test("only the lines that touch the window are drawn", () => {
    const tiles = Array.from({ length: 18 }, (_, i) => floor(i + 1, [1])).flat();
    const { lines } = arrange(board, tiles, { group: "building", folded: new Set(), geometry });
    const seen = linesBetween(lines, 44 + 56, 44 + 56 * 3);
    expect(seen.map((l) => l.kind === "tiles" && l.label)).toEqual(["17F", "16F"]);
  });

  test("arrow keys go to the tile beside, and to the nearest above and below", () => {
    const tiles = [...floor(1, [1, 2]), ...floor(2, [1, 1, 2])];
    const [a, b, c, d, e] = tiles.map((t) => t.id) as [number, number, number, number, number];
    const { lines } = arrange(board, tiles, { group: "building", folded: new Set(), geometry });
    const spots = spotsOf(lines);
    const go = (from: number, key: Parameters<typeof neighbour>[3]) => neighbour(lines, spots, from, key);
    expect([go(c, "ArrowRight"), go(d, "ArrowDown"), go(e, "ArrowDown"), go(b, "ArrowUp")]).toEqual([
      d,
      a,
      b,
      e,
    ]);
    expect([go(c, "ArrowLeft"), go(c, "ArrowUp"), go(a, "ArrowDown")]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("among empty rooms alone those under repair stand apart, at the end", () => {
    const titles = (tiles: Parameters<typeof arrange>[1]) =>
      arrange(board, tiles, { group: "building", folded: new Set(), geometry }).lines.flatMap((l) =>
        l.kind === "head" ? [[l.section.title, l.section.tiles.length]] : [],
      );
    const repaired = aTile({ condition: "maintenance", counts: 0 });
    const [tower] = titles([aTile()])[0]!;
    expect(titles([repaired, aTile(), aTile({ condition: "dirty" })])).toEqual([
      [tower, 2],
      ["维修、停用或自用", 1],
    ]);
    expect(titles([repaired])).toEqual([[tower, 1]]);
    expect(titles([repaired, aTile({ occupancy: "occupied", counts: 3 })])).toEqual([[tower, 2]]);
  });

  test("by vacancy the longest stands first", () => {
    const tiles = [
      aTile({ vacantSince: "2026-11-19" }),
      aTile({ vacantSince: "2026-01-01" }),
      aTile({ occupancy: "occupied" }),
    ];
    const { lines } = arrange(board, tiles, { group: "vacancy", folded: new Set(), geometry });
    expect(lines.flatMap((l) => (l.kind === "head" ? [l.section.title] : []))).toEqual([
      "空置 60 天以上",
      "空置 0-7 天",
      "非空置",
    ]);
  });
});

describe("a tile", () => {
  test("has a name with all that colour and marks say", () => {
    const tile = aTile({ name: "1203-A", occupancy: "expiring", condition: "dirty", flags: arrears });
    expect(tileName(tile)).toBe("1203-A 即将到期 待保洁 欠费");
    expect(flagsOf(tile.flags)).toEqual(["arrears"]);
  });

  test("shows days left, days over and days empty", () => {
    const lease = (until: string) => aTile({ occupancy: "occupied", until });
    expect(daysShown(lease("2026-12-20"), DAY)).toBe(30);
    expect(daysShown(aTile({ occupancy: "holdingOver", until: "2026-11-09" }), DAY)).toBe(11);
    expect(daysShown(aTile(), DAY)).toBe(19);
    expect(daysShown(aTile({ condition: "offline" }), DAY)).toBeNull();
  });

  test("never lets a name become markup", () => {
    const html = tileHtml(aTile({ name: "<b>", partyName: '"><script>', occupancy: "occupied" }), 0, {
      tint: "t-occupied",
      density: "l",
      day: DAY,
      width: 134,
      moved: false,
    });
    expect(html).not.toContain("<b>");
    expect(html).not.toContain("<script>");
  });

  test("is found by door, tag, tenant and initials", () => {
    const tile = aTile({ name: "1203", tags: ["近地铁"], partyName: "张雅婷", partyInitials: "zyt" });
    expect(["203", "地铁", "雅婷", "zy"].map((q) => finds(tile, q))).toEqual([true, true, true, true]);
    expect(["", "yt", "1204"].map((q) => finds(tile, q))).toEqual([false, false, false]);
  });
});

test("two days compared: rows add up to the first day, columns to the second", () => {
  const before = [aTile(), aTile(), aTile({ occupancy: "occupied" })];
  const after = [{ ...before[0]!, occupancy: "occupied" as const }, before[1]!, before[2]!, aTile()];
  const { moved, counts, came, went } = compareDays(before, after);
  expect([...moved]).toEqual([[before[0]!.id, { from: "vacant", to: "occupied" }]]);
  expect(counts.vacant).toMatchObject({ vacant: 1, occupied: 1 });
  expect(counts.occupied).toMatchObject({ occupied: 1 });
  expect([came, went]).toEqual([1, 0]);
});

const counts = { vacant: 3, holdingOver: 2, dirty: 4, arrearsRooms: 7 } as Counts;
const none = { occ: [], cond: [], flag: [] };

test("a filter of the board is counted village by village as long as it lies on one axis", () => {
  const late = chosenCount({ ...none, occ: ["holdingOver", "vacant"] })!;
  expect([late.title, late.of(counts)]).toEqual(["到期未退、空置", 5]);
  expect(chosenCount({ ...none, cond: ["dirty"] })!.of(counts)).toBe(4);
  expect(chosenCount({ ...none, flag: ["arrears"] })!.of(counts)).toBe(7);
  expect(chosenCount({ ...none, flag: ["signing"] })).toBeUndefined();
  expect(chosenCount({ ...none, occ: ["vacant"], cond: ["dirty"] })).toBeUndefined();
  expect(chosenCount(none)).toBeUndefined();
});
