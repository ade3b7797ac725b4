import { job } from "../../../platform/server/jobs/jobs.ts";
import type { Act } from "../../../platform/server/pipeline/act.ts";
import { enterpriseMade } from "../../access/application/application.contract.ts";
import { seedSubjects } from "../../finance/subject/subject.service.ts";
import { seedIndicators } from "./budget-indicator.service.ts";

const seed = async (act: Act, id?: unknown) => {
  const all = act.tx.selectFrom("enterprise").select("id").orderBy("id");
  for (const row of await (id ? all.where("id", "=", Number(id)) : all).execute()) {
    // the job that brings those may come later than this one
    await seedSubjects(act, row.id);
    await seedIndicators(act, row.id);
  }
};

export default [
  job({ name: "budgetIndicator.seed", on: enterpriseMade, work: (act, data) => seed(act, data.id) }),
  /** Enterprises that were there before budgets get theirs with the release that brings them. */
  job({ name: "budgetIndicator.renew", atStart: true, work: (act) => seed(act) }),
];
