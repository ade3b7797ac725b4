import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { addTitle, deleteTitle, editTitle, listTitles } from "./title.contract.ts";
import { addTitleTo, changeTitle, removeTitle, titlesOf } from "./title.service.ts";

export default [
  serveRead(listTitles, (read, { query }) => titlesOf(read, query.partyId)),
  serve(addTitle, (act, { body }) => addTitleTo(act, body)),
  serve(editTitle, (act, { params, body }) => changeTitle(act, params.id, body)),
  serve(deleteTitle, async (act, { params, query }) => {
    await removeTitle(act, params.id, query.version);
    return null;
  }),
];
