import type { Reply } from "../../../platform/kernel/call.ts";
import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import { lastCheck, runCheck } from "./check.contract.ts";

/** Asks for a check of the books, has it done, and answers what it found. */
export async function checked(house: TestHouse, as: Person): Promise<Reply<typeof lastCheck>> {
  await house.did(runCheck, { as });
  await house.deliver();
  return house.did(lastCheck, { as });
}
