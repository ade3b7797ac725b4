import type { Act } from "../../../platform/server/pipeline/act.ts";
import { job } from "../../../platform/server/jobs/jobs.ts";
import { seedSubjects } from "./subject.service.ts";
import { enterpriseMade } from "../../access/application/application.contract.ts";

const seed = async (act: Act, id?: unknown) => {
  const all = act.tx.selectFrom("enterprise").select("id");
  const rows = await (id ? all.where("id", "=", Number(id)) : all).execute();
  for (const row of rows) await seedSubjects(act, row.id);
};

export default [
  job({ name: "subject.seed", on: enterpriseMade, work: (act, data) => seed(act, data.id) }),
  /** So that a new release's built-in subjects reach the enterprises that were there before it. */
  job({ name: "subject.renew", atStart: true, work: (act) => seed(act) }),
];
