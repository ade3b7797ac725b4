import { describe, expect, test } from "vitest";
import {
  deadlineOf,
  flowMoves,
  HOUR_MS,
  inPlaces,
  isLocked,
  linkText,
  maskFirm,
  MINUTE_MS,
  outcomeOf,
  SIGNED_KINDS,
  waitsForSeal,
  wrongTry,
} from "./esign.rules.ts";
import { type SignerRole, usualOrder, wrongOrder } from "../config/sign.rules.ts";
import { cleaned } from "../template/html.rules.ts";
import { publishErrors } from "../template/template.rules.ts";
import { proofPaper } from "./evidence.rules.ts";

const signers = (party: "sent" | "signed", enterprise: "waiting" | "signed" = "waiting") => [
  { role: "party" as const, state: party },
  { role: "enterprise" as const, state: enterprise },
];

test("the last allowed try locks for half an hour, and the count begins anew", () => {
  expect(wrongTry(0, 3, 0)).toEqual({ tries: 1, lockedUntil: null });
  expect(wrongTry(1, 3, 0)).toEqual({ tries: 2, lockedUntil: null });
  expect(wrongTry(2, 3, 5)).toEqual({ tries: 0, lockedUntil: 5 + 30 * MINUTE_MS });
  expect([isLocked(10, 9), isLocked(10, 10), isLocked(null, 0)]).toEqual([true, false, false]);
});

test("a link is good for its hours, yet never longer than the rooms are held", () => {
  expect(deadlineOf(0, 72, 168 * HOUR_MS)).toBe(72 * HOUR_MS);
  expect(deadlineOf(0, 72, 71 * HOUR_MS)).toBe(71 * HOUR_MS);
});

test("the seal is waited for after the party, or before the links where the enterprise signs first", () => {
  const last = { state: "signing" as const, signOrder: "partyFirst", provider: "embedded" };
  expect(waitsForSeal(last, signers("signed"))).toBe(true);
  expect(waitsForSeal(last, signers("sent"))).toBe(false);
  expect(waitsForSeal(last, signers("signed", "signed"))).toBe(false);
  const first = { ...last, state: "created" as const, signOrder: "enterpriseFirst" };
  expect(waitsForSeal(first, signers("sent"))).toBe(true);
  expect(waitsForSeal({ ...first, state: "signing" }, signers("sent"))).toBe(false);
  expect(waitsForSeal({ ...first, state: "created" }, signers("sent", "signed"))).toBe(false);
  // its seal could not be set any more when the party had signed
  expect(waitsForSeal({ ...first, state: "signing" }, signers("sent", "signed"))).toBe(false);
  expect(waitsForSeal({ ...first, state: "signing" }, signers("signed", "signed"))).toBe(true);
  expect(waitsForSeal({ ...last, provider: "esign" }, signers("signed"))).toBe(false);
});

describe("the moves of a signing", () => {
  test("after the party has signed nothing is sent or taken back", () => {
    const open = { status: "signing" as const, partySigned: false };
    const signed = { status: "signing" as const, partySigned: true };
    expect(flowMoves.refusal("resend", open)).toBeUndefined();
    expect(flowMoves.refusal("resend", signed)).toBe("承租方已签署，正在等待盖章");
    expect(flowMoves.refusal("cancel", signed)).toBe("承租方已签署，不能撤销");
    expect(flowMoves.refusal("complete", open)).toBe("承租方尚未签署");
    expect(flowMoves.next("complete", signed)).toBe("done");
  });

  test("what has ended stays as it is", () => {
    for (const status of ["done", "refused", "expired", "cancelled", "failed"] as const)
      for (const move of [
        "send",
        "resend",
        "sign",
        "complete",
        "refuse",
        "expire",
        "cancel",
        "fail",
      ] as const)
        expect(flowMoves.refusal(move, { status, partySigned: true }), `${status} ${move}`).toMatch(
          /^当前状态为/,
        );
  });
});

