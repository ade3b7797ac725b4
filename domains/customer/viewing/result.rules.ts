import type { RESULTS } from "./viewing.rules.ts";

export type Result = keyof typeof RESULTS;
export type RoomResult = { roomId: number; result: Result; feedback: string };

/** How far a viewing brought the customer: as far as the room that was liked best. */
const ORDER: readonly Result[] = ["满意", "再考虑", "不合适"];
export const bestOf = (results: readonly Pick<RoomResult, "result">[]): Result | undefined =>
  ORDER.find((word) => results.some((r) => r.result === word));

/** 1201 满意（采光好）、1202 不合适 */
export const resultsText = (results: readonly { name: string; result: Result; feedback: string }[]): string =>
  results.map((r) => `${r.name} ${r.result}${r.feedback && `（${r.feedback}）`}`).join("、");
