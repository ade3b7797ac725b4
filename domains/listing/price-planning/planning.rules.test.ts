import { expect, test } from "vitest";
import { asForm, editing, skipping, type Origin } from "./planning.rules.ts";

const origin: Origin = {
  id: 7,
  number: "TJ20261120-000007",
  reason: "旺季调价",
  plan: {
    villageIds: [1, 2],
    mode: "percent",
    value: 3.3,
    applyTo: "both",
    round: "yuan",
    effectiveDay: "2026-12-01",
    skip: [4],
    edits: [{ roomId: 5, list: 310_000 }],
  },
};

test("a form begins empty, with rooms of the board, as a draft, a copy or the way back of another", () => {
  expect(asForm({ roomIds: [] }, undefined, "2026-11-20")).toMatchObject({
    villageIds: [],
    mode: "percent",
    applyTo: "list",
    effectiveDay: "2026-11-20",
  });
  expect(asForm({ villageId: 3, roomIds: [8, 9] }, undefined, "2026-11-20")).toMatchObject({
    villageIds: [3],
    roomIds: [8, 9],
  });
  const draft = asForm({ id: 7, roomIds: [] }, origin, "2026-11-20");
  expect(draft).toMatchObject({ self: 7, reason: "旺季调价", effectiveDay: "2026-12-01", skip: [4] });
  // a copy is a change of its own, and never begins in the past
  const copy = asForm({ copy: 7, roomIds: [] }, origin, "2026-12-24");
  expect(copy).toMatchObject({ effectiveDay: "2026-12-24", value: 3.3 });
  expect(copy).not.toHaveProperty("self");
  expect(asForm({ undo: 7, roomIds: [] }, origin, "2026-12-24")).toMatchObject({
    mode: "undo",
    undoOf: 7,
    villageIds: [1, 2],
    reason: "回滚 TJ20261120-000007",
    skip: [],
  });
});

test("rooms are left out and taken in again, priced by hand and by the rule again", () => {
  expect(skipping([1], 2)).toEqual([1, 2]);
  expect(skipping([1, 2], 1)).toEqual([2]);
  const one = editing([], 5, "list", 310_000);
  expect(editing(one, 5, "lowest", 290_000)).toEqual([{ roomId: 5, list: 310_000, lowest: 290_000 }]);
  expect(editing(one, 5, "list", undefined)).toEqual([]);
});
