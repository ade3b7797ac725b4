import { brandOf } from "../../../platform/server/brand.ts";
import { serveRead } from "../../../platform/server/serve.ts";
import { currentBrand } from "./brand.contract.ts";
import { demoAccounts } from "./demo-account.service.ts";

export default [
  serveRead(currentBrand, async (read) => {
    const brand = await brandOf(read.settings.BRAND);
    const accounts = await demoAccounts(read);
    const { SSO_ISSUER, SSO_NAME } = read.settings;
    return {
      ...brand,
      ...(accounts.length && { demo: { accounts } }),
      ...(SSO_ISSUER && { sso: { name: SSO_NAME } }),
    };
  }),
];
