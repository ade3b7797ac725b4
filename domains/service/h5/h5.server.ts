import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { shownFile } from "../../system/file/file.service.ts";
import { publicAgreement, publicH5, publicH5File } from "./h5.contract.ts";
import { agreementOf, countView, shownBlocks, shownPage, shownPicture } from "./h5.queries.ts";

export default [
  serveRead(publicH5, async (read, { params }) => {
    const page = await shownPage(read, params.id);
    await countView(read, page.id);
    return { ...page, blocks: await shownBlocks(read, page.blocks) };
  }),

  serveRead(publicH5File, async (read, { params }) =>
    shownFile(read, await shownPicture(read, params.id, params.fileId)),
  ),

  serveRead(publicAgreement, (read, { query }) => agreementOf(read, query.type, query.version)),
];
