import { asSeen } from "../../../platform/server/database/versioned.ts";
import type { Read } from "../../../platform/server/pipeline/act.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { decide, lockExamine } from "./decide.service.ts";
import { shownFile } from "../../system/file/file.service.ts";
import { examineDetailOf, fileOfExamine } from "./detail.queries.ts";
import {
  countExamines,
  decideExamine,
  examineFile,
  getExamine,
  listExamines,
  submitExamine,
} from "./examine.contract.ts";
import { examineCounts, examinesOf } from "./list.queries.ts";
import { submitAgain } from "./propose.service.ts";
import { readExamine } from "./run.service.ts";

const answer = async (read: Read, id: number) => {
  const { state } = (await readExamine(read, id))!;
  return { id, state };
};

export default [
  serveRead(listExamines, (read, { query }) => examinesOf(read, query)),

  serveRead(countExamines, (read, { query }) => examineCounts(read, query.villageIds)),

  serveRead(getExamine, (read, { params }) => examineDetailOf(read, params.id)),

  serveRead(examineFile, async (read, { params }) =>
    shownFile(read, await fileOfExamine(read, params.id, params.fileId)),
  ),

  serve(decideExamine, async (act, { params, body }) => {
    await decide(act, params.id, body);
    return answer(act, params.id);
  }),

  serve(submitExamine, async (act, { params, body }) => {
    const examine = await lockExamine(act, params.id);
    asSeen(examine, body.version);
    await submitAgain(act, examine);
    return answer(act, params.id);
  }),
];