test("the return page says how far it is", () => {
  expect(outcomeOf("signing", signers("sent"))).toBe("signing");
  expect(outcomeOf("signing", signers("signed"))).toBe("sealing");
  expect(outcomeOf("done", signers("signed", "signed"))).toBe("done");
  expect(outcomeOf("refused", signers("sent"))).toBe("refused");
  for (const state of ["expired", "cancelled", "failed"] as const)
    expect(outcomeOf(state, signers("signed"))).toBe("ended");
});

test("everybody signs once, and the seal is set before all others or after them", () => {
  const parties = ["previousParty", "party"] as const;
  const all = usualOrder(parties, "partyFirst");
  expect(all).toEqual(["previousParty", "party", "enterprise"]);
  expect(usualOrder(parties, "enterpriseFirst")).toEqual(["enterprise", "previousParty", "party"]);
  for (const order of [
    all,
    ["party", "previousParty", "enterprise"],
    ["enterprise", "party", "previousParty"],
  ])
    expect(wrongOrder(order as SignerRole[], all)).toBeUndefined();
  expect(wrongOrder(["party", "enterprise", "previousParty"], all)).toBe("出租方须最先或最后盖章");
  expect(wrongOrder(["party", "previousParty"], all)).toBe("签署顺序缺少出租方");
  expect(wrongOrder(["party", "party", "previousParty", "enterprise"], all)).toBe("承租方在签署顺序中重复");
  expect(wrongOrder([...all, "otherParty"], all)).toBe("对调方不是本合同的签署人");
});

test("whoever signs first, each has the place of its role on the paper", () => {
  const roles = ["enterprise", "otherParty", "party", "previousParty"] as const;
  expect(inPlaces(roles.map((role) => ({ role }))).map((s) => s.role)).toEqual([
    "previousParty",
    "party",
    "otherParty",
  ]);
});

test("names of enterprises and the message with the link", () => {
  expect(maskFirm("青禾公寓管理有限公司")).toBe("青禾****公司");
  expect([maskFirm("青禾公寓"), maskFirm("青禾公寓店")]).toEqual(["青*", "青禾****寓店"]);
  expect(linkText("青禾公寓", "租赁合同", "https://a.example/esign/s/x", 72)).toBe(
    "【青禾公寓】请签署租赁合同：https://a.example/esign/s/x，72小时内有效",
  );
});

test("the page of proof names everybody with a masked phone", () => {
  const paper = proofPaper({
    number: "HT20260312-000001",
    of: "renterContract",
    flowNo: "QS20260312-000001",
    title: "房屋租赁合同",
    documentHash: "a".repeat(64),
    pages: 2,
    startedAt: "2026-03-12 10:00:00",
    startedBy: "周敏",
    signers: [
      {
        role: "party",
        name: "张三",
        phone: "13812345678",
        openedAt: "2026-03-12 10:01:00",
        signedAt: "2026-03-12 10:05:00",
        ip: "203.0.113.9",
        device: "Safari",
        smsNo: "7",
        consent: "2026-11",
        handwritten: true,
      },
    ],
    seal: { name: "合同专用章", lessor: "青禾公寓", operator: "何印", at: "2026-03-12 10:06:00" },
    certificate: { subject: "CN=青禾公寓", fingerprint: "b".repeat(64) },
  });
  const text = JSON.stringify(paper);
  for (const said of ["承租方：张三", "138****5678", "203.0.113.9", "a".repeat(64), "b".repeat(64), "何印"])
    expect(text).toContain(said);
  expect(text).not.toContain("13812345678");
});

test("a template of what is signed electronically has the places of who signs", () => {
  const { pieces } = cleaned("<p>甲</p>");
  for (const kind of SIGNED_KINDS)
    expect(publishErrors(kind, pieces, "", ""), kind).toContain("缺少客户签字位置");
});
