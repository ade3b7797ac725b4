import { expect, test } from "vitest";
import { type EsignDetail, retryMinutes, toldOf } from "./provider.rules.ts";

const at = (iso: string) => new Date(iso).getTime();
const NOW = at("2026-03-12T02:00:00Z");
/** A flow as the provider's documentation shows it, with what matters here. */
const detail = (status: number, change: Partial<EsignDetail> = {}): EsignDetail => ({
  signFlowStatus: status,
  signFlowDescription: "签署中",
  signers: [
    {
      signOrder: 1,
      signStatus: 2,
      signerIp: "218.1.2.3",
      signFields: [
        { statusUpdateTime: at("2026-03-12T01:30:00Z") },
        { statusUpdateTime: at("2026-03-12T01:31:00Z") },
        { statusUpdateTime: null },
      ],
    },
    { signOrder: 2, signStatus: 1, signerIp: "", signFields: [] },
  ],
  ...change,
});

test("the party has signed when its own status says so, at the last of its places", () => {
  expect(toldOf(detail(1), [1, 2, 3], NOW)).toEqual({
    state: "open",
    reason: "",
    parties: [{ at: at("2026-03-12T01:31:00Z"), ip: "218.1.2.3" }, null, null],
  });
});

test("a clock that is ahead, or an answer without a time, signs now", () => {
  const [first, second] = detail(1).signers;
  const ahead = { ...first!, signFields: [{ statusUpdateTime: at("2026-03-13T00:00:00Z") }] };
  expect(toldOf(detail(1, { signers: [ahead] }), [1], NOW).parties[0]?.at).toBe(NOW);
  const untold = { ...second!, signStatus: 2 };
  expect(toldOf(detail(1, { signers: [untold] }), [2], NOW).parties[0]?.at).toBe(NOW);
});

test("every state of the provider has its meaning, and why it ended", () => {
  const state = (status: number) => toldOf(detail(status), [1], NOW).state;
  expect([0, 1, 2, 3, 5, 7].map(state)).toEqual(["open", "open", "done", "revoked", "expired", "refused"]);
  const refused = detail(7, { signFlowDescription: "租金不对" });
  expect(toldOf(refused, [1], NOW).reason).toBe("租金不对");
  expect(toldOf(detail(2, { signFlowDescription: "完成" }), [1], NOW).reason).toBe("");
  expect(() => toldOf(detail(9), [1], NOW)).toThrow("9");
});

test("what fails is tried again after 1, 2, 4 minutes, and never later than half an hour", () => {
  expect([0, 1, 2, 3, 5, 6, 40].map(retryMinutes)).toEqual([1, 1, 2, 4, 16, 30, 30]);
});
