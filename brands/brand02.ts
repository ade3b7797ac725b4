import type { BrandFile } from "../platform/kernel/texts/brand.ts";

export const brand: BrandFile = {
  key: "brand02",
  productTitle: "长租公寓",
  loginTitle: "长租公寓管理平台",
  logo: "brand02-logo.svg",
  favicon: "brand02-favicon.svg",
  background: "brand02-background.svg",
  footerText: "品牌二 all rights reserved",
  themeColor: "#A8232B",
  mode: "dark",
  apiBase: "https://api.brand02.example",
};
