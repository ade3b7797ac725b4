import type { Person, TestHouse } from "../../../platform/server/process/house.sample.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { actOf } from "../../../platform/server/pipeline/pipeline.ts";
import { findSession } from "../../../platform/server/pipeline/session.ts";
import type { AgreementType } from "./block.rules.ts";
import { createH5, publishH5, type Content } from "./h5.service.ts";

/** Does something as a person, in a transaction of its own. */
export async function asPerson<T>(house: TestHouse, as: Person, work: (act: Act) => Promise<T>): Promise<T> {
  const who = await findSession(house.database.pool, as.token);
  if (!who) throw new Error("nobody is signed in with this token");
  return house.database.db
    .transaction()
    .execute((tx) => work(actOf(house, tx, who, { requestId: "sample", ip: "", userAgent: "" })));
}

export const aHeading = (text: string, level: 1 | 2 = 1) => ({ kind: "heading" as const, text, level });
export const aText = (text: string) => ({ kind: "text" as const, text });

/** A page, or an agreement where a type is named, with its first version. */
export const aPublishedH5 = (
  house: TestHouse,
  as: Person,
  content: Partial<Content> & { agreementType?: AgreementType } = {},
): Promise<number> =>
  asPerson(house, as, async (act) => {
    const { agreementType, ...rest } = content;
    const id = await createH5(act, { name: "入住指南", ...(agreementType && { agreementType }) });
    const effective = agreementType && { effectiveDay: act.today };
    await publishH5(act, id, { title: "入住指南", blocks: [aText("欢迎入住")], ...effective, ...rest });
    return id;
  });
