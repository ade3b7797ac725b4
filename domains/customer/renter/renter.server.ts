import { maskName } from "../../../platform/kernel/mask.ts";
import { exportList } from "../../../platform/server/sheets/export.ts";
import { villagesOf } from "../../../platform/server/pipeline/scope.ts";
import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { removeRenter } from "./removal.service.ts";
import {
  addRenter,
  deleteRenter,
  editRenter,
  exportRenters,
  getRenter,
  listRenters,
  renterOptions,
  renterStrip,
  renterSummary,
} from "./renter.contract.ts";
import { optionsFor, renterDetail, summaryOf } from "./renter-detail.queries.ts";
import { updateRenter } from "./renter-edit.service.ts";
import { createRenter, phoneUsedBy } from "./renter.service.ts";
import { everyRenter, renterList, stripOf } from "./renter.queries.ts";
import { shown } from "./renter-row.queries.ts";

const hinted = (name: string | null) => name && maskName(name);

export default [
  serveRead(listRenters, (read, { query }) => renterList(read, query)),
  exportList(exportRenters, { rows: everyRenter, row: shown }),
  serveRead(renterStrip, (read, { query }) => stripOf(read, query.villageIds)),
  serveRead(renterOptions, (read, { query }) =>
    optionsFor(read, query.keyword, villagesOf(read.who, query.villageIds)),
  ),
  serveRead(getRenter, (read, { params }) => renterDetail(read, params.id)),
  serveRead(renterSummary, (read, { params }) => summaryOf(read, params.id)),

  serve(addRenter, async (act, { body }) => {
    const { id } = await createRenter(act, body);
    return { id, phoneUsedBy: hinted(await phoneUsedBy(act, id, body.phone)) };
  }),
  serve(editRenter, async (act, { params, body }) => {
    await updateRenter(act, params.id, body);
    const used = body.phone === undefined ? null : await phoneUsedBy(act, params.id, body.phone);
    return { id: params.id, phoneUsedBy: hinted(used) };
  }),
  serve(deleteRenter, async (act, { params, query }) => {
    await removeRenter(act, params.id, query.version);
    return null;
  }),
];
