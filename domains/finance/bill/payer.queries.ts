import type { Day } from "../../../platform/kernel/day.ts";
import type { Fen } from "../../../platform/kernel/fen.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import type { BillingSetting } from "../setting/setting.rules.ts";
import { settingsOf } from "../setting/setting.service.ts";
import { subjectsFor, type Subjects } from "../subject/subject.service.ts";

/** A payment that is planned and not written yet. */
export type Paid = { lineId: number; day: Day; amount: Fen };

/** What every act on money looks things up in. */
export type Around = {
  subjects: Subjects;
  settings: (villageId: number) => BillingSetting;
  /** Counted as if they were paid already. */
  paid?: readonly Paid[];
};

/** Subjects and settings of the villages of some bills. */
export async function aroundOf(read: Read, villageIds: readonly number[]): Promise<Around> {
  return { subjects: await subjectsFor(read, villageIds), settings: await settingsOf(read, villageIds) };
}
