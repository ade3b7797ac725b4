import { contrast, DARK, WHITE } from "../../../platform/kernel/texts/colour.ts";
import { apiBaseOf, brandKeys, brandOf } from "../../../platform/server/pipeline/brand.ts";
import { serveRead } from "../../../platform/server/pipeline/serve.ts";
import { currentBrand, listBrands } from "./brand.contract.ts";
import { demoAccounts } from "./demo-account.service.ts";

export default [
  serveRead(currentBrand, async (read) => {
    const brand = await brandOf(read.settings.BRAND);
    const accounts = await demoAccounts(read);
    const { SSO_ISSUER, SSO_NAME } = read.settings;
    return {
      ...brand,
      apiBase: apiBaseOf(read.settings, brand),
      passwordMin: read.settings.PASSWORD_MIN,
      ...(accounts.length && { demo: { accounts } }),
      ...(SSO_ISSUER && { sso: { name: SSO_NAME } }),
    };
  }),

  serveRead(listBrands, async ({ settings: { BRAND, BRAND_HOSTS } }) => {
    const brands = await Promise.all(brandKeys().map(brandOf));
    return brands
      .toSorted(
        (a, b) => Number(b.key === "default") - Number(a.key === "default") || (a.key < b.key ? -1 : 1),
      )
      .map((brand) => ({
        ...brand,
        active: brand.key === BRAND,
        hosts: Object.keys(BRAND_HOSTS).filter((host) => BRAND_HOSTS[host] === brand.key),
        white: contrast(brand.themeColor, WHITE),
        dark: contrast(brand.themeColor, DARK),
      }));
  }),
];
