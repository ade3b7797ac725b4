import { expect, test } from "vitest";
import { type Standing, tooMany, whyNoLetter, whyNothing } from "./letters.rules.ts";

const bill: Standing = {
  readable: true,
  voided: false,
  receivable: true,
  outstanding: 1,
  issued: true,
  dueDate: "2026-03-19",
  disputed: false,
  contractId: 1,
};
const why = (more: Partial<Standing>) => whyNoLetter({ ...bill, ...more }, "2026-03-20");

test("a letter is about what is late of a contract; of everything else there is a reason", () => {
  expect(why({})).toBeUndefined();
  expect(why({ dueDate: "2026-03-20" })).toBe("账单未逾期");
  expect(why({ outstanding: 0 })).toBe("账单没有未收金额");
  expect(why({ issued: false })).toBe("账单未出账");
  expect(why({ receivable: false })).toBe("应付账单不需要催缴");
  expect(why({ contractId: null })).toBe("账单没有合同，不能出具催缴函");
  expect(why({ disputed: true })).toBe("账单有争议，已暂停催缴");
  // what is not late yet is not asked for anyway
  expect(why({ disputed: true, dueDate: "2026-03-20" })).toBe("账单未逾期");
  // nothing else is said of what may not be seen
  expect(why({ readable: false, voided: true })).toBe("没有查看该类合同的权限");
  // what was voided is nothing else besides
  expect(why({ voided: true, outstanding: 0, dueDate: "2026-03-20" })).toBe("账单已作废");
});

test("there are two thousand letters in one file, and no more", () => {
  expect([tooMany(0), tooMany(2000)]).toEqual([undefined, undefined]);
  expect(tooMany(2001)).toBe("一次最多打印2000份催缴函，所选客户共 2001 份，请分批选择客户");
});

test("where there is no letter, each reason says how many bills it is about", () => {
  expect(whyNothing(["账单未逾期", "账单已作废", "账单未逾期"])).toBe(
    "没有可以出具的催缴函：账单未逾期 2 笔，账单已作废 1 笔",
  );
  expect(whyNothing([])).toBe("所选客户没有逾期账单，不需要催缴");
});
