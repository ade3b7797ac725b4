import { serve, serveRead } from "../../../platform/server/pipeline/serve.ts";
import { checkSetup, setUp } from "./setup.contract.ts";
import { claimHouse, opens } from "./setup.service.ts";

export default [
  serveRead(checkSetup, async (read, { query }) => ({ open: await opens(read, query.token) })),

  serve(setUp, async (act, { body: { token, enterpriseName, ...first } }) => {
    await claimHouse(act, token, enterpriseName, first);
    return { account: first.account };
  }),
];
