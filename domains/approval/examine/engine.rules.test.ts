import fc from "fast-check";
import { expect, test } from "vitest";
import {
  approve,
  asked,
  end,
  reject,
  replaceLost,
  sendBack,
  start,
  transfer,
  type Around,
  type NodePlan,
  type Run,
} from "./engine.rules.ts";

const SUBMITTER = 1;
const FALLBACK = 2;
const EVERYBODY = [1, 2, 3, 4, 5, 6];
const around = (active: readonly number[] = EVERYBODY): Around => ({
  active: new Set(active),
  submitterId: SUBMITTER,
  fallbackId: FALLBACK,
});
const waiting = (run: Run) => run.steps.filter((s) => s.state === "waiting").map((s) => s.operatorId);

const node: fc.Arbitrary<NodePlan> = fc.record({
  mode: fc.constantFrom("any" as const, "all" as const),
  people: fc.uniqueArray(fc.constantFrom(...EVERYBODY), { maxLength: 4 }),
});
/** The fallback approver can always decide; anybody else may be disabled. */
const some = fc.subarray([1, 3, 4, 5, 6]).map((ids) => around([FALLBACK, ...ids]));
const acts = fc.array(
  fc.record({
    what: fc.constantFrom(
      "approve",
      "approve",
      "approve",
      "return",
      "transfer",
      "lock",
      "reject",
      "withdraw",
    ),
    who: fc.nat(5),
    to: fc.nat(9),
  }),
  { maxLength: 30 },
);

/** Plays acts until the end; whatever the rules refuse changes nothing. */
function play(nodes: NodePlan[], given: Around, moves: { what: string; who: number; to: number }[]): Run {
  let now = given;
  let run = start(nodes, now);
  for (const { what, who, to } of moves) {
    if (run.state !== "approving") break;
    const people = waiting(run);
    const one = people[who % people.length]!;
    try {
      if (what === "approve") run = approve(run, one, now);
      else if (what === "reject") run = reject(run, one);
      else if (what === "withdraw") run = end(run, "withdrawn");
      else if (what === "return") run = sendBack(run, one, (to % run.nodes.length) + 1, now);
      else if (what === "transfer") run = transfer(run, one, EVERYBODY[to % 6]!);
      else {
        now = { ...now, active: new Set([...now.active].filter((id) => id !== one || id === FALLBACK)) };
        run = replaceLost(run, now);
      }
    } catch {
      continue;
    }
  }
  // whoever is still asked agrees
  for (let i = 0; run.state === "approving" && i < 200; i++) run = approve(run, waiting(run)[0]!, now);
  return run;
}

test("every way ends in exactly one of approved, rejected and withdrawn, with nobody left waiting", () => {
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 5 }), some, acts, (nodes, who, moves) => {
      const run = play(nodes, who, moves);
      expect(["approved", "rejected", "withdrawn"]).toContain(run.state);
      expect(waiting(run)).toEqual([]);
      for (const id of EVERYBODY) expect(() => approve(run, id, who)).toThrow();
      expect(() => end(run, "withdrawn")).toThrow();
    }),
  );
});

test("while it runs somebody is asked, nobody twice, and the submitter only where they are the fallback too", () => {
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 5 }), some, acts, (nodes, who, moves) => {
      let run = start(nodes, who);
      for (const { who: pick } of moves) {
        if (run.state !== "approving") break;
        const people = waiting(run);
        expect(people.length).toBeGreaterThan(0);
        expect(new Set(people).size).toBe(people.length);
        expect(people).not.toContain(SUBMITTER);
        run = approve(run, people[pick % people.length]!, who);
      }
    }),
  );
});

test("one yes is enough where any may say it; all must say it where all are asked", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.constantFrom(3, 4, 5, 6), { minLength: 2 }), (people) => {
      const any = approve(start([{ mode: "any", people }], around()), people[0]!, around());
      expect(any.state).toBe("approved");
      expect(any.steps.filter((s) => s.state === "skipped")).toHaveLength(people.length - 1);
      let all = start([{ mode: "all", people }], around());
      for (const [i, id] of people.entries()) {
        all = approve(all, id, around());
        expect(all.state).toBe(i === people.length - 1 ? "approved" : "approving");
      }
    }),
  );
});

test("an approved way has the yes of every node, in the last round in which it was walked", () => {
  fc.assert(
    fc.property(fc.array(node, { minLength: 1, maxLength: 5 }), some, acts, (nodes, who, moves) => {
      const run = play(nodes, who, moves);
      if (run.state !== "approved") return;
      for (const order of nodes.keys()) {
        const said = run.steps.filter((s) => s.order === order + 1 && s.state === "approved");
        expect(said.length).toBeGreaterThan(0);
      }
    }),
  );
});

test("two deciders at once: the second finds nothing that waits for them", () => {
  const run = start(
    [
      { mode: "any", people: [3, 4] },
      { mode: "any", people: [5] },
    ],
    around(),
  );
  const first = approve(run, 3, around());
  expect(() => approve(first, 4, around())).toThrow("该审批当前不由您处理");
  expect(first.order).toBe(2);
});

test("the same person twice in a row agrees once; with somebody between, twice", () => {
  const twice: NodePlan[] = [
    { mode: "any", people: [3] },
    { mode: "all", people: [3] },
    { mode: "any", people: [4] },
    { mode: "any", people: [3] },
  ];
  const run = approve(start(twice, around()), 3, around());
  expect([run.order, waiting(run)]).toEqual([3, [4]]);
  expect(run.steps[1]).toMatchObject({ state: "approved", merged: true });
  expect(approve(run, 4, around())).toMatchObject({ state: "approving", order: 4 });
});

test("the submitter is left out; the fallback takes the place of who is missing", () => {
  expect(asked({ mode: "any", people: [1, 3] }, around())).toEqual([3]);
  expect(asked({ mode: "any", people: [1] }, around())).toEqual([FALLBACK]);
  expect(asked({ mode: "any", people: [3, 4] }, around([2, 4]))).toEqual([4]);
  expect(asked({ mode: "all", people: [3, 4] }, around([2, 4]))).toEqual([4, FALLBACK]);
  expect(asked({ mode: "any", people: [3] }, around([2]))).toEqual([FALLBACK]);
  const own = { ...around([1]), fallbackId: SUBMITTER };
  expect(asked({ mode: "any", people: [1] }, own)).toEqual([SUBMITTER]);
  expect(asked({ mode: "any", people: [1, 3] }, { ...own, active: new Set([1, 3]) })).toEqual([3]);
  expect(() => start([{ mode: "any", people: [3] }], around([4]))).toThrow("没有可用的审批人");
});
