import { serveList } from "../../../platform/server/lists/list.ts";
import { inScope } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { cashBoxes, closeShift, getShift, openShift, shiftTakers } from "./shift.contract.ts";
import { boxesOf, close, open, sheetOf, shifts, takersIn } from "./shift.service.ts";

export default [
  serveList(shifts),
  serveRead(cashBoxes, (read, { query }) => boxesOf(read, inScope(read.who, query.villageId))),
  serveRead(shiftTakers, (read, { query }) => {
    inScope(read.who, query.villageId);
    return takersIn(read, query);
  }),
  serve(openShift, (act, { body }) => {
    inScope(act.who, body.villageId);
    return open(act, body);
  }),
  serve(closeShift, (act, { params, body }) => close(act, params.id, body)),
  serveRead(getShift, (read, { params }) => sheetOf(read, params.id)),
];
